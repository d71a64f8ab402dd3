import type { Queries } from './database.ts'
import { statement } from './statement.ts'

const readServer = statement<{ limit: string; standbys: string }>(
  'db.read_server',
  `select current_setting('statement_timeout') as limit, current_setting('synchronous_standby_names') as standbys`,
)

const NO_LIMIT =
  "No SQL statement has a time limit: behind a pooler the service sets none, because another client would inherit it. Run alter role … set statement_timeout = '30s' for the role of Database:Url."
const NO_STANDBY =
  'PostgreSQL has no synchronous standby. If another server takes over, or its disk is lost, what it acknowledged last is gone, and nothing can tell (docs/reliability.md).'

/** What the server is set up to do that an operator should know; by statements, because only it knows. */
export async function serverAdvice(db: Queries, { pooled }: { readonly pooled: boolean }): Promise<string[]> {
  const server = await db.one(readServer)
  if (server === undefined) return []
  return [...(pooled && server.limit === '0' ? [NO_LIMIT] : []), ...(server.standbys === '' ? [NO_STANDBY] : [])]
}
