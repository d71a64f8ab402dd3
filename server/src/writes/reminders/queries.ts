import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'
import {
  announced,
  EVENT,
  EVENTS_BELL,
  NEW_EVENT_ID,
  NOTICE,
  NOTICES_BELL,
  noticed,
  OF_ACTION,
} from '../../tenancy/outbox/index.ts'

// Not jsonb, which parses every number: one number that is too large for it would stop everybody's reminders.
const ASKS = `rules::json ->> 'remindAtHalf' = 'true'`

/** SQL: how much of the window had passed at a time. */
const partAt = (time: string): string =>
  `(extract(epoch from ${time} - created_at) / nullif(extract(epoch from expires_at - created_at), 0))::float8`

/**
 * SQL: how many moments of the window had come when this much of it had passed: those that the deployment names, and its half where
 * the policy asks for that. Without a query of its own, because the rows are locked by what it says.
 */
const momentsBy = (part: string, asks: string): string =>
  `(width_bucket(${part}, $remindAt::float8[]) + case when ${part} >= 0.5 and ${asks} then 1 else 0 end)`

/** A moment has come that nobody has been reminded at, or after. One reminder is enough for several of them. */
const momentHasCome = (asks: string): string =>
  `state = 'pending' and expires_at > now()
        and ${momentsBy(partAt('now()'), asks)} > case when reminded_at is null then 0 else ${momentsBy(partAt('reminded_at'), asks)} end`

/** Parts of the window, the smallest first. */
type RemindAt = { remindAt: readonly number[] }

/** Only of tenants that are reminded at all: what nobody asks to be reminded of would be found again and again. */
export const listToRemind = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number } & RemindAt
>(
  'reminders.list_waiting',
  `with latest as (
     select distinct on (tenant_id) tenant_id, rules from policies order by tenant_id, version desc
   ), asking as (
     select tenant_id from latest where ${ASKS}
   )
   select tenant_id as "tenantId", action_id as id from actions
    where ${momentHasCome('tenant_id in (select tenant_id from asking)')}
      and tenant_id <> all ($passedOver::int[])
      and (cardinality($remindAt::float8[]) > 0 or tenant_id in (select tenant_id from asking))
    limit $limit::int`,
  { looks: SWEEP },
)

/**
 * Nobody has decided yet: the tenant's server is told once more, and so are those who may decide, as one more occasion for their
 * mails. What its customer is to confirm is nobody else's to be reminded of.
 */
export const remindDue = statement<{ taken: number }, { tenantId: number; ids: readonly string[] } & RemindAt>(
  'reminders.remind',
  `with due as (
     select action_id from actions
      where tenant_id = $tenantId::int and action_id = any ($ids::uuid[])
        and ${momentHasCome(`(select ${ASKS} from policies where tenant_id = $tenantId::int order by version desc limit 1)`)}
      for update skip locked
   ), changed as (
     update actions a set reminded_at = now(), reminders = a.reminders + 1
       from due
      where a.tenant_id = $tenantId::int and a.action_id = due.action_id
     returning a.*
   ), notice as (
     ${noticed('changed r', 'reminders')} where not exists (
        select 1 from keys k
         where k.tenant_id = $tenantId::int and k.kind = 'action' and k.action_id = r.action_id and k.self_confirm)
   ), event as (
     ${announced('changed', {
       ...OF_ACTION,
       event: `'action.reminder'`,
       eventId: NEW_EVENT_ID,
       fields: `json_build_object('summary', summary, 'expires_at', audit_instant(expires_at))::text`,
     })}
   )
   select count(*)::int as taken from changed`,
  {
    wakes: [EVENTS_BELL, NOTICES_BELL],
    guest: { notices_due: NOTICE, outbox: EVENT, actions: 'an action counts its reminders, so that each is sent once' },
  },
)
