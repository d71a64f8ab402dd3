import { type ClaimedWrite, type Claims, nothingApplied } from './claims.ts'
import type { Reply } from './reply.ts'

/** A client of `pg`, or anything that asks in the same way. */
export type PostgresClient = {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  release(error?: boolean): void
}
export type PostgresPool<Client extends PostgresClient> = { connect(): Promise<Client> }

export type PostgresClaims<Client> = Claims<Client> & {
  /** The table, for your migrations. */
  readonly schema: string
  /** Creates the table where it is missing, and adds what a table of an older version lacks. */
  setUp(): Promise<void>
}

type Row = { status: number | null; body: string | null }
type ListedRow = { key: string; tool: string | null; status: number | null; claimedAt: Date }

const schema = `create table if not exists tether_claims (
  request_id text primary key,
  holder text not null,
  leased_until timestamptz not null,
  holders integer not null default 1,
  status integer,
  body text,
  claimed_at timestamptz not null default now(),
  tenant_id integer,
  tool text
);
-- A table of an older version lacks these. Only then is it altered, because that waits for whoever works on it.
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'tether_claims'::regclass and attname = 'tool') then
    alter table tether_claims add column tenant_id integer, add column tool text;
  end if;
end $$`
const SET_UP = 'select pg_advisory_xact_lock(7310579)'

const CLAIM = `insert into tether_claims as c (request_id, holder, leased_until, tenant_id, tool)
  values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond', $5, $6)
  on conflict (request_id) do update
    set holder = excluded.holder, leased_until = excluded.leased_until, holders = c.holders + 1
    where c.status is null and c.leased_until <= clock_timestamp() and $4
  returning c.holders`
const LOOK = 'select status, body from tether_claims where request_id = $1'
const ANSWER = `update tether_claims set status = $3, body = $4
  where request_id = $1 and status is null and ($2::text is null or holder = $2) returning 1 as answered`
const RELEASE = 'delete from tether_claims where request_id = $1 and holder = $2 and status is null'
const ABANDON = `update tether_claims set leased_until = '-infinity' where request_id = $1 and holder = $2 and status is null`

// Whoever has the lock of a key works on it; it goes with the transaction, also when its process is killed.
const LOCK = 'select pg_try_advisory_xact_lock(hashtextextended($1, 7310579)) as locked'
const REMEMBER = `insert into tether_claims (request_id, holder, leased_until, status, body, tenant_id, tool)
  values ($1, 'transaction', clock_timestamp(), $2, $3, $4, $5)`
// A claim of an older version says of no write whose it is. The service knows its own keys by how they begin.
const LIST = `select request_id as key, tool, status, claimed_at as "claimedAt" from tether_claims
  where request_id > $3 and claimed_at >= $2
    and (tenant_id = $1 and tool is not null or tool is null and request_id like 'act\\_%')
  order by request_id limit $4`

/** In PostgreSQL, by your own pool (`pg`). Tools of the form `{ transaction }` get its client, in the transaction of their claim. */
export function postgresClaims<Client extends PostgresClient>(pool: PostgresPool<Client>): PostgresClaims<Client> {
  const ask = async (text: string, values: unknown[]): Promise<unknown[]> =>
    await withClient(pool, async (client) => (await client.query(text, values)).rows)
  return {
    schema,
    async setUp() {
      await inTransaction(pool, async (client) => {
        await client.query(SET_UP)
        await client.query(schema)
      }).catch((error: Error) => {
        throw error.cause ?? error
      })
    },
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const [claimed] = (await ask(CLAIM, [key, holder, leaseMs, takeOver, ...wordsOf(write)])) as { holders: number }[]
      if (claimed !== undefined) return claimed.holders === 1 ? 'claimed' : 'taken_over'
      const reply = replyOf((await ask(LOOK, [key])) as Row[])
      return reply === undefined ? 'in_flight' : { answered: reply }
    },
    async answer(key, holder, { status, body }) {
      return (await ask(ANSWER, [key, holder, status, body])).length > 0
    },
    async release(key, holder) {
      await ask(RELEASE, [key, holder])
    },
    async abandon(key, holder) {
      await ask(ABANDON, [key, holder])
    },
    async transaction(key, work, write) {
      return await inTransaction(pool, async (client) => {
        const [lock] = (await client.query(LOCK, [key])).rows as { locked: boolean }[]
        if (lock?.locked !== true) return 'in_flight'
        const known = (await client.query(LOOK, [key])).rows as Row[]
        if (known.length > 0) return replyOf(known) ?? 'in_flight'
        await client.query('savepoint tether_work')
        const reply = await work(client)
        if (reply.status >= 300) await client.query('rollback to savepoint tether_work')
        await client.query(REMEMBER, [key, reply.status, reply.body, ...wordsOf(write)])
        return reply
      })
    },
    async list({ tenantId, since, after, limit }) {
      return (await ask(LIST, [tenantId, since, after, limit])) as ListedRow[]
    },
  }
}

const wordsOf = (write: ClaimedWrite | undefined): [number | null, string | null] => [
  write?.tenantId ?? null,
  write?.tool ?? null,
]

const replyOf = ([row]: readonly Row[]): Reply | undefined =>
  row === undefined || row.status === null ? undefined : { status: row.status, body: row.body ?? '' }

async function withClient<Client extends PostgresClient, Result>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let failed = true
  try {
    const result = await work(client)
    failed = false
    return result
  } finally {
    // A connection that failed may be in the middle of something: it is not used again, and its end rolls back.
    client.release(failed)
  }
}

/** Whatever fails before the commit has kept nothing. */
async function inTransaction<Client extends PostgresClient, Result>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  let committing = false
  try {
    return await withClient(pool, async (client) => {
      await client.query('begin')
      const result = await work(client)
      committing = true
      await client.query('commit')
      return result
    })
  } catch (error) {
    throw committing ? error : nothingApplied(error)
  }
}
