import { statement } from '../../foundation/db/index.ts'
import { audited, guard, told } from './parts.ts'
import type { State } from './states.ts'

/** The window, what was seen, the policy and the people who approved: all must still be as they were when it was judged. */
export const claimAction = statement<
  { attempts: number },
  [
    tenantId: number,
    actionId: string,
    claimToken: string,
    leaseSeconds: number,
    userId: number,
    payloadHash: string,
    policyVersion: number,
    approverIds: readonly number[],
    roles: readonly string[],
  ]
>(
  'actions.claim',
  `update actions a
      set state = 'executing', claim_token = $3::uuid, lease_until = now() + make_interval(secs => $4::float8),
          attempts = attempts + 1, confirmed_by_user_id = $5::bigint
    where a.tenant_id = $1::int and a.action_id = $2::uuid and ${guard('claim')}
      and a.expires_at > now() and a.payload_hash = $6::text
      and coalesce((select max(version) from policies where tenant_id = $1::int), 0) = $7::int
      and not exists (
        select 1 from unnest($8::bigint[], $9::text[]) as counted (user_id, role)
         where not exists (
           select 1 from users u
            where u.tenant_id = $1::int and u.user_id = counted.user_id and u.role = counted.role and u.active))
   returning a.attempts`,
)

/** The right to ask the endpoint what became of it: one at a time, for as long as a claim would last. */
export const beginReconcile = statement<
  { actionId: string },
  [tenantId: number, actionId: string, reconcileToken: string, leaseSeconds: number]
>(
  'actions.begin_reconcile',
  `update actions a set reconcile_token = $3::uuid, reconciling_until = now() + make_interval(secs => $4::float8)
    where a.tenant_id = $1::int and a.action_id = $2::uuid and a.state = 'indeterminate'
      and (a.reconcile_token is null or a.reconciling_until <= now())
   returning a.action_id as "actionId"`,
)

/** Who may settle: the holder of the claim, however late, or a reconcile of it. */
const settler = `a.claim_token is not distinct from $3::uuid`
/**
 * What was performed was performed, whoever hears of it. That nothing was performed is known only to whoever asked last: when
 * somebody asks after them, it may be performed yet.
 */
const lastToAsk = (token: `$${number}`) => `a.reconcile_token is not distinct from ${token}::uuid`
/**
 * Read off the row that is changed, which is its newest version, also where the change had to wait for whoever was overtaken
 * a moment ago: another table would be seen as it was before the waiting.
 */
const superseded = `
     select tenant_id, action_id, tool, 'superseded', unnest(overtaken), $5::text, payload_hash, subject, scope_id, null::text
       from changed`

const settled = (
  transition: 'succeed' | 'fail' | 'exhaust',
  state: State,
  set: string,
  event: string,
  reason: string,
  tells: string,
  believed = 'true',
): string =>
  `with changed as (
     update actions a
        set state = '${state}', settled_at = now(), claim_token = null, lease_until = null, reconcile_token = null,
            reconciling_until = null, ${set}
      where a.tenant_id = $1::int and a.action_id = $2::uuid and ${guard(transition)} and ${settler} and ${believed}
     returning a.*
   ), audit as (
     insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason)
     select tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason
       from (
         select tenant_id, action_id, tool, ${event} as event, $4::bigint as user_id, $5::text as source, payload_hash, subject,
                scope_id, ${reason} as reason, 0 as turn
           from changed
         union all
         select t.*, 1 from (${superseded}) as t
       ) as rows
      order by turn
   ), event as (
     ${tells}
   )
   select action_id as "actionId" from changed`

export const succeed = statement<
  { actionId: string },
  [
    tenantId: number,
    actionId: string,
    claimToken: string | null,
    userId: number,
    source: string,
    eventId: string,
    result: Buffer,
    verifySeconds: number | null,
  ]
>(
  'actions.succeed',
  settled(
    'succeed',
    'executed',
    'result = $7::bytea, error_code = null, error_message = null, verify_until = now() + make_interval(secs => $8::float8)',
    `'executed'`,
    'null::text',
    told(`'action.executed'`, '$6::text'),
  ),
)

export const fail = statement<
  { actionId: string },
  [
    tenantId: number,
    actionId: string,
    claimToken: string | null,
    userId: number,
    source: string,
    eventId: string,
    errorCode: string,
    message: string,
    refused: boolean,
    reconcileToken: string | null,
  ]
>(
  'actions.fail',
  settled(
    'fail',
    'failed',
    'error_code = $7::text, error_message = $8::text',
    `case when $9::boolean then 'provider_refused' else 'failed' end`,
    `case when $9::boolean then $8::text end`,
    `${told(`'action.provider_refused'`, '$6::text', `json_build_object('reason', $8::text)::text`)} where $9::boolean`,
    lastToAsk('$10'),
  ),
)

/** The last attempt was not applied. Only for who still executes: what became indeterminate may have been performed since. */
export const exhaust = statement<
  { actionId: string },
  [tenantId: number, actionId: string, claimToken: string, userId: number, source: string, message: string]
>(
  'actions.exhaust',
  settled(
    'exhaust',
    'failed',
    `error_code = 'EXECUTION_ATTEMPTS_EXHAUSTED', error_message = $6::text`,
    `'failed'`,
    'null::text',
    'select 1',
  ),
)

/** Nothing was applied: whoever was overtaken has a yes that counts again. */
export const release = statement<
  { actionId: string },
  [tenantId: number, actionId: string, claimToken: string, message: string]
>(
  'actions.release',
  `update actions a
      set state = 'pending', claim_token = null, lease_until = null, overtaken = '{}',
          error_code = 'EXECUTION_FAILED_RETRYABLE', error_message = $4::text
    where a.tenant_id = $1::int and a.action_id = $2::uuid and ${guard('release')} and a.claim_token = $3::uuid
   returning a.action_id as "actionId"`,
)

/** The claim token stays: a late answer may still settle its own claim, and nobody else's. Who asked has done asking. */
export const loseContact = statement<
  { actionId: string },
  [tenantId: number, actionId: string, claimToken: string | null, message: string, reconcileToken: string | null]
>(
  'actions.lose_contact',
  `update actions a
      set state = 'indeterminate', lease_until = null, error_code = 'EXECUTION_INDETERMINATE', error_message = $4::text,
          reconcile_token = nullif(a.reconcile_token, $5::uuid)
    where a.tenant_id = $1::int and a.action_id = $2::uuid and ${guard('lose_contact')} and ${settler}
   returning a.action_id as "actionId"`,
)

/** The event of the read-back, and after an unverified one the hand-over to a person. */
const VERIFICATION_TOLD = `(
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, $5::text as event_id, 'action.' || $3::text as event,
              case when $3::text = 'unverified' then json_build_object('reason', $4::text)::text else '{}' end as fields, 0 as turn
         from changed c
       union all
       select c.tenant_id, c.action_id, c.session_id, c.tool, c.scope_id, $6::text, 'conversation.handoff',
              json_build_object('trigger', 'unverified_outcome', 'reason', $4::text, 'summary', c.summary)::text, 1
         from changed c where $3::text = 'unverified'
     ) as rows order by turn`

export const recordVerification = statement<
  { verifiedAt: Date },
  [
    tenantId: number,
    actionId: string,
    status: 'verified' | 'unverified',
    reason: string,
    eventId: string,
    handoffId: string,
    source: string,
  ]
>(
  'actions.record_verification',
  `with changed as (
     update actions set verification_status = $3::text, verification_reason = $4::text, verified_at = now(), verify_until = null
      where tenant_id = $1::int and action_id = $2::uuid and state = 'executed' and verification_status is null
     returning *
   ), audit as (
     ${audited('$3::text', '0', '$7::text', '$4::text')}
   ), event as (
     ${told('event', 'event_id', 'fields', VERIFICATION_TOLD)}
   )
   select verified_at as "verifiedAt" from changed`,
)

/**
 * A yes whose action another person's confirm had claimed is superseded, once: by the statement that settles that claim, or
 * here where it is settled already. The update waits for one that is settling now, and goes by what stands then. What was
 * rejected, expired or broken nobody had claimed, and what is pending again still counts it.
 */
export const markSuperseded = statement<unknown, [tenantId: number, actionId: string, userId: number, source: string]>(
  'actions.mark_superseded',
  `with changed as (
     update actions a set overtaken = array_append(a.overtaken, $3::bigint)
      where a.tenant_id = $1::int and a.action_id = $2::uuid and a.state in ('executing', 'indeterminate', 'executed', 'failed')
        and a.confirmed_by_user_id is distinct from $3::bigint and $3::bigint <> all (a.overtaken)
        and exists (select 1 from approvals p where p.tenant_id = $1::int and p.action_id = a.action_id and p.user_id = $3::bigint)
     returning a.*
   )
   ${audited("'superseded'", '$3::bigint', '$4::text')} where state in ('executed', 'failed')`,
)
