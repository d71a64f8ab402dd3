import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Database } from '../database.ts'
import { openEars } from '../listen.ts'
import { poolDatabase } from '../pool-database.ts'
import { DirectoryInUse, type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { Engine, type EngineOptions } from './engine.ts'
import { startUpkeep, type Upkeep } from './upkeep.ts'
import { startWarmUp } from './warm-up.ts'

/** A directory, or memory that keeps nothing. A new database starts from the `snapshot`, if there is one. */
export type EmbeddedLocation = ({ readonly directory: string } | { readonly memory: true }) & {
  /** A file that another database was dumped to. */
  readonly snapshot?: string | undefined
}

export type EmbeddedOptions = {
  readonly statementTimeoutMs: number
  /** The stack of the engine's thread. Only a test sets it. */
  readonly stackSizeMb?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

/** What is behind the port, for tests and the testkit. */
export type Embedded = { readonly database: Database; readonly engine: Engine; readonly upkeep: Upkeep }

export async function openEmbedded(
  at: EmbeddedLocation,
  options: EmbeddedOptions,
  common: pg.PoolConfig,
): Promise<Embedded> {
  if (!('directory' in at)) return openEngine({ ...options, cluster: undefined, snapshot: at.snapshot }, common)
  const home = homeIn(at.directory)
  const lock = await lockDirectory(home).catch((error: unknown) => {
    throw error instanceof DirectoryInUse ? error : unusable(at.directory, error)
  })
  const engineOptions = { ...options, cluster: path.join(home, 'cluster'), snapshot: at.snapshot }
  try {
    return await openEngine(engineOptions, common, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openEngine(options: EngineOptions, common: pg.PoolConfig, lock?: DirectoryLock): Promise<Embedded> {
  const engine = new Engine(options)
  lock?.onLost(
    () =>
      void engine.abandon(
        'The lock of the data directory is gone: another process took it over, or somebody deleted it.',
      ),
  )
  await engine.ready.catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  const ears = openEars()
  const pool = poolOn(engine, { ...common, onConnect: ears.onConnect })
  const background: { stop(): Promise<void> }[] = []
  const { database, withClient } = poolDatabase({
    engine: 'embedded',
    pool,
    prepared: true,
    unlimited: (_client, work) => engine.unlimited(work),
    listen: (channels, hear) => ears.listen(command)(channels, hear),
    warn: options.warn,
    beforeClose: async () => void (await Promise.all(background.map((one) => one.stop()))),
    afterClose: async () => {
      await engine.close()
      lock?.release()
    },
  })
  const command = (text: string) =>
    withClient(async (client) => void (await engine.unlimited(() => client.query(text))))
  const upkeep = startUpkeep({ database, command, waiting: () => pool.waitingCount, warn: options.warn })
  background.push(upkeep)
  // An in-memory database serves a test, which needs no warm-up.
  if (lock !== undefined) background.push(startWarmUp(database, () => pool.waitingCount === 0))
  return { database, engine, upkeep }
}

function poolOn(engine: Engine, common: pg.PoolConfig): pg.Pool {
  return new pg.Pool({
    ...common,
    max: 1, // There is one backend, so a second connection would share the first one's session.
    idleTimeoutMillis: 0,
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    stream: () => engine.connect(),
  })
}

/** The mode of the cluster's files lets everybody read them, so this directory must keep others out. */
function homeIn(directory: string): string {
  const home = path.resolve(directory, 'database')
  try {
    fs.mkdirSync(home, { recursive: true, mode: 0o700 })
    fs.chmodSync(home, 0o700)
  } catch (error) {
    throw unusable(directory, error)
  }
  return home
}

function unusable(directory: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = 'Give this user write access, free space on the disk, or set Database:DataDirectory to another folder.'
  return new Error(`The data directory ${directory} cannot be used: ${reason}. ${advice}`, { cause })
}
