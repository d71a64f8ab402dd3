import type { ConfigurationPart, PushResult } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { dueRows, SWEEP } from '../../tenancy/jobs/index.ts'

export const PUSH_BELL = 'configuration_pushes'

/** A push and its items are one transaction: the items come after, because they carry its number. */
export const insertPush = statement<
  { number: number },
  { tenantId: number; pushId: string; content: string; total: number }
>(
  'providers.insert_push',
  `insert into configuration_pushes (tenant_id, push_id, content, total, finished_at)
   values ($tenantId::int, $pushId::text, $content::text, $total::int, case when $total::int = 0 then now() end)
   returning number::float8 as number`,
  { wakes: [PUSH_BELL] },
)

export const insertItems = statement<
  unknown,
  { tenantId: number; pushId: string; number: number; tenantIds: readonly number[]; parts: readonly string[] }
>(
  'providers.insert_push_items',
  `insert into configuration_push_items (tenant_id, push_id, number, business_id, part)
   select $tenantId::int, $pushId::text, $number::bigint, b.id, p.part
     from unnest($tenantIds::int[]) as b (id) cross join unnest($parts::text[]) as p (part)`,
)

/** What is to be sent, by business: its number comes first, so that a later push waits for an earlier one. */
export const listDue = statement<{ tenantId: number; id: string }, { passedOver: readonly number[]; limit: number }>(
  'providers.list_due',
  `select i.business_id as "tenantId", i.tenant_id || ' ' || i.push_id || ' ' || i.part as id
     from configuration_push_items i
    where i.status is null and i.business_id <> all ($passedOver::int[])
    order by i.number, i.tenant_id, i.business_id
    limit $limit::int`,
  { looks: SWEEP },
)

export const findContent = statement<{ content: string | null }, { tenantId: number; pushId: string }>(
  'providers.find_content',
  `select content from configuration_pushes where tenant_id = $tenantId::int and push_id = $pushId::text`,
)

type Item = { tenantId: number; pushId: string; businessId: number; part: ConfigurationPart }
const item = `i.tenant_id = $tenantId::int and i.push_id = $pushId::text and i.business_id = $businessId::int and i.part = $part::text`

/** One process has it until its transaction ends. `overtaken` where a later push has reached this part of the business. */
export const takeItem = statement<{ overtaken: boolean }, Item>(
  'providers.take_item',
  `with taken as (
     select i.tenant_id, i.number from configuration_push_items i where ${item} and i.status is null for update skip locked
   )
   select exists (
            select 1 from configuration_push_items n
             where n.tenant_id = $tenantId::int and n.business_id = $businessId::int and n.part = $part::text
               and n.number > t.number and n.status in ('applied', 'unchanged')) as overtaken
     from taken t`,
)

export const settleItem = statement<unknown, Item & { status: PushResult['status']; error: string | null }>(
  'providers.settle_item',
  `update configuration_push_items i set status = $status::text, error = $error::text where ${item} and i.status is null`,
)

/** Whatever failed is tried again, and not for ever. */
export const countTry = statement<unknown, Item & { most: number; error: string }>(
  'providers.count_try',
  `update configuration_push_items i
      set tries = i.tries + 1,
          status = case when i.tries + 1 >= $most::int then 'refused' end,
          error = case when i.tries + 1 >= $most::int then $error::text end
    where ${item} and i.status is null`,
)

/** What it meant is kept no longer than it takes. */
export const finishPush = statement<unknown, { tenantId: number; pushId: string }>(
  'providers.finish_push',
  `update configuration_pushes p set finished_at = now(), content = null
    where p.tenant_id = $tenantId::int and p.push_id = $pushId::text and p.finished_at is null
      and not exists (select 1 from configuration_push_items i
                       where i.tenant_id = $tenantId::int and i.push_id = $pushId::text and i.status is null)`,
)

/** A process may die between the last item of a push and its end. */
export const listUnfinished = statement<{ tenantId: number; pushId: string }, { limit: number }>(
  'providers.list_unfinished',
  `select tenant_id as "tenantId", push_id as "pushId" from configuration_pushes
    where finished_at is null order by number limit $limit::int`,
  { looks: SWEEP },
)

export type PushRow = { total: number; finishedAt: Date | null }

export const findPush = statement<PushRow, { tenantId: number; pushId: string }>(
  'providers.find_push',
  `select total, finished_at as "finishedAt" from configuration_pushes
    where tenant_id = $tenantId::int and push_id = $pushId::text`,
)

type ItemRow = {
  tenantId: number
  part: ConfigurationPart
  status: PushResult['status'] | null
  error: string | null
}

export const listItems = statement<ItemRow, { tenantId: number; pushId: string }>(
  'providers.list_items',
  `select business_id as "tenantId", part, status, error from configuration_push_items
    where tenant_id = $tenantId::int and push_id = $pushId::text
    order by business_id, part`,
)

const OLD = `finished_at < now() - make_interval(days => $days::int)`

export const listOldPushes = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; days: number }
>(
  'providers.list_old_pushes',
  dueRows({ table: 'configuration_pushes', id: 'push_id', due: OLD, order: 'finished_at' }),
  { looks: SWEEP },
)

export const forgetPushes = statement<{ taken: number }, { tenantId: number; ids: readonly string[]; days: number }>(
  'providers.forget_pushes',
  `with old as (
     select push_id from configuration_pushes
      where tenant_id = $tenantId::int and push_id = any ($ids::text[]) and ${OLD}
        for update skip locked
   ), items as (
     delete from configuration_push_items i using old
      where i.tenant_id = $tenantId::int and i.push_id = old.push_id
   ), gone as (
     delete from configuration_pushes p using old
      where p.tenant_id = $tenantId::int and p.push_id = old.push_id
     returning 1
   )
   select count(*)::int as taken from gone`,
)
