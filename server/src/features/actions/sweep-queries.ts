import { statement } from '../../foundation/db/index.ts'
import { NEW_EVENT_ID } from '../../ground/outbox/index.ts'
import { announcedOfAction, audited, startsFrom } from './transition-sql.ts'

/** Expires what is past its window, or one action that is confirmed too late. */
export const expireDue = statement<
  { expired: number },
  { limit: number; source: string; tenantId: number | null; actionId: string | null }
>(
  'actions.expire_due',
  `with due as (
     select tenant_id, action_id from actions
      where state = 'pending' and expires_at <= now()
        and ($tenantId::int is null or (tenant_id = $tenantId::int and action_id = $actionId::uuid))
      order by expires_at
      limit $limit::int
      for update skip locked
   ), changed as (
     update actions a set state = 'expired', settled_at = now()
       from due
      where a.tenant_id = due.tenant_id and a.action_id = due.action_id and ${startsFrom('expire')}
     returning a.*
   ), audit as (
     ${audited({ event: `'expired'`, userId: '0' })} order by tenant_id, action_id
   ), event as (
     ${announcedOfAction({ event: `'action.expired'`, eventId: NEW_EVENT_ID })}
   )
   select count(*)::int as expired from changed`,
)

/** A process that died while executing leaves its lease behind. Nobody knows what it had sent, so the action never runs again by itself. */
export const recoverLapsed = statement<{ recovered: number }, { limit: number }>(
  'actions.recover_lapsed',
  `with lapsed as (
     select tenant_id, action_id from actions
      where state = 'executing' and lease_until <= now()
      order by lease_until
      limit $limit::int
      for update skip locked
   ), changed as (
     update actions a
        set state = 'indeterminate', lease_until = null, error_code = 'EXECUTION_INDETERMINATE',
            error_message = 'The process that was executing this write ended before an answer came.'
       from lapsed
      where a.tenant_id = lapsed.tenant_id and a.action_id = lapsed.action_id and a.state = 'executing'
     returning a.action_id
   )
   select count(*)::int as recovered from changed`,
)

/** Half of the window has passed and nobody has decided: where the policy asks for it, the tenant's server is told once more. */
export const remindDue = statement<{ reminded: number }, { limit: number }>(
  'actions.remind_due',
  `with latest as (
     select distinct on (tenant_id) tenant_id, rules from policies order by tenant_id, version desc
   ), asking as (
     -- Not jsonb, which parses every number: one number that is too large for it would stop everybody's reminders.
     select tenant_id from latest where (rules::json ->> 'remindAtHalf')::boolean
   ), due as (
     select a.tenant_id, a.action_id
       from actions a
       join asking on asking.tenant_id = a.tenant_id
      where a.state = 'pending' and a.reminded_at is null
        and a.expires_at > now() and now() >= a.created_at + (a.expires_at - a.created_at) / 2
      limit $limit::int
      for update of a skip locked
   ), changed as (
     update actions a set reminded_at = now()
       from due
      where a.tenant_id = due.tenant_id and a.action_id = due.action_id and a.state = 'pending'
     returning a.*
   ), event as (
     ${announcedOfAction({
       event: `'action.pending'`,
       eventId: NEW_EVENT_ID,
       fields: `json_build_object('summary', summary, 'expires_at', audit_instant(expires_at), 'reminder', true)::text`,
     })}
   )
   select count(*)::int as reminded from changed`,
)

/** Deletes the tokens of actions that ended long ago: what each could confirm is decided. */
export const forgetTokens = statement<{ forgotten: number }, { limit: number }>(
  'actions.forget_tokens',
  `with old as (
     select hash from keys
      where kind = 'action' and expires_at <= now()
      order by expires_at
      limit $limit::int
      for update skip locked
   ), gone as (
     delete from keys k using old where k.hash = old.hash returning k.hash
   )
   select count(*)::int as forgotten from gone`,
)

const GIVEN_UP_EVENTS = `(
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, 'action.unverified' as event,
              json_build_object('reason', $reason::text)::text as fields, 0 as turn
         from changed c
       union all
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, 'conversation.handoff',
              json_build_object('trigger', 'unverified_outcome', 'reason', $reason::text, 'summary', c.summary)::text, 1
         from changed c
     ) as rows order by tenant_id, action_id, turn`

/** Marks as unverified what was executed by a process that ended before it read the effect back. */
export const giveUpVerifying = statement<{ given: number }, { limit: number; reason: string }>(
  'actions.give_up_verifying',
  `with due as (
     select tenant_id, action_id from actions
      where verify_until <= now()
      order by verify_until
      limit $limit::int
      for update skip locked
   ), changed as (
     update actions a
        set verification_status = 'unverified', verification_reason = $reason::text, verified_at = now(), verify_until = null
       from due
      where a.tenant_id = due.tenant_id and a.action_id = due.action_id and a.state = 'executed' and a.verification_status is null
     returning a.*
   ), audit as (
     ${audited({ event: `'unverified'`, userId: '0', source: `'sweep'`, reason: '$reason::text' })} order by tenant_id, action_id
   ), event as (
     ${announcedOfAction({ from: GIVEN_UP_EVENTS, event: 'event', eventId: NEW_EVENT_ID, fields: 'fields' })}
   )
   select count(*)::int as given from changed`,
)

/** For how long the oldest overdue action has waited for a sweep. */
export const readOverdue = statement<{ seconds: number }>(
  'actions.read_overdue',
  `select coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from (
     (select min(expires_at) as since from actions where state = 'pending' and expires_at < now())
     union all
     (select min(lease_until) from actions where state = 'executing' and lease_until < now())
   ) as waiting`,
)
