import { statement } from '../../kernel/db/index.ts'
import {
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
} from '../../tenancy/jobs/index.ts'
import { NEW_EVENT_ID } from '../../tenancy/outbox/index.ts'
import { audited } from '../audit/index.ts'
import { announcedOfAction, startsFrom, TOKEN, TRANSITION } from './transition-sql.ts'

// Each sweep is a look over all tenants, which locks nothing, and a statement that takes what is still due of the rows found.

const held = (due: string): string => lockFound({ table: 'actions', columns: ['action_id'], type: 'uuid', due })

const DUE = `state = 'pending' and expires_at <= now()`

export const listDue = statement<SweepFound, SweepLook>(
  'actions.list_due',
  dueRows({ table: 'actions', id: 'action_id', due: DUE, order: 'expires_at' }),
  { looks: SWEEP },
)

/** Expires rows that are past their window. `due` locks them, and `ofTenant` limits the update to their tenants. */
const expiring = (due: string, ofTenant: string): string =>
  `with due as (
     ${due}
   ), changed as (
     update actions a set state = 'expired', settled_at = now()
       from due
      where ${ofTenant} and a.tenant_id = due.tenant_id and a.action_id = due.action_id and ${startsFrom('expire')}
     returning a.*
   ), audit as (
     ${audited('changed', { event: `'expired'`, userId: '0', personId: '0' })} order by tenant_id, expires_at, action_id
   ), event as (
     ${announcedOfAction('changed', { event: `'action.expired'`, eventId: NEW_EVENT_ID })}
   )
   ${takenFrom('changed')}`

export const expireDue = statement<TakenRows, FoundRows & { source: string }>(
  'actions.expire',
  expiring(held(DUE), ofFound('a')),
  { ...TRANSITION, batches: SWEEP },
)

/** For a decision that came too late. It waits for a decision that came in time and still holds the row, because that one stands. */
export const expireLate = statement<TakenRows, { tenantId: number; actionId: string; source: string }>(
  'actions.expire_late',
  expiring(
    `select tenant_id, action_id from actions
      where tenant_id = $tenantId::int and action_id = $actionId::uuid and ${DUE}
      for update`,
    'a.tenant_id = $tenantId::int',
  ),
  TRANSITION,
)

const LAPSED = `state = 'executing' and lease_until <= now()`

export const listLapsed = statement<SweepFound, SweepLook>(
  'actions.list_lapsed',
  dueRows({ table: 'actions', id: 'action_id', due: LAPSED, order: 'lease_until' }),
  { looks: SWEEP },
)

/** A process that died while executing leaves its lease behind. Nobody knows what it had sent, so the action never runs again by itself. */
export const recoverLapsed = statement<TakenRows, FoundRows>(
  'actions.recover',
  `with due as (
     ${held(LAPSED)}
   ), changed as (
     update actions a
        set state = 'indeterminate', lease_until = null, error_code = 'EXECUTION_INDETERMINATE',
            error_message = 'The process that was executing this write ended before an answer came.'
       from due
      where ${ofFound('a')} and a.tenant_id = due.tenant_id and a.action_id = due.action_id
     returning a.tenant_id
   )
   ${takenFrom('changed')}`,
  { batches: SWEEP },
)

const OLD_TOKEN = `kind = 'action' and expires_at <= now()`

/** The tokens of actions that ended long ago: what each could confirm is decided. */
export const oldTokens = oldRows('actions.forget_tokens', {
  table: 'keys',
  columns: ['prefix'],
  type: 'text',
  due: OLD_TOKEN,
  order: 'expires_at',
  guest: { keys: TOKEN },
})

const GIVEN_UP_EVENTS = `(
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, 'action.unverified' as event,
              json_build_object('reason', $reason::text)::text as fields, 0 as turn
         from changed c
       union all
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, 'conversation.handoff',
              json_build_object('trigger', 'unverified_outcome', 'reason', $reason::text, 'summary', c.summary, 'customer_id', c.subject)::text, 1
         from changed c
     ) as rows order by action_id, turn`

const UNREAD = `verify_until <= now() and state = 'executed' and verification_status is null`

export const listUnread = statement<SweepFound, SweepLook>(
  'actions.list_unread',
  dueRows({ table: 'actions', id: 'action_id', due: UNREAD, order: 'verify_until' }),
  { looks: SWEEP },
)

/** Marks as unverified what was executed by a process that ended before it read the effect back. */
export const giveUpVerifying = statement<TakenRows, FoundRows & { reason: string }>(
  'actions.give_up_verifying',
  `with due as (
     ${held(UNREAD)}
   ), changed as (
     update actions a
        set verification_status = 'unverified', verification_reason = $reason::text, verified_at = now(), verify_until = null
       from due
      where ${ofFound('a')} and a.tenant_id = due.tenant_id and a.action_id = due.action_id
     returning a.*
   ), audit as (
     ${audited('changed', { event: `'unverified'`, userId: '0', personId: '0', source: `'sweep'`, reason: '$reason::text' })} order by tenant_id, action_id
   ), event as (
     ${announcedOfAction(GIVEN_UP_EVENTS, { event: 'event', eventId: NEW_EVENT_ID, fields: 'fields' })}
   )
   ${takenFrom('changed')}`,
  { ...TRANSITION, batches: SWEEP },
)

/** For how long the oldest overdue action has waited for a sweep. */
export const readOverdue = statement<{ seconds: number }>(
  'actions.read_overdue',
  `select coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from (
     (select min(expires_at) as since from actions where state = 'pending' and expires_at < now())
     union all
     (select min(lease_until) from actions where state = 'executing' and lease_until < now())
   ) as waiting`,
  { looks: 'a figure of the whole deployment' },
)
