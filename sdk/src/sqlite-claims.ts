import { type Claims, nothingApplied } from './claims.ts'
import type { Reply } from './reply.ts'

/** A database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`. */
export type SqliteDatabase = {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}
type SqliteStatement = { get(...values: SqliteValue[]): unknown; run(...values: SqliteValue[]): unknown }
type SqliteValue = string | number | null

type Row = { status: number | null; body: string | null }

const SCHEMA = `create table if not exists tether_claims (
  request_id text primary key,
  holder text not null,
  leased_until integer not null,
  holders integer not null default 1,
  status integer,
  body text,
  claimed_at integer not null default (unixepoch())
)`
const CLAIM = `insert into tether_claims (request_id, holder, leased_until) values (?, ?, ?)
  on conflict (request_id) do update
    set holder = excluded.holder, leased_until = excluded.leased_until, holders = holders + 1
    where status is null and leased_until <= ? and ?
  returning holders`
const LOOK = 'select status, body from tether_claims where request_id = ?'
const ANSWER = `update tether_claims set status = ?, body = ?
  where request_id = ? and status is null and holder = coalesce(?, holder) returning 1 as answered`
const RELEASE = 'delete from tether_claims where request_id = ? and holder = ? and status is null'
const ABANDON = 'update tether_claims set leased_until = 0 where request_id = ? and holder = ? and status is null'
const REMEMBER = `insert into tether_claims (request_id, holder, leased_until, status, body) values (?, 'transaction', 0, ?, ?)`

/**
 * In SQLite, by your own database; its table is created. Where several processes share the file, give the database a busy timeout.
 * Tools of the form `{ transaction }` get the database and must not wait for anything, because they share its one connection.
 */
export function sqliteClaims<Database extends SqliteDatabase>(database: Database): Claims<Database> {
  database.exec(SCHEMA)
  const [claim, look, answer] = [database.prepare(CLAIM), database.prepare(LOOK), database.prepare(ANSWER)]
  const [release, abandon, remember] = [
    database.prepare(RELEASE),
    database.prepare(ABANDON),
    database.prepare(REMEMBER),
  ]
  const known = (key: string): Row | undefined => (look.get(key) as Row | null | undefined) ?? undefined
  const perform = (key: string, work: (database: Database) => Reply | Promise<Reply>): Reply | 'in_flight' => {
    const row = known(key)
    if (row !== undefined) return replyOf(row) ?? 'in_flight'
    database.exec('savepoint tether_work')
    const reply = work(database)
    if (reply instanceof Promise)
      throw new TypeError('A transaction in SQLite must not wait: its function returned a promise.')
    if (reply.status >= 300) database.exec('rollback to tether_work')
    remember.run(key, reply.status, reply.body)
    return reply
  }
  return {
    async claim(key, { holder, leaseMs, takeOver }) {
      const now = Date.now()
      const claimed = claim.get(key, holder, now + leaseMs, now, takeOver ? 1 : 0) as
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
    async transaction(key, work) {
      let committing = false
      try {
        database.exec('begin immediate')
        const reply = perform(key, work)
        committing = true
        database.exec('commit')
        return reply
      } catch (error) {
        rollBack(database)
        throw committing ? error : nothingApplied(error)
      }
    },
  }
}

const replyOf = (row: Row | undefined): Reply | undefined =>
  row === undefined || row.status === null ? undefined : { status: row.status, body: row.body ?? '' }

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('rollback')
  } catch {
    // It never began, or the database has rolled it back itself.
  }
}
