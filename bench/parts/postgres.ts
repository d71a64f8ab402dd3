// Databases of one's own on a real server, dropped at the end.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Where a bench may create databases; undefined when nobody named a server. */
export const benchServer = (): string | undefined =>
  process.env.BENCH_DATABASE_URL || process.env.TEST_DATABASE_URL || undefined

export const NO_SERVER =
  'no PostgreSQL: set BENCH_DATABASE_URL to postgres://user:password@host:5432/name of a user who may create databases'

/** Empty databases, or copies of the database `like`, which must have no connections. */
export async function withDatabases<Result>(
  server: string,
  count: number,
  work: (urls: string[]) => Promise<Result>,
  like?: string,
): Promise<Result> {
  const template = like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`
  const names = Array.from({ length: count }, () => `tether_bench_${Date.now()}_${randomUUID().slice(0, 8)}`)
  await dropForgotten(server)
  try {
    for (const name of names) await command(server, `create database ${name}${template}`)
    return await work(names.map((name) => urlOf(server, name)))
  } finally {
    for (const name of names) await command(server, `drop database if exists ${name} with (force)`)
  }
}

export async function command(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return await client.query(text).finally(() => client.end())
}

const forgottenAfterMs = 60 * 60 * 1000

/** What benches left behind that were cut off. */
async function dropForgotten(server: string): Promise<void> {
  const found = await command(server, String.raw`select datname from pg_database where datname like 'tether\_bench\_%'`)
  for (const { datname } of found.rows as { datname: string }[]) {
    const isOld = Date.now() - Number(datname.split('_')[2]) > forgottenAfterMs
    if (isOld) await command(server, `drop database if exists ${datname} with (force)`)
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
