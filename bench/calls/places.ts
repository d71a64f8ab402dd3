// Databases to run the service on: of a named server, of a private one for the time of the bench, or embedded.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '../../scripts/private-postgres.ts'
import { migrate, openDatabase, readMigrations } from '../../server/src/kernel/db/index.ts'
import { ROOT } from '../parts/child.ts'
import { benchServer, withDatabases } from '../parts/postgres.ts'
import type { Place } from '../parts/running-service.ts'

export const NO_POSTGRES = 'no PostgreSQL: set BENCH_DATABASE_URL, or install one (Debian: postgresql)'

type Work<Result> = (urls: readonly string[]) => Promise<Result>

/** Migrated databases on PostgreSQL. Undefined where there is no server, and none can be started. */
export async function onPostgres<Result>(count: number, work: Work<Result>): Promise<Result | undefined> {
  const named = benchServer()
  if (named !== undefined) return await onMigrated(named, count, work)
  const own = await startPostgres()
  if (own === undefined) return undefined
  // Also when the bench is cut short: the signal that ends the server is sent before `stop` waits for anything.
  const reap = () => void own.stop()
  process.once('exit', reap)
  try {
    return await onMigrated(own.url, count, work)
  } finally {
    process.off('exit', reap)
    await own.stop()
  }
}

/** The first database is migrated, the others are copies of it. */
const onMigrated = <Result>(server: string, count: number, work: Work<Result>): Promise<Result> =>
  withDatabases(server, 1, async ([first = '']) => {
    await migrateAt({ url: first })
    return await withDatabases(server, count - 1, (others) => work([first, ...others]), first)
  })

/** A data directory of the embedded database, and as many copies of it as `prepare` left it as are asked for. */
export async function onEmbedded<Result, Prepared>(
  copies: number,
  prepare: (place: Place) => Promise<Prepared>,
  work: (directories: readonly string[], prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))
  try {
    const directories = Array.from({ length: copies }, (_, at) => path.join(folder, `at-${at}`))
    const [first = '', ...others] = directories
    await mkdir(first)
    const prepared = await prepare({ directory: first })
    for (const other of others) await cp(first, other, { recursive: true })
    return await work(directories, prepared)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function migrateAt(place: { readonly url: string }): Promise<void> {
  const database = await openDatabase({
    at: { ...place, poolSize: 2, prepared: true },
    statementTimeoutMs: 0,
    warn: console.error,
  })
  await migrate(database, await readMigrations(path.join(ROOT, 'server/migrations'))).finally(() => database.close())
}
