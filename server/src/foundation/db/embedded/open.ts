import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Database } from '../database.ts'
import { poolDatabase } from '../pool-database.ts'
import { lockDirectory } from './directory-lock.ts'
import { Engine } from './engine.ts'

/** A directory, or memory: nothing is kept then. A `snapshot` is a file that an earlier memory database was dumped to. */
export type EmbeddedPlace =
  | { readonly directory: string }
  | { readonly memory: true; readonly snapshot?: string | undefined }

export type EmbeddedOptions = {
  readonly statementTimeoutMs: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

export async function openEmbedded(
  at: EmbeddedPlace,
  { statementTimeoutMs, warn }: EmbeddedOptions,
  common: pg.PoolConfig,
): Promise<{ database: Database; engine: Engine }> {
  const home = 'directory' in at ? homeIn(at.directory) : undefined
  const lock = home === undefined ? undefined : await lockDirectory(home, () => undefined)
  const cluster = home === undefined ? undefined : path.join(home, 'cluster')
  const engine = new Engine({ cluster, snapshot: 'snapshot' in at ? at.snapshot : undefined, statementTimeoutMs, warn })
  try {
    await engine.ready
  } catch (error) {
    lock?.release()
    throw error
  }
  const pool = new pg.Pool({
    ...common,
    max: 1, // one backend: a second connection would share the first one's session
    idleTimeoutMillis: 0,
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    stream: () => engine.connect(),
  })
  pool.on('error', (error) => warn('The connection to the embedded database was lost.', { reason: error.message }))
  const closeEngine = async (): Promise<void> => {
    await engine.close()
    lock?.release()
  }
  const database = poolDatabase({
    engine: 'embedded',
    pool,
    prepared: true,
    unlimited: (_client, work) => engine.unlimited(work),
    closeEngine,
  })
  return { database, engine }
}

/** The cluster's files are readable for everybody by their mode, so nobody else may reach them. */
function homeIn(directory: string): string {
  const home = path.resolve(directory, 'database')
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  fs.chmodSync(home, 0o700)
  return home
}
