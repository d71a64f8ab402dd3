import { type ClaimedWrite, type Claims, nothingApplied } from './claims.ts'
import type { Reply } from './reply.ts'

/** A database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`. */
export type SqliteDatabase = {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}
type SqliteStatement = {
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
  run(...values: SqliteValue[]): unknown
}
type SqliteValue = string | number | null

type Row = { status: number | null; body: string | null }
type ListedRow = { key: string; tool: string | null; status: number | null; claimed_at: number }

const SCHEMA = `create table if not exists tether_claims (
  request_id text primary key,
  holder text not null,
  leased_until integer not null,
  holders integer not null default 1,
  status integer,
  body text,
  claimed_at integer not null default (unixepoch()),
  tenant_id integer,
  tool text
)`
// A table of an older version lacks these.
const LACKING = `select name from (select 'tenant_id integer' as name union all select 'tool text')
  where substr(name, 1, instr(name, ' ') - 1) not in (select name from pragma_table_info('tether_claims'))`
const CLAIM = `insert into tether_claims (request_id, holder, leased_until, tenant_id, tool) values (?, ?, ?, ?, ?)
  on conflict (request_id) do update
    set holder = excluded.holder, leased_until = excluded.leased_until, holders = holders + 1
    where status is null and leased_until <= ? and ?
  returning holders`
const LOOK = 'select status, body from tether_claims where request_id = ?'
const ANSWER = `update tether_claims set status = ?, body = ?
  where request_id = ? and status is null and holder = coalesce(?, holder) returning 1 as answered`
const RELEASE = 'delete from tether_claims where request_id = ? and holder = ? and status is null'
const ABANDON = 'update tether_claims set leased_until = 0 where request_id = ? and holder = ? and status is null'
const REMEMBER = `insert into tether_claims (request_id, holder, leased_until, status, body, tenant_id, tool)
  values (?, 'transaction', 0, ?, ?, ?, ?)`
const LIST = `select request_id as key, tool, status, claimed_at from tether_claims
  where request_id > ? and claimed_at >= ?
    and (tenant_id = ? and tool is not null or tool is null and request_id like 'act\\_%' escape '\\')
  order by request_id limit ?`

/**
 * In SQLite, by your own database; its table is created. Where several processes share the file, give the database a busy timeout.
 * Tools of the form `{ transaction }` get the database and must not wait for anything, because they share its one connection.
 */
export function sqliteClaims<Database extends SqliteDatabase>(database: Database): Claims<Database> {
  setUp(database)
  const [claim, look, answer] = [database.prepare(CLAIM), database.prepare(LOOK), database.prepare(ANSWER)]
  const [release, abandon, remember, list] = [
    database.prepare(RELEASE),
    database.prepare(ABANDON),
    database.prepare(REMEMBER),
    database.prepare(LIST),
  ]
  const known = (key: string): Row | undefined => (look.get(key) as Row | null | undefined) ?? undefined
  const perform = (
    key: string,
    work: (database: Database) => Reply | Promise<Reply>,
    write: ClaimedWrite | undefined,
  ): Reply | 'in_flight' => {
    const row = known(key)
    if (row !== undefined) return replyOf(row) ?? 'in_flight'
    database.exec('savepoint tether_work')
    const reply = work(database)
    if (reply instanceof Promise)
      throw new TypeError('A transaction in SQLite must not wait: its function returned a promise.')
    if (reply.status >= 300) database.exec('rollback to tether_work')
    remember.run(key, reply.status, reply.body, ...wordsOf(write))
    return reply
  }
  return {
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const now = Date.now()
      const claimed = claim.get(key, holder, now + leaseMs, ...wordsOf(write), now, takeOver ? 1 : 0) as
        | { holders: number }
        | null
        | undefined
      if (claimed) return claimed.holders === 1 ? 'claimed' : 'taken_over'
      const reply = replyOf(known(key))
      return reply === undefined ? 'in_flight' : { answered: reply }
    },
    async answer(key, holder, { status, body }) {
      return Boolean(answer.get(status, body, key, holder))
    },
    async release(key, holder) {
      release.run(key, holder)
    },
    async abandon(key, holder) {
      abandon.run(key, holder)
    },
    synchronous: true,
    async transaction(key, work, write) {
      let committing = false
      try {
        database.exec('begin immediate')
        const reply = perform(key, work, write)
        committing = true
        database.exec('commit')
        return reply
      } catch (error) {
        rollBack(database)
        throw committing ? error : nothingApplied(error)
      }
    },
    async list({ tenantId, since, after, limit }) {
      const rows = list.all(after, Math.floor(since.getTime() / 1000), tenantId, limit) as ListedRow[]
      return rows.map(({ claimed_at, ...claim }) => ({ ...claim, claimedAt: new Date(claimed_at * 1000) }))
    },
  }
}

function setUp(database: SqliteDatabase): void {
  database.exec(SCHEMA)
  for (const { name } of database.prepare(LACKING).all() as { name: string }[])
    database.exec(`alter table tether_claims add column ${name}`)
}

const wordsOf = (write: ClaimedWrite | undefined): [number | null, string | null] => [
  write?.tenantId ?? null,
  write?.tool ?? null,
]

const replyOf = (row: Row | undefined): Reply | undefined =>
  row === undefined || row.status === null ? undefined : { status: row.status, body: row.body ?? '' }

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('rollback')
  } catch {
    // It never began, or the database has rolled it back itself.
  }
}
