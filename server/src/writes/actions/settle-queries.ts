import { statement } from '../../kernel/db/index.ts'
import { type Audited, audited, type CausedBy, DECIDER, TRAIL } from '../audit/index.ts'
import { type ActionEvent, announcedOfAction, startsFrom, TRANSITION, type TransitionLine } from './transition-sql.ts'

/** Only the holder of the claim settles it, however late, or a reconcile of that claim. */
const settler = `a.claim_token is not distinct from $claimToken::uuid`
/**
 * A success stands, whoever hears of it. A refusal counts only for the last to ask: a request that was sent after theirs may
 * still perform the write.
 */
const lastToAsk = 'a.reconcile_token is not distinct from $reconcileToken::uuid'
/**
 * The people are read from the changed row itself, which is its newest version even when the update had to wait for a yes
 * that was overtaken a moment ago. A join would show another table as it was before the wait.
 */
const superseded = `
     select c.tenant_id, c.action_id, c.tool, 'superseded', coalesce(u.user_id, o.number), $source::text, c.payload_hash, c.subject,
            c.scope_id, null::text, greatest(-o.number, 0)
       from changed c cross join lateral unnest(c.overtaken) as o (number)
       left join users u on u.tenant_id = $tenantId::int and u.id = -o.number`

/** How an execution ends: a line of the table of states, with SQL over the action. */
type Settled = TransitionLine<'executing', 'succeed' | 'fail' | 'exhaust'> & {
  /** What must be true besides the state and the claim. */
  readonly believed?: string
  readonly sets: string
  /** The new state, without a reason, unless set. */
  readonly audits?: Partial<Pick<Audited, 'event' | 'reason'>>
  readonly announces?: Pick<ActionEvent, 'event' | 'fields'> & { readonly when?: string }
}

const settled = ({ transition, becomes, believed = 'true', sets, audits = {}, announces }: Settled): string =>
  `with changed as (
     update actions a
        set state = '${becomes}', settled_at = now(), claim_token = null, lease_until = null, reconcile_token = null,
            reconciling_until = null, ${sets}
      where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid
        and ${startsFrom(transition)} and ${settler} and ${believed}
     returning a.*
   ), audit as (
     insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason, person_id)
     select tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason, person_id
       from (
         select tenant_id, action_id, tool, ${audits.event ?? `'${becomes}'`} as event, $userId::bigint as user_id, $source::text as source,
                payload_hash, subject, scope_id, ${audits.reason ?? 'null::text'} as reason, $personId::bigint as person_id, 0 as turn
           from changed
         union all
         select t.*, 1 from (${superseded}) as t
       ) as rows
      order by turn
   )${announces === undefined ? '' : `, event as (\n     ${announcement(announces)}\n   )`}
   select action_id as "actionId" from changed`

const announcement = ({ when, ...event }: NonNullable<Settled['announces']>): string =>
  `${announcedOfAction('changed', event)}${when === undefined ? '' : ` where ${when}`}`

type Ending = CausedBy & { tenantId: number; actionId: string; claimToken: string | null }
type Settling = Ending & { eventId: string }

export const succeed = statement<
  { actionId: string },
  Settling & {
    result: Buffer | null
    verifySeconds: number | null
    /** What the person said who found out that it was performed; null where the endpoint answered. */
    note: string | null
  }
>(
  'actions.succeed',
  settled({
    transition: 'succeed',
    becomes: 'executed',
    sets: `result = $result::bytea, error_code = null, error_message = null,
            verify_until = now() + make_interval(secs => $verifySeconds::float8)`,
    audits: { reason: '$note::text' },
    announces: { event: `'action.executed'` },
  }),
  TRANSITION,
)

/** The API behind the tool refused the write and gave a reason, or the write failed for good. Only a refusal is announced. */
export const fail = statement<
  { actionId: string },
  Settling & {
    errorCode: string
    message: string
    refused: boolean
    reconcileToken: string | null
    note: string | null
  }
>(
  'actions.fail',
  settled({
    transition: 'fail',
    becomes: 'failed',
    believed: lastToAsk,
    sets: 'error_code = $errorCode::text, error_message = $message::text',
    audits: {
      event: `case when $refused::boolean then 'provider_refused' else 'failed' end`,
      reason: 'case when $refused::boolean then $message::text else $note::text end',
    },
    announces: {
      when: '$refused::boolean',
      event: `'action.provider_refused'`,
      fields: `json_build_object('reason', $message::text)::text`,
    },
  }),
  TRANSITION,
)

/** The last attempt was not applied. Only the process that still executes it may say so: an indeterminate action may have been performed since. */
export const exhaust = statement<{ actionId: string }, Ending & { message: string }>(
  'actions.exhaust',
  settled({
    transition: 'exhaust',
    becomes: 'failed',
    sets: `error_code = 'EXECUTION_ATTEMPTS_EXHAUSTED', error_message = $message::text`,
  }),
  { guest: { audit_events: TRAIL } },
)

/** The write was not applied, so the approvals that this claim overtook count again. */
export const release = statement<
  { actionId: string },
  { tenantId: number; actionId: string; claimToken: string; message: string }
>(
  'actions.release',
  `update actions a
      set state = 'pending', claim_token = null, lease_until = null, overtaken = '{}',
          error_code = 'EXECUTION_FAILED_RETRYABLE', error_message = $message::text
    where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and ${startsFrom('release')}
      and a.claim_token = $claimToken::uuid
   returning a.action_id as "actionId"`,
)

/** The claim token stays, so that a late answer can settle its own claim and nobody else's. A reconcile gives its turn back. */
export const loseContact = statement<
  { actionId: string },
  { tenantId: number; actionId: string; claimToken: string | null; message: string; reconcileToken: string | null }
>(
  'actions.lose_contact',
  `update actions a
      set state = 'indeterminate', lease_until = null, error_code = 'EXECUTION_INDETERMINATE', error_message = $message::text,
          reconcile_token = nullif(a.reconcile_token, $reconcileToken::uuid)
    where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and ${startsFrom('lose_contact')} and ${settler}
   returning a.action_id as "actionId"`,
)

/** The event of the read-back. When the effect was not seen, the handoff to a person follows it. */
const VERIFICATION_EVENTS = `(
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, $eventId::text as event_id,
              'action.' || $status::text as event,
              case when $status::text = 'unverified' then json_build_object('reason', $reason::text)::text else '{}' end as fields,
              0 as turn
         from changed c
       union all
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, $handoffId::text, 'conversation.handoff',
              json_build_object('trigger', 'unverified_outcome', 'reason', $reason::text, 'summary', c.summary, 'customer_id', c.subject)::text, 1
         from changed c where $status::text = 'unverified'
     ) as rows order by turn`

export const recordVerification = statement<
  { verifiedAt: Date },
  {
    tenantId: number
    actionId: string
    status: 'verified' | 'unverified'
    reason: string
    eventId: string
    handoffId: string
    source: string
  }
>(
  'actions.record_verification',
  `with changed as (
     update actions
        set verification_status = $status::text, verification_reason = $reason::text, verified_at = now(), verify_until = null
      where tenant_id = $tenantId::int and action_id = $actionId::uuid and state = 'executed' and verification_status is null
     returning *
   ), audit as (
     ${audited('changed', { event: '$status::text', userId: '0', personId: '0', reason: '$reason::text' })}
   ), event as (
     ${announcedOfAction(VERIFICATION_EVENTS, { event: 'event', eventId: 'event_id', fields: 'fields' })}
   )
   select verified_at as "verifiedAt" from changed`,
  TRANSITION,
)

/**
 * Supersedes a yes whose action another person's confirm had claimed. That happens once: in the statement that settles the
 * claim, or here when the claim is settled already. The update waits for a settlement in progress and goes by its result.
 * Nobody had claimed an action that was rejected, expired or broken, and an action that is pending again still counts the yes.
 */
export const markSuperseded = statement<unknown, CausedBy & { tenantId: number; actionId: string }>(
  'actions.mark_superseded',
  `with changed as (
     update actions a set overtaken = array_append(a.overtaken, ${DECIDER})
      where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid
        and a.state in ('executing', 'indeterminate', 'executed', 'failed')
        and a.confirmed_by_user_id is distinct from ${DECIDER} and ${DECIDER} <> all (a.overtaken)
        and exists (
          select 1 from approvals p
           where p.tenant_id = $tenantId::int and p.action_id = a.action_id and p.user_id = ${DECIDER})
     returning a.*
   )
   ${audited('changed', { event: `'superseded'` })} where state in ('executed', 'failed')`,
  { guest: { audit_events: TRAIL } },
)
