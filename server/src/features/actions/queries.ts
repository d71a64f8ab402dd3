import { statement } from '../../foundation/db/index.ts'
import type { Risk } from '../catalog/index.ts'
import { audited, guard, told } from './parts.ts'
import type { State } from './states.ts'

export type ActionRow = {
  actionId: string
  tool: string
  domain: string
  title: string
  summary: string
  rationale: string | null
  arguments: string
  payloadHash: string
  risk: Risk
  value: string | null
  state: State
  scopeId: number | null
  subject: string | null
  sessionId: string | null
  requestedByUserId: number
  idempotencyKey: string
  attempts: number
  claimToken: string | null
  result: Buffer | null
  errorCode: string | null
  errorMessage: string | null
  verificationStatus: 'verified' | 'unverified' | null
  verificationReason: string | null
  verifiedAt: Date | null
  createdAt: Date
  expiresAt: Date
  /** By the database's clock, which decides for every instance. */
  late: boolean
}
const columns = `a.action_id as "actionId", a.tool, a.domain, a.title, a.summary, a.rationale, a.arguments, a.payload_hash as "payloadHash",
       a.risk, a.value, a.state, a.scope_id as "scopeId", a.subject, a.session_id as "sessionId",
       a.requested_by_user_id as "requestedByUserId", a.idempotency_key as "idempotencyKey", a.attempts,
       a.claim_token as "claimToken", a.result, a.error_code as "errorCode", a.error_message as "errorMessage",
       a.verification_status as "verificationStatus", a.verification_reason as "verificationReason",
       a.verified_at as "verifiedAt", a.created_at as "createdAt", a.expires_at as "expiresAt", a.expires_at <= now() as late`

export type StageValues = [
  tenantId: number,
  actionId: string,
  tool: string,
  domain: string,
  title: string,
  summary: string,
  rationale: string | null,
  argumentsText: string,
  payloadHash: string,
  risk: Risk,
  value: string | null,
  scopeId: number | null,
  subject: string | null,
  sessionId: string | null,
  requestedByUserId: number,
  idempotencyKey: string,
  stageKey: string | null,
  stageHash: string | null,
  windowSeconds: number,
  source: string,
  eventId: string,
  tokenHash: Buffer,
  tokenPrefix: string,
  approverUserId: number | null,
  selfConfirm: boolean,
]

// A token outlives its action by a day, so that whoever comes late hears that, and not that the token is unknown.
const afterwards = "interval '1 day'"

export const stageAction = statement<{ expiresAt: Date }, StageValues>(
  'actions.stage',
  `with living as (
     -- Waits for a deletion that runs, and then stages nothing.
     select tenant_id from tenants where tenant_id = $1::int and deleted_at is null for key share
   ), changed as (
     insert into actions as a (tenant_id, action_id, tool, domain, title, summary, rationale, arguments, payload_hash, risk, value,
                               state, scope_id, subject, session_id, requested_by_user_id, idempotency_key, stage_key, stage_hash,
                               expires_at)
     select tenant_id, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::numeric,
             'pending', $12::bigint, $13::text, $14::text, $15::bigint, $16::text, $17::text, $18::text,
             now() + make_interval(secs => $19::float8)
       from living
     on conflict (tenant_id, stage_key) where stage_key is not null do nothing
     returning a.*
   ), token as (
     insert into keys (tenant_id, hash, prefix, kind, action_id, approver_user_id, self_confirm, expires_at)
     select tenant_id, $22::bytea, $23::text, 'action', action_id, $24::bigint, $25::boolean, expires_at + ${afterwards} from changed
   ), audit as (
     ${audited("'proposed'", '$15::bigint', '$20::text')}
   ), event as (
     ${told("'action.pending'", '$21::text', `json_build_object('summary', summary, 'expires_at', audit_instant(expires_at))::text`)}
   )
   select expires_at as "expiresAt" from changed`,
)

/** Another token for the same action: the first one was shown once and cannot be shown again. */
export const insertToken = statement<
  unknown,
  [
    tenantId: number,
    actionId: string,
    tokenHash: Buffer,
    tokenPrefix: string,
    approverUserId: number | null,
    selfConfirm: boolean,
  ]
>(
  'actions.insert_token',
  `insert into keys (tenant_id, hash, prefix, kind, action_id, approver_user_id, self_confirm, expires_at)
   select tenant_id, $3::bytea, $4::text, 'action', action_id, $5::bigint, $6::boolean, expires_at + ${afterwards}
     from actions where tenant_id = $1::int and action_id = $2::uuid for key share`,
)

export const findAction = statement<ActionRow, [tenantId: number, actionId: string]>(
  'actions.find',
  `select ${columns} from actions a where a.tenant_id = $1::int and a.action_id = $2::uuid`,
)

export const findStaged = statement<ActionRow & { stageHash: string }, [tenantId: number, stageKey: string]>(
  'actions.find_staged',
  `select ${columns}, a.stage_hash as "stageHash" from actions a where a.tenant_id = $1::int and a.stage_key = $2::text`,
)

// A page of results may be fifty megabytes, and none of it is shown.
const withoutResult = columns.replace('a.result', 'null::bytea as result')

export const listActions = statement<
  ActionRow,
  [tenantId: number, state: State, tool: string | null, scopeId: number | null, limit: number]
>(
  'actions.list',
  `select ${withoutResult} from actions a
    where a.tenant_id = $1::int and a.state = $2::text
      and ($3::text is null or a.tool = $3::text) and ($4::bigint is null or a.scope_id = $4::bigint)
    order by a.created_at desc, a.action_id desc
    limit $5::int`,
)

export const findConfirmKey = statement<{ actionId: string }, [tenantId: number, userId: number, confirmKey: string]>(
  'actions.find_confirm_key',
  `select action_id as "actionId" from confirm_keys
    where tenant_id = $1::int and user_id = $2::bigint and confirm_key = $3::text`,
)

/** A confirm key belongs to the first action that it came with. */
export const reserveConfirmKey = statement<
  unknown,
  [tenantId: number, userId: number, confirmKey: string, actionId: string]
>(
  'actions.reserve_confirm_key',
  `insert into confirm_keys (tenant_id, user_id, confirm_key, action_id)
   select tenant_id, $2::bigint, $3::text, action_id
     from actions where tenant_id = $1::int and action_id = $4::uuid for key share
   on conflict (tenant_id, user_id, confirm_key) do nothing`,
)

export const recordReplay = statement<unknown, [tenantId: number, actionId: string, userId: number, source: string]>(
  'actions.record_replay',
  `with changed as (
     select * from actions where tenant_id = $1::int and action_id = $2::uuid for key share
   )
   ${audited("'replayed'", '$3::bigint', '$4::text')}`,
)

/**
 * A yes, once per person. One that comes while another person's confirm executes is overtaken: the statement that settles
 * that one supersedes it. The lock waits for one that is settling now, so that no yes stands behind the end.
 */
export const recordApproval = statement<
  { received: boolean },
  [tenantId: number, actionId: string, userId: number, payloadHash: string, source: string, eventId: string]
>(
  'actions.record_approval',
  `with open as (
     select * from actions
      where tenant_id = $1::int and action_id = $2::uuid and payload_hash = $4::text
        and (state = 'executing' or (state = 'pending' and expires_at > now()))
        for no key update
   ), said as (
     insert into approvals (tenant_id, action_id, user_id, payload_hash)
     select tenant_id, action_id, $3::bigint, payload_hash from open
     on conflict (tenant_id, action_id, user_id) do nothing
     returning tenant_id, action_id
   ), changed as (
     select o.* from open o join said s on s.tenant_id = o.tenant_id and s.action_id = o.action_id
   ), overtaken as (
     update actions a set overtaken = array_append(a.overtaken, $3::bigint)
       from changed c
      where a.tenant_id = $1::int and a.action_id = c.action_id and c.state = 'executing'
        and c.confirmed_by_user_id is distinct from $3::bigint
   ), audit as (
     ${audited("'approved'", '$3::bigint', '$5::text')}
   ), event as (
     ${told("'action.approved'", '$6::text')}
   )
   select exists (select 1 from changed) as received`,
)

const ended = (transition: 'reject' | 'expire' | 'break', state: State, extra: string): string =>
  `update actions a set state = '${state}', settled_at = now()${extra}
      where a.tenant_id = $1::int and a.action_id = $2::uuid and ${guard(transition)}`

export const reject = statement<
  { actionId: string },
  [tenantId: number, actionId: string, userId: number, source: string, eventId: string, reason: string | null]
>(
  'actions.reject',
  `with changed as (
     ${ended('reject', 'rejected', ', error_message = $6::text')} and a.expires_at > now()
     returning a.*
   ), audit as (
     ${audited("'rejected'", '$3::bigint', '$4::text', '$6::text')}
   ), event as (
     ${told("'action.rejected'", '$5::text', `json_build_object('reason', $6::text)::text`)}
   )
   select action_id as "actionId" from changed`,
)

export const breakPrecondition = statement<
  { actionId: string },
  [tenantId: number, actionId: string, userId: number, source: string, eventId: string, reason: string]
>(
  'actions.break',
  `with changed as (
     ${ended('break', 'precondition_failed', ', error_message = $6::text')} and a.expires_at > now()
     returning a.*
   ), audit as (
     ${audited("'precondition_failed'", '$3::bigint', '$4::text', '$6::text')}
   ), event as (
     ${told("'action.precondition_failed'", '$5::text', `json_build_object('reason', $6::text)::text`)}
   )
   select action_id as "actionId" from changed`,
)

/** What changes nothing about the action and still belongs in its trail. Neither event carries a reason there. */
export const note = statement<
  unknown,
  [tenantId: number, actionId: string, event: 'prohibited' | 'precondition_error', userId: number, source: string]
>(
  'actions.note',
  `with changed as (
     select * from actions where tenant_id = $1::int and action_id = $2::uuid for key share
   )
   ${audited('$3::text', '$4::bigint', '$5::text')}`,
)
