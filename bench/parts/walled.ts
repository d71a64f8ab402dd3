// Row-level security as it would be used here, and the ways to tell it which tenant is asking.
import pg from 'pg'

/** The role owns nothing, so the policies hold for it. They are not forced on the owner, who is what it is held against. */
export const wallSql = (role: string): string => `
  create role ${role} nosuperuser nobypassrls;
  grant select, insert, update, delete on all tables in schema public to ${role};
  ${['tenants', 'keys', 'account_events'].map(policySql).join('\n')}`

const policySql = (table: string): string => `
  alter table ${table} enable row level security;
  create policy one_tenant on ${table}
    using (tenant_id = nullif(current_setting('app.tenant', true), '')::int);`

/** One call: which tenant asks, and for what. */
export type Call = {
  readonly tenantId: number
  readonly statement: { readonly name: string; readonly text: string; readonly values: readonly Value[] }
}
type Value = number | string | Buffer

/** Runs a call and tells how many rows came. */
export type Way = (pool: pg.Pool, call: Call) => Promise<number>

const asQuery = ({ values, ...statement }: Call['statement']): pg.QueryConfig => ({ ...statement, values: [...values] })

const written = ({ text, values }: Call['statement']): string =>
  text.replace(/\$(\d)/g, (_, number) => literal(values[Number(number) - 1] ?? ''))

function literal(value: Value): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? pg.escapeLiteral(value) : `'\\x${value.toString('hex')}'`
}

const rowsOf = (result: pg.QueryResult): number => result.rows.length

/** As today: one statement, which commits by itself. */
export const alone: Way = async (pool, { statement }) => rowsOf(await pool.query(asQuery(statement)))

/** By the book: a transaction whose tenant ends with it. Four round trips. */
export const inTransaction: Way = (pool, { tenantId, statement }) =>
  withClient(pool, async (client) => {
    await client.query('begin')
    try {
      await client.query(setTenant(tenantId, true))
      const rows = rowsOf(await client.query(asQuery(statement)))
      await client.query('commit')
      return rows
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })

/** The same four, sent without waiting for each other: the driver's own pipeline. One round trip, four statements. */
export const inPipeline: Way = (pool, { tenantId, statement }) =>
  withClient(pool, async (client) => {
    const [, , result] = await Promise.all([
      client.query('begin'),
      client.query(setTenant(tenantId, true)),
      client.query(asQuery(statement)),
      // After a failed statement the database answers it with a rollback.
      client.query('commit'),
    ])
    return rowsOf(result)
  })

/** The tenant is the session's until the next one comes. Two round trips, and a checkout that forgets it acts for a stranger. */
export const onSession: Way = (pool, { tenantId, statement }) =>
  withClient(pool, async (client) => {
    await client.query(setTenant(tenantId, false))
    return rowsOf(await client.query(asQuery(statement)))
  })

/** Every connection that the pool may open. */
export async function pinSession(pool: pg.Pool, tenantId: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  await Promise.all(clients.map((client) => client.query(setTenant(tenantId, false))))
  for (const client of clients) client.release()
}

/** Both as one text of the simple protocol. One round trip, but the values are written into the SQL and nothing is prepared. */
export const inOneText: Way = async (pool, { tenantId, statement }) => {
  const text = `select set_config('app.tenant', '${tenantId}', true); ${written(statement)}`
  // The driver gives one result for each statement of a text; its types know of one only.
  const results = (await pool.query(text)) as unknown as pg.QueryResult[]
  return rowsOf(lastOf(results))
}

/** Both prepared and in one batch, before one Sync: one implicit transaction and one round trip. The driver has no words for it. */
export const inOneBatch: Way = (pool, { tenantId, statement }) =>
  withClient(pool, (client) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const query = new pg.Query(asQuery(statement), undefined, (error, result) => {
      if (error === undefined || error === null) resolve(rowsOf(lastOf([result].flat() as pg.QueryResult[])))
      else reject(error)
    })
    const submit = query.submit.bind(query)
    query.submit = (connection) => {
      connection.stream.cork()
      sendTenant(connection, tenantId)
      submit(connection)
      connection.stream.uncork()
    }
    client.query(query)
    return promise
  })

const setTenant = (tenantId: number, local: boolean) => ({
  name: local ? 'bench.set_local' : 'bench.set_session',
  text: `select set_config('app.tenant', $1::text, ${local})`,
  values: [String(tenantId)],
})

// Answers with no row, so that the driver need not be told of another result.
const SET_SILENTLY = `select where set_config('app.tenant', $1::text, true) is null`
const parsedOn = new WeakSet<pg.Connection>()

function sendTenant(connection: pg.Connection, tenantId: number): void {
  const statement = 'bench.set_silently'
  if (!parsedOn.has(connection)) connection.parse({ name: statement, text: SET_SILENTLY, types: [] }, true)
  parsedOn.add(connection)
  connection.bind({ statement, values: [String(tenantId)] }, true)
  connection.execute({}, true)
}

async function withClient(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<number>): Promise<number> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

function lastOf(results: readonly pg.QueryResult[]): pg.QueryResult {
  const last = results.at(-1)
  if (last === undefined) throw new Error('The database gave no result.')
  return last
}
