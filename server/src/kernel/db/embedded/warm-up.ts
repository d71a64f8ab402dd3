import type { Database } from '../database.ts'
import { unlisted } from '../statement.ts'

const rounds = 30
// Lets the statements of the start itself run first.
const settleMs = 500

const tables = `
  create temp table warm_rows (tenant_id integer, row_id integer, body jsonb, at timestamptz default now(), primary key (tenant_id, row_id));
  create temp table warm_notes (tenant_id integer, note_id bigint generated always as identity, what text, primary key (tenant_id, note_id))`

// These are unlisted because they touch nobody's rows, and the tenant wall expects a tenant in each declared statement.
const insert = unlisted<unknown, { id: number; body: unknown }>(
  'db.warm_insert',
  `with made as (
    insert into pg_temp.warm_rows (tenant_id, row_id, body) values (1, $id::int, $body::jsonb)
      on conflict do nothing returning row_id
  ), noted as (
    insert into pg_temp.warm_notes (tenant_id, what) select 1, 'made' from made returning note_id
  ) select row_id from made`,
)
const update = unlisted<unknown, { id: number }>(
  'db.warm_update',
  `with changed as (
    update pg_temp.warm_rows set body = body || '{"c": 1}' where tenant_id = 1 and row_id = $id::int returning row_id
  ), noted as (
    insert into pg_temp.warm_notes (tenant_id, what) select 1, 'changed' from changed returning note_id
  ) select row_id from changed`,
)
const select = unlisted<unknown, { most: number }>(
  'db.warm_select',
  `select r.row_id, r.body ->> 'a' as a, r.at, count(n.note_id) as notes
  from pg_temp.warm_rows r left join pg_temp.warm_notes n on n.tenant_id = r.tenant_id
  where r.tenant_id = 1 group by 1, 2, 3 order by r.at desc limit $most::int`,
)

/**
 * V8 fully compiles WebAssembly only where it has run often, and the first transactions would pay for that. These
 * rounds do what our statements do (insert, conflict, jsonb, several writes in one statement), on temporary tables,
 * while nobody else needs the connection.
 */
export function startWarmUp(database: Database, isIdle: () => boolean): { stop(): Promise<void> } {
  let stopped = false
  let done: Promise<void> | undefined
  const run = async (): Promise<void> => {
    await database.script(tables)
    for (let round = 1; round <= rounds && !stopped && isIdle(); round++) {
      await database.rows(insert, { id: round, body: { a: [1, 'two', { b: null }] } })
      await database.rows(update, { id: round })
      await database.rows(select, { most: 20 })
    }
    await database.script('drop table pg_temp.warm_rows, pg_temp.warm_notes')
  }
  const timer = setTimeout(() => {
    // Whatever fails here fails for callers as well, and they report it.
    done = run().catch(() => undefined)
  }, settleMs).unref()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await done
    },
  }
}
