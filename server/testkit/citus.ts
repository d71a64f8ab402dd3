// Citus under the tests, where it is at hand (docs/scale.md says how it is built): TEST_DATABASE_URL is its coordinator, and
// TEST_CITUS_WORKERS names its workers, with commas between them.
import { type Database, unlisted } from '../src/foundation/db/index.ts'

/** The addresses of the workers; none where the server is plain PostgreSQL. */
export const citusWorkers = (): readonly string[] =>
  (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter((url) => url !== '')

/** Few, because every one of them is a table for each table. */
const SHARDS = 4

/** Makes the server of this database, which is there and has Citus in it on every node, their coordinator. */
export async function joinWorkers(database: Database, server: string): Promise<void> {
  const own = new URL(server)
  await database.script(`select citus_set_coordinator_host('${own.hostname}', ${own.port})`)
  for (const url of citusWorkers()) {
    const { hostname, port } = new URL(url)
    await database.script(`select citus_add_node('${hostname}', ${port})`)
  }
}

const tablesOfTenants = unlisted<{ name: string }>(
  'testkit.tables_of_tenants',
  `select c.relname::text as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname <> 'tenants', c.relname`,
)

/** Divides every table that has a `tenant_id`, as docs/scale.md says. */
export async function distribute(database: Database): Promise<void> {
  for (const { name } of await database.rows(tablesOfTenants)) {
    const beside = name === 'tenants' ? `shard_count => ${SHARDS}` : `colocate_with => 'tenants'`
    await database.script(`select create_distributed_table('${name}', 'tenant_id', ${beside})`)
  }
}
