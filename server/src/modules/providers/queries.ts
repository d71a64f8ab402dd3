import type { Plan } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

export type BusinessRow = {
  tenantId: number
  name: string
  plan: Plan
  createdAt: Date
  liveKeys: number
  dailyUsd: number
  monthlyUsd: number
}

/** The token of a staged write is no key that anybody issued. */
const isLive = `k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
              and k.kind in ('secret', 'agent', 'publishable', 'inbox', 'sandbox', 'ci', 'ci_replace')`

/** A page of the businesses first, so that each table is asked once about all of them, wherever their rows are. */
const page = (columns: string) => `page as materialized (
     select ${columns} from tenants
      where provider_tenant_id = $providerId::int and tenant_id > $after::int and deleted_at is null
      order by tenant_id
      limit $limit::int
   )`

export const listBusinesses = statement<
  BusinessRow,
  { providerId: number; after: number; limit: number; day: string; month: string }
>(
  'providers.list_businesses',
  `with ${page('tenant_id, name, plan, created_at')}, live as (
     select k.tenant_id, count(*)::int as keys from keys k
      where k.tenant_id in (select tenant_id from page) and ${isLive}
      group by k.tenant_id
   ), spent as (
     select s.tenant_id, sum(s.spent_usd) filter (where s.period = $day::text) as today,
            sum(s.spent_usd) filter (where s.period = $month::text) as this_month
       from spend s
      where s.tenant_id in (select tenant_id from page) and s.period in ($day::text, $month::text)
      group by s.tenant_id
   )
   select b.tenant_id as "tenantId", b.name, b.plan, b.created_at as "createdAt", coalesce(l.keys, 0) as "liveKeys",
          coalesce(s.today, 0)::float8 as "dailyUsd", coalesce(s.this_month, 0)::float8 as "monthlyUsd"
     from page b
     left join live l on l.tenant_id = b.tenant_id
     left join spent s on s.tenant_id = b.tenant_id
    order by b.tenant_id`,
  { looks: 'a provider reads its own businesses' },
)

const spentIn = (period: string) =>
  `coalesce((select s.spent_usd from spend s where s.tenant_id = $tenantId::int and s.period = ${period}), 0)::float8`

export const findBusiness = statement<
  BusinessRow,
  { tenantId: number; providerId: number; day: string; month: string }
>(
  'providers.find_business',
  `select b.tenant_id as "tenantId", b.name, b.plan, b.created_at as "createdAt",
          (select count(*) from keys k where k.tenant_id = $tenantId::int and ${isLive})::int as "liveKeys",
          ${spentIn('$day::text')} as "dailyUsd", ${spentIn('$month::text')} as "monthlyUsd"
     from tenants b
    where b.tenant_id = $tenantId::int and b.provider_tenant_id = $providerId::int and b.deleted_at is null`,
)

/** All of them, or those among `$tenantIds`. */
export const listIds = statement<{ tenantId: number }, { providerId: number; tenantIds: readonly number[] | null }>(
  'providers.list_ids',
  `select tenant_id as "tenantId" from tenants
    where provider_tenant_id = $providerId::int and deleted_at is null
      and ($tenantIds::int[] is null or tenant_id = any ($tenantIds::int[]))
    order by tenant_id`,
  { looks: 'a provider reads its own businesses' },
)

export type UsageTotals = {
  turns: number
  inputTokens: number
  outputTokens: number
  costUsd: number
  executed: number
}
export type UsageRow = UsageTotals & { tenantId: number; name: string }

const sums = `coalesce(sum(d.turns), 0)::float8 as turns, coalesce(sum(d.input_tokens), 0)::float8 as "inputTokens",
            coalesce(sum(d.output_tokens), 0)::float8 as "outputTokens", coalesce(sum(d.cost_usd), 0)::float8 as "costUsd",
            coalesce(sum(d.executed), 0)::float8 as executed`

export const listUsage = statement<
  UsageRow,
  { providerId: number; from: string; to: string; after: number; limit: number }
>(
  'providers.list_usage',
  `with ${page('tenant_id, name')}, used as (
     select d.tenant_id, ${sums} from business_days d
      where d.tenant_id in (select tenant_id from page) and d.day >= $from::date and d.day < $to::date
      group by d.tenant_id
   )
   select b.tenant_id as "tenantId", b.name, coalesce(u.turns, 0) as turns, coalesce(u."inputTokens", 0) as "inputTokens",
          coalesce(u."outputTokens", 0) as "outputTokens", coalesce(u."costUsd", 0) as "costUsd",
          coalesce(u.executed, 0) as executed
     from page b left join used u on u.tenant_id = b.tenant_id
    order by b.tenant_id`,
  { looks: 'a provider reads its own businesses' },
)

/** What was added up, and what came since: both as of one moment. */
export const usageTotals = statement<UsageTotals, { tenantId: number; from: string; to: string }>(
  'providers.usage_totals',
  `select ${sums}
     from (select day, turns, input_tokens, output_tokens, cost_usd, executed from provider_days
            where tenant_id = $tenantId::int and day >= $from::date and day < $to::date
           union all
           select day, turns, input_tokens, output_tokens, cost_usd, executed from provider_day_changes
            where tenant_id = $tenantId::int and day >= $from::date and day < $to::date) as d`,
)

export const listToAddUp = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number }
>(
  'providers.list_to_add_up',
  `select distinct tenant_id as "tenantId", 'days' as id from provider_day_changes
    where tenant_id <> all ($passedOver::int[])
    limit $limit::int`,
  { looks: SWEEP },
)

export const addUp = statement<{ taken: number }, { tenantId: number; ids: readonly string[]; most: number }>(
  'providers.add_up',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share skip locked
   ), due as (
     select c.change_id from provider_day_changes c
      where c.tenant_id = $tenantId::int and $ids::text[] <> '{}' and (select count(*) from living) > 0
      order by c.change_id limit $most::int
        for update skip locked
   ), gone as (
     delete from provider_day_changes c using due d
      where c.tenant_id = $tenantId::int and c.change_id = d.change_id
     returning c.*
   ), added as (
     insert into provider_days as d (tenant_id, day, turns, input_tokens, output_tokens, cost_usd, executed)
     select tenant_id, day, sum(turns), sum(input_tokens), sum(output_tokens), sum(cost_usd), sum(executed)
       from gone group by tenant_id, day order by day
     on conflict (tenant_id, day) do update
        set turns = d.turns + excluded.turns, input_tokens = d.input_tokens + excluded.input_tokens,
            output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd,
            executed = d.executed + excluded.executed
   )
   select count(*)::int as taken from gone`,
)
