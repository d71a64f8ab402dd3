// The commands that create, find and drop the databases of tests on a server, on all nodes where it is Citus.
import { type Database, openDatabase, unlisted } from '../src/kernel/db/index.ts'
import { citusWorkers } from './citus.ts'
import { LIMITS } from './fresh-database.ts'

const namesLike = unlisted<{ name: string }, { pattern: string }>(
  'testkit.list_databases',
  'select datname::text as name from pg_database where datname like $pattern::text order by random()',
)

export const listDatabases = async (admin: Database, start: string): Promise<string[]> =>
  (await admin.rows(namesLike, { pattern: `${start.replaceAll('_', '\\_')}%` })).map(({ name }) => name)

export const drop = (server: string, name: string): Promise<void> =>
  everywhere(server, `drop database if exists ${name} with (force)`)

/** On every node, in the database of the same name. */
export async function everywhere(server: string, text: string, workers = citusWorkers()): Promise<void> {
  const { pathname } = new URL(server)
  for (const node of [server, ...workers]) {
    const admin = await open(urlOf(node, pathname), 1)
    await admin.script(text).finally(() => admin.close())
  }
}

export function open(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    at: { url, poolSize, prepared: true },
    ...LIMITS,
    warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  })
}

export function urlOf(server: string, pathname: string): string {
  const url = new URL(server)
  url.pathname = pathname
  return url.href
}

/** Citus stays connected to every database, and one with connections can be neither renamed nor copied. */
export async function shut(server: string, name: string, workers = citusWorkers()): Promise<void> {
  const leave = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await everywhere(server, `alter database ${name} with allow_connections false`, workers)
  await everywhere(server, leave, workers)
}
