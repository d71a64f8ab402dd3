// The rows of years, placed past the triggers that would take hours: mostly of others, a part of them of the workspaces that are asked.
import type { Database } from '../../server/src/kernel/db/index.ts'

export type Rows = { readonly rows: number; readonly tenants: readonly number[] }

/** So many rows of each table for a row of the trail. */
const SHARE = {
  audit_events: 1,
  tool_calls: 0.02,
  turn_records: 0.02,
  usage_rows: 0.02,
  deliveries: 0.02,
  actions: 0.02,
}
/** Of each workspace that is asked, on either side. */
const WAITING = 25
const OTHERS = 1_000

const FILLED = Object.keys(SHARE)

const dropped = (table: string) => `
  create temporary table index_of on commit drop as
    select indexdef from pg_indexes i where schemaname = 'public' and tablename = '${table}'
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname);
  do $$ declare i text; begin
    for i in select indexname from pg_indexes i where schemaname = 'public' and tablename = '${table}'
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname) loop execute 'drop index ' || i; end loop;
  end $$;`
const built = `
  do $$ declare i text; begin for i in select indexdef from index_of loop execute i; end loop; end $$;`

/** A hundred at least for each that is asked, so that a page is as full on either side. */
export const LEAST = 100

/** Every tenth row is of a workspace that is asked, the others are of a thousand others; each has its rows side by side. */
const spread = (count: number, tenants: readonly number[]) => `
  select t.tenant_id, n as number, row_number() over () as row, now() - interval '3 years' * (1 - n::float8 / t.count) - interval '1 hour' as at
    from (select tenant_id, greatest(${LEAST}, ${count} / 10 / ${tenants.length}) as count from unnest('{${tenants.join(',')}}'::int[]) as u (tenant_id)
          union all
          select 1000000 + o, ${count} * 9 / 10 / ${OTHERS} from generate_series(1, ${OTHERS}) as o) as t,
         lateral generate_series(1, t.count) as n`

/** With the digits of version 4, which a request is held to. */
const id = (text: string) =>
  `overlay(overlay(md5('${text}' || tenant_id || ' ' || number) placing '4' from 13) placing '8' from 17)::uuid`

const SELECTS: Readonly<Record<keyof typeof SHARE, string>> = {
  audit_events: `(tenant_id, id, occurred_at, action_id, tool, event, source, payload_hash, hash)
    select tenant_id, number, at, ${id('action ')}, 'refund_order', case number % 2 when 0 then 'executed' else 'proposed' end,
           'POST /v1/actions', md5(number::text), md5('hash ' || number)`,
  tool_calls: `(tenant_id, at, request_id, tool, domain, surface, status, attempts, duration_ms)
    select tenant_id, at, 'req_' || row, 'get_order', 'orders', 'api', 'Success', 1, 12`,
  turn_records: `(tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path, rounds, tool_calls,
                  proposals, handed_off, answered, preview, input_tokens, output_tokens, model, duration_ms)
    select tenant_id, ${id('turn ')}, at, 'req_' || row, 'ses_' || number, 'widget', 'key', 'none', 'free', 'turn', 'ok', 1, 1, 0, false,
           true, false, 900, 90, 'm', 800`,
  usage_rows: `(tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd)
    select tenant_id, ${id('round ')}, at, 'req_' || row, 'turn', 'm', 900, 90, 0.001`,
  deliveries: `(tenant_id, event_id, event, delivered, duration_ms, attempted_at, attempt)
    select tenant_id, 'evt_' || row, 'action.executed', true, 12, at, 1`,
  actions: `(tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key, created_at,
             expires_at, settled_at)
    select tenant_id, ${id('action ')}, 'refund_order', 'orders', 'Refund order', 'Refund order A-' || number,
           '{"number":"A-' || number || '","reason":"It came broken"}', md5(number::text), 'low', 'executed', 'key ' || number, at,
           at + interval '1 day', at`,
}

/** Seconds that it took. */
export async function fillYears(db: Database, { rows, tenants }: Rows): Promise<number> {
  const started = performance.now()
  for (const [table, share] of Object.entries(SHARE))
    await db.transaction(
      async (tx) => {
        await tx.script(`set local session_replication_role = replica; set local maintenance_work_mem = '512MB';
          set local synchronous_commit = off; ${dropped(table)}
          insert into ${table} ${SELECTS[table as keyof typeof SHARE]} from (${spread(rows * share, tenants)}) as s; ${built}`)
        if (table === 'audit_events') await tx.script(HEADS)
      },
      { unlimited: true },
    )
  await db.script(waiting(tenants))
  for (const table of [...FILLED, 'audit_heads']) await db.script(`vacuum (analyze) ${table}`)
  // What is still to be written would be written while we measure.
  await db.script('checkpoint')
  return Math.round((performance.now() - started) / 1000)
}

const HEADS = `
  insert into audit_heads (tenant_id, last_id, last_at, last_hash)
  select tenant_id, max(id), max(occurred_at), 'h' from audit_events group by tenant_id
  on conflict (tenant_id) do update set last_id = excluded.last_id, last_at = excluded.last_at`

const waiting = (tenants: readonly number[]) => `
  insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key, created_at,
                       expires_at)
  select tenant_id, gen_random_uuid(), 'refund_order', 'orders', 'Refund order', 'Refund order A-' || n,
         '{"number":"A-' || n || '","reason":"It came broken"}', md5(n::text), 'low', 'pending', 'waiting ' || n, now(), now() + interval '1 day'
    from unnest('{${tenants.join(',')}}'::int[]) as u (tenant_id), generate_series(1, ${WAITING}) as n`

/** Workspaces as large on either side, to be deleted: two hundred events, twenty writes. */
export const placeToDelete = (db: Database, tenants: readonly number[]): Promise<void> =>
  db.transaction((tx) =>
    tx.script(`set local session_replication_role = replica;
      insert into audit_events ${SELECTS.audit_events} from (${small(tenants, 200)}) as s;
      insert into audit_heads (tenant_id, last_id, last_at, last_hash) select u, 200, now(), 'h' from unnest('{${tenants.join(',')}}'::int[]) as u
        on conflict (tenant_id) do nothing;
      insert into actions ${SELECTS.actions} from (${small(tenants, 20)}) as s;
      insert into tool_calls ${SELECTS.tool_calls} from (${small(tenants, 20)}) as s`),
  )

/** What regular work forgets by its age. */
export const FORGOTTEN = { deliveries: 'attempted_at', tool_calls: 'at', turn_records: 'at', usage_rows: 'at' } as const

/** So many rows of each of a thousand workspaces, side by side in time, and the last of them so many days ago. */
export const placeOld = (
  db: Database,
  tables: readonly (keyof typeof FORGOTTEN)[],
  { each, daysApart, daysAgo }: { each: number; daysApart: number; daysAgo: number },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await tx.script('set local session_replication_role = replica; set local synchronous_commit = off')
      for (const table of tables)
        await tx.script(`insert into ${table} ${SELECTS[table]} from (
          select 1000000 + o as tenant_id, n as number, row_number() over () as row,
                 now() - interval '1 day' * (${daysAgo} + (${each} - n) * ${daysApart}) as at
            from generate_series(1, ${each}) as n, generate_series(1, ${OTHERS}) as o) as s`)
    },
    { unlimited: true },
  )

const small = (tenants: readonly number[], count: number) =>
  `select tenant_id, n as number, n as row, now() - interval '1 hour' as at
     from unnest('{${tenants.join(',')}}'::int[]) as u (tenant_id), generate_series(1, ${count}) as n`
