// Citus under the tests: TEST_DATABASE_URL is its coordinator, and TEST_CITUS_WORKERS has the addresses of its workers, with commas
// between them. `npm run test:citus` starts all three.
import { readFileSync } from 'node:fs'
import type { Database } from '../src/kernel/db/index.ts'

/** The addresses of the workers; empty on plain PostgreSQL. */
export const citusWorkers = (): readonly string[] =>
  (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter((url) => url !== '')

/** The script that a deployment runs after its migrations. */
export const DISTRIBUTE = readFileSync(new URL('../../deploy/citus/distribute.sql', import.meta.url), 'utf8')

/** Few, because each shard is a table for every table of a tenant. */
const SHARDS = 4

/** Registers the workers at this database. Every node already has a database of its name with the extension. */
export async function joinWorkers(database: Database, server: string, workers = citusWorkers()): Promise<void> {
  const own = new URL(server)
  await database.script(`select citus_set_coordinator_host('${own.hostname}', ${own.port})`)
  for (const url of workers) await addWorker(database, url)
}

export async function addWorker(database: Database, url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  await database.script(`select citus_add_node('${hostname}', ${port})`)
}

export const distribute = (database: Database): Promise<void> =>
  database.script(`set citus.shard_count = ${SHARDS};\n${DISTRIBUTE}`)

/** A worker's database as a plain one: its shards are listed as tables, and may be emptied. */
export function shardsAt(url: string): string {
  const address = new URL(url)
  address.searchParams.set(
    'options',
    '-c citus.override_table_visibility=off -c citus.enable_manual_changes_to_shards=on',
  )
  return address.href
}
