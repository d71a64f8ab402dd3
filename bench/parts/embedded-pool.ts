// The embedded engine with the driver straight on it, past the port that the service goes through.
import path from 'node:path'
import pg from 'pg'
import { Engine } from '../../server/src/kernel/db/embedded/engine.ts'

export type EmbeddedPool = { readonly pool: pg.Pool; close(): Promise<void> }

/** On a data directory that the service, or `openDatabase`, made. */
export async function openEmbeddedPool(directory: string): Promise<EmbeddedPool> {
  const engine = new Engine({
    cluster: path.join(directory, 'database/cluster'),
    snapshot: undefined,
    statementTimeoutMs: 30_000,
    warn: (message) => process.stderr.write(`${message}\n`),
  })
  await engine.ready
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    stream: () => engine.connect(),
  })
  return {
    pool,
    async close() {
      await pool.end()
      await engine.close()
    },
  }
}
