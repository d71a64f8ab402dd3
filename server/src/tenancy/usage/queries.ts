import { statement } from '../../kernel/db/index.ts'
import {
  BATCH,
  dueRows,
  type FoundRows,
  lockFound,
  ofFound,
  oldRows,
  SWEEP,
  type SweepFound,
  type SweepLook,
  type TakenRows,
  takenFrom,
} from '../jobs/index.ts'

// We update counters in the order of their keys, so that two instances that write many at once do not deadlock. Whoever
// writes for a tenant holds a shared lock on its row, so that a deleted tenant gets nothing.

type Counter = { tenantId: number; period: string; amount: string; cap: number }

/** Begins a reservation, which keeps its tenant from being deleted until the ceilings have been asked in the same transaction. */
export const insertHold = statement<
  unknown,
  { tenantId: number; holdId: string; amount: string; periods: string[]; deploymentPeriods: string[]; seconds: number }
>(
  'usage.insert_hold',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into spend_holds (tenant_id, hold_id, amount_usd, periods, deployment_periods, expires_at)
   select tenant_id, $holdId::uuid, $amount::numeric, $periods::text[], $deploymentPeriods::text[],
          now() + make_interval(secs => $seconds::float8)
     from living`,
)

/** Reserves under a ceiling while anything is left, so that at most one reservation goes beyond the ceiling. */
export const hold = statement<{ period: string }, Counter>(
  'usage.hold',
  `insert into spend as s (tenant_id, period, held_usd) values ($tenantId::int, $period::text, $amount::numeric)
   on conflict (tenant_id, period) do update set held_usd = s.held_usd + excluded.held_usd
    where s.spent_usd + s.held_usd < $cap::numeric
   returning s.period`,
)

/** Does the same for the whole deployment. */
export const holdForAll = statement<{ period: string }, { period: string; amount: string; cap: number }>(
  'usage.hold_for_all',
  `insert into deployment_spend as s (period, held_usd) values ($period::text, $amount::numeric)
   on conflict (period) do update set held_usd = s.held_usd + excluded.held_usd
    where s.spent_usd + s.held_usd < $cap::numeric
   returning s.period`,
)

const moved = (from: string) => `
   insert into spend as s (tenant_id, period, spent_usd, held_usd)
   select tenant_id, period, sum(spent), sum(held) from ${from} group by tenant_id, period order by tenant_id, period
   on conflict (tenant_id, period) do update
      set spent_usd = s.spent_usd + excluded.spent_usd, held_usd = s.held_usd + excluded.held_usd`
const movedForAll = (from: string) => `
   insert into deployment_spend as s (period, spent_usd, held_usd)
   select period, sum(spent), sum(held) from ${from} group by period order by period
   on conflict (period) do update
      set spent_usd = s.spent_usd + excluded.spent_usd, held_usd = s.held_usd + excluded.held_usd`

/** A tenant whose row another transaction has locked, because it deletes the tenant. Nothing was written for it. */
type LockedTenant = { tenantId: number }

/** Skips a tenant whose row is locked. Its deletion may take minutes, and the other tenants of the batch do not wait for it. */
const HELD = `known as (
     select tenant_id from tenants where tenant_id = any ($tenantIds::int[])
   ), held as (
     select tenant_id, deleted_at is not null as gone from tenants
      where tenant_id = any ($tenantIds::int[]) order by tenant_id for key share skip locked
   ), living as (
     select tenant_id from held where not gone
   )`
const LOCKED = `select k.tenant_id as "tenantId"
     from known k left join held h on h.tenant_id = k.tenant_id
    where h.tenant_id is null`

/**
 * Writes many rows of the ledger at once. A row that exists already changes nothing, so a batch may be sent again. Each
 * row settles its reservation; if that had lapsed, it was counted as fully spent, and is corrected.
 */
export const insertUsage = statement<LockedTenant, { tenantIds: readonly number[]; rows: string }>(
  'usage.insert',
  `with ${HELD}, made as (
     insert into usage_rows (tenant_id, usage_id, at, request_id, purpose, model, input_tokens, output_tokens, cost_usd, hold_id)
     select u."tenantId", u."usageId", u.at, u."requestId", u.purpose, u.model, u."inputTokens", u."outputTokens", u."costUsd", u."holdId"
       from json_to_recordset($rows::json) as u (
              "tenantId" int, "usageId" uuid, at timestamptz, "requestId" text, purpose text, model text, "inputTokens" int,
              "outputTokens" int, "costUsd" numeric, "holdId" uuid)
       join living l on l.tenant_id = u."tenantId"
     on conflict (tenant_id, usage_id) do nothing
     returning tenant_id, at, cost_usd, hold_id
   ), freed as (
     delete from spend_holds h using made m
      where h.tenant_id = any ($tenantIds::int[]) and h.tenant_id = m.tenant_id and h.hold_id = m.hold_id
     returning h.*
   ), moves as (
     select tenant_id, period, cost_usd as spent, 0::numeric as held
       from made cross join lateral (values (to_char(at at time zone 'UTC', 'YYYY-MM-DD')),
                                            (to_char(at at time zone 'UTC', 'YYYY-MM'))) as p (period)
     union all
     select tenant_id, unnest(periods), case when lapsed then -amount_usd else 0 end, case when lapsed then 0 else -amount_usd end
       from freed
   ), moves_for_all as (
     select period, spent, held from moves where held = 0 and spent >= 0
     union all
     select unnest(deployment_periods), case when lapsed then -amount_usd else 0 end, case when lapsed then 0 else -amount_usd end
       from freed
   ), for_all as (${movedForAll('moves_for_all')}), for_each as (${moved('moves')})
   ${LOCKED}`,
  { batches: BATCH },
)

const UNREPORTED = 'not lapsed and expires_at < now()'

export const listUnreported = statement<SweepFound, SweepLook>(
  'usage.list_unreported',
  dueRows({ table: 'spend_holds', id: 'hold_id', due: UNREPORTED, order: 'expires_at' }),
  { looks: SWEEP },
)

/** A reservation whose round never reported counts as spent, because a process that died may have used all of it. */
export const lapseHolds = statement<TakenRows, FoundRows>(
  'usage.lapse_holds',
  `with living as (
     select t.tenant_id from tenants t where ${ofFound('t')} and t.deleted_at is null order by t.tenant_id for key share skip locked
   ), due as (
     ${lockFound({ table: 'spend_holds', columns: ['hold_id'], type: 'uuid', due: UNREPORTED })}
   ), gone as (
     update spend_holds h set lapsed = true
       from due d join living l on l.tenant_id = d.tenant_id
      where ${ofFound('h')} and h.tenant_id = d.tenant_id and h.hold_id = d.hold_id
     returning h.*
   ), moves as (
     select tenant_id, unnest(periods) as period, amount_usd as spent, -amount_usd as held from gone
   ), moves_for_all as (
     select unnest(deployment_periods) as period, amount_usd as spent, -amount_usd as held from gone
   ), for_all as (${movedForAll('moves_for_all')}), for_each as (${moved('moves')})
   ${takenFrom('gone')}`,
  { batches: SWEEP },
)

const LAPSED_LONG_AGO = `lapsed and expires_at < now() - interval '7 days'`

/** Reservations that nobody can correct or ask for any longer. */
export const oldHolds = oldRows('usage.forget_holds', {
  table: 'spend_holds',
  columns: ['hold_id'],
  type: 'uuid',
  due: LAPSED_LONG_AGO,
  order: 'expires_at',
})

export const insertRecords = statement<LockedTenant, { tenantIds: readonly number[]; rows: string }>(
  'usage.insert_records',
  `with ${HELD}, made as (
   insert into turn_records (tenant_id, record_id, at, request_id, session_id, surface, source, client, plan, kind, result_path,
                             error_code, rounds, tool_calls, proposals, handed_off, answered, preview, input_tokens,
                             output_tokens, model, duration_ms, first_text_ms, domain)
   select r."tenantId", r."recordId", r.at, r."requestId", r."sessionId", r.surface, r.source, r.client, r.plan, r.kind,
          r."resultPath", r."errorCode", r.rounds, r."toolCalls", r.proposals, r."handedOff", r.answered, r.preview,
          r."inputTokens", r."outputTokens", r.model, r."durationMs", r."firstTextMs", r.domain
     from json_to_recordset($rows::json) as r (
            "tenantId" int, "recordId" uuid, at timestamptz, "requestId" text, "sessionId" text, surface text, source text,
            client text, plan text, kind text, "resultPath" text, "errorCode" text, rounds int, "toolCalls" int, proposals int,
            "handedOff" boolean, answered boolean, preview boolean, "inputTokens" int, "outputTokens" int, model text,
            "durationMs" int, "firstTextMs" int, domain text)
     join living l on l.tenant_id = r."tenantId"
   on conflict (tenant_id, record_id) do nothing)
   ${LOCKED}`,
  { batches: BATCH },
)

export const listSpenders = statement<{ tenantId: number; spentUsd: number }, { month: string; atLeast: number }>(
  'usage.list_spenders',
  `select tenant_id as "tenantId", spent_usd::float8 as "spentUsd" from spend
    where period = $month::text and spent_usd >= $atLeast::numeric
    order by spent_usd desc
    limit 1000`,
  { looks: 'tells the operator which tenants cost more than intended' },
)

export const readSpend = statement<
  { period: string; spentUsd: number },
  { tenantId: number; day: string; month: string }
>(
  'usage.read_spend',
  `select period, spent_usd::float8 as "spentUsd" from spend
    where tenant_id = $tenantId::int and period in ($day::text, $month::text)`,
)

/** Those of these UTC days on which anything was spent. */
export const listSpend = statement<{ date: string; spentUsd: number }, { tenantId: number; dates: readonly string[] }>(
  'usage.list_spend',
  `select period as date, spent_usd::float8 as "spentUsd" from spend
    where tenant_id = $tenantId::int and period = any ($dates::text[])`,
)

/** What a sandbox has cost in its life. */
export const readSandboxSpend = statement<{ usd: number }, { tenantId: number }>(
  'usage.read_sandbox_spend',
  // The months of a tenant add up to all of it.
  `select coalesce(sum(spent_usd + held_usd), 0)::float8 as usd from spend
    where tenant_id = $tenantId::int and length(period) = 7`,
)

/** What all sandboxes have cost on a day. Their rows outlive the day. */
export const sumSandboxSpend = statement<{ usd: number }, { day: string }>(
  'usage.sum_sandbox_spend',
  `select coalesce(sum(s.spent_usd + s.held_usd), 0)::float8 as usd
     from spend s join tenants t on t.tenant_id = s.tenant_id and t.sandbox
    where s.period = $day::text`,
  { looks: 'the daily ceiling holds for all sandboxes together' },
)

const aDayAgo = `excluded.began_at - q.began_at >= interval '24 hours'`

/** Takes turns of the day's allowance. Returns no row if fewer are left. */
export const takeTurns = statement<{ used: number }, { tenantId: number; most: number; turns: number }>(
  'usage.take_turns',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into turn_quotas as q (tenant_id, began_at, used, most)
   select tenant_id, now(), $turns::int, $most::int from living where $turns::int <= $most::int
   on conflict (tenant_id) do update
      set began_at = case when ${aDayAgo} then excluded.began_at else q.began_at end,
          used = case when ${aDayAgo} then excluded.used else q.used + excluded.used end,
          most = excluded.most
    where q.used + excluded.used <= excluded.most or ${aDayAgo}
   returning q.used`,
)

export const quotaEnds = statement<{ seconds: number }, { tenantId: number }>(
  'usage.quota_ends',
  `select greatest(1, ceil(extract(epoch from began_at + interval '24 hours' - now())))::int as seconds
     from turn_quotas where tenant_id = $tenantId::int`,
)

export type TurnCounts = {
  /** A UTC day. */
  date: string
  conversations: number
  turns: number
  answered: number
  handedOff: number
}

type Between = { tenantId: number; from: Date; to: Date }

const isBetween = `d.day >= ($from::timestamptz at time zone 'UTC')::date and d.day < ($to::timestamptz at time zone 'UTC')::date`

/** From one midnight to another, as they were counted. */
export const listTurnDays = statement<TurnCounts, Between>(
  'usage.list_turn_days',
  `select to_char(d.day, 'YYYY-MM-DD') as date, d.conversations, d.turns, d.answered, d.handed_off as "handedOff"
     from turn_days d where d.tenant_id = $tenantId::int and ${isBetween}`,
)

const happened = `r.tenant_id = $tenantId::int and r.at >= $from::timestamptz and r.at < $to::timestamptz`

/** The same by looking at every turn, for a part of a day. */
export const countTurns = statement<TurnCounts, Between>(
  'usage.count_turns',
  `select to_char(r.at at time zone 'UTC', 'YYYY-MM-DD') as date, count(distinct r.session_id)::int as conversations,
          count(*)::int as turns, count(*) filter (where r.answered)::int as answered,
          count(*) filter (where r.handed_off)::int as "handedOff"
     from turn_records r where ${happened}
    group by 1`,
)

/** A conversation of several days is one. */
export const countConversations = statement<{ count: number }, Between>(
  'usage.count_conversations',
  `select count(distinct r.session_id)::int as count from turn_records r where ${happened}`,
)

export type ModelTokens = { model: string; rounds: number; inputTokens: number; outputTokens: number; costUsd: number }

/** The dearest first. */
export const listModels = statement<ModelTokens, Between>(
  'usage.list_models',
  `select d.model, sum(d.rounds)::int as rounds, sum(d.input_tokens)::float8 as "inputTokens",
          sum(d.output_tokens)::float8 as "outputTokens", sum(d.cost_usd)::float8 as "costUsd"
     from model_days d where d.tenant_id = $tenantId::int and ${isBetween}
    group by d.model
    order by sum(d.cost_usd) desc, d.model`,
)

const timed = { type: 'uuid', due: 'at < now() - make_interval(secs => $days::float8 * 86400)', order: 'at' } as const

export const oldTurns = oldRows('usage.forget_turns', { ...timed, table: 'turn_records', columns: ['record_id'] })
export const oldUsage = oldRows('usage.forget_rows', { ...timed, table: 'usage_rows', columns: ['usage_id'] })

/** A conversation on a day: the day in ten characters, a space, and its id. */
export const oldDays = oldRows('usage.forget_days', {
  table: 'conversation_days',
  id: `to_char(day, 'YYYY-MM-DD') || ' ' || session_id`,
  columns: ['day', 'session_id'],
  type: 'text',
  isFound: `r.day = substr(found.id, 1, 10)::date and r.session_id = substr(found.id, 12)`,
  due: 'day < current_date - $days::int',
  order: 'day',
})
