import type { ActionState, ConfirmErrorCode, Risk } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { type AskingRows, askedBy } from '../../tenancy/access/index.ts'
import { noticed } from '../../tenancy/outbox/index.ts'
import { ACTING_PERSON, audited, type CausedBy, DECIDER, TRAIL } from '../audit/index.ts'
import type { WrittenDown } from '../writes/index.ts'
import { announcedOfAction, PROPOSAL, TOKEN, TRANSITION } from './transition-sql.ts'

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
  state: ActionState
  scopeId: number | null
  subject: string | null
  sessionId: string | null
  requestedByUserId: number
  /** The person who had that userId then, or 0; null from before this was recorded. */
  requestedByPersonId: number | null
  idempotencyKey: string
  attempts: number
  claimToken: string | null
  /** By which formula its hash was made, and the address that it was staged for. */
  hashVersion: number
  stagedFor: string | null
  /** The endpoint that it was sent to; null before that, and where nobody remembers. */
  sentTo: string | null
  result: Buffer | null
  errorCode: ConfirmErrorCode | null
  errorMessage: string | null
  tellVisitor: boolean
  verificationStatus: 'verified' | 'unverified' | null
  verificationReason: string | null
  verifiedAt: Date | null
  /** The action that it was amended from, and the one that it was amended to. */
  replaces: string | null
  replacedBy: string | null
  earlierRequesters: readonly number[]
  createdAt: Date
  expiresAt: Date
  /** By the database's clock, which is the same for every instance. */
  late: boolean
}
/** Without the result, which may be megabytes. */
export const listedColumns = `a.action_id as "actionId", a.tool, a.domain, a.title, a.summary, a.rationale, a.arguments, a.payload_hash as "payloadHash", a.hash_version as "hashVersion", a.staged_for as "stagedFor",
       a.risk, a.value, a.state, a.scope_id as "scopeId", a.subject, a.session_id as "sessionId",
       a.requested_by_user_id as "requestedByUserId", a.requested_by_person_id as "requestedByPersonId", a.idempotency_key as "idempotencyKey", a.attempts,
       a.claim_token as "claimToken", a.sent_to as "sentTo", a.error_code as "errorCode", a.error_message as "errorMessage", a.tell_visitor as "tellVisitor",
       a.verification_status as "verificationStatus", a.verification_reason as "verificationReason",
       a.verified_at as "verifiedAt", a.replaces, a.replaced_by as "replacedBy", array_to_json(a.earlier_requesters) as "earlierRequesters", a.created_at as "createdAt", a.expires_at as "expiresAt", a.expires_at <= now() as late`
const columns = `${listedColumns}, a.result`

type BoundTo = {
  tokenHash: Buffer
  tokenPrefix: string
  approverUserId: number | null
  selfConfirm: boolean
}

export type StageValues = AskingRows &
  WrittenDown &
  BoundTo & {
    tenantId: number
    actionId: string
    tool: string
    rationale: string | null
    risk: Risk
    scopeId: number | null
    subject: string | null
    sessionId: string | null
    userId: number
    /** Of the person who asks; null where the caller only states a userId. */
    personId: number | null
    idempotencyKey: string
    stageKey: string | null
    stageHash: string | null
    windowSeconds: number
    mostPending: number
    source: string
    eventId: string
  }

/** SQL: the credential that asks, which stays the same however often its key is rotated. */
const askingCredential = `(select coalesce(k.limited_as, k.hash) from keys k
              where k.tenant_id = $tenantId::int and k.prefix = $askingKey::text)`

/** SQL: the person whom a token is bound to, or 0: a userId that is only stated binds it to no one, whoever gets it later. */
const approverPerson = `coalesce((select u.id from users u
              where u.tenant_id = $tenantId::int and u.user_id = $approverUserId::bigint), 0)`

// A token outlives its action by a day, so that a late confirm is told that it is late, and not that its token is unknown.
const afterwards = "interval '1 day'"

/** Counts no further than `$mostPending`. Writes that are staged at the same moment do not count each other. */
const pendingWrites = `select count(*) from (
            select 1 from actions p where p.tenant_id = $tenantId::int and p.state = 'pending' limit $mostPending::int) counted`

export const isFull = statement<{ full: boolean }, { tenantId: number; mostPending: number }>(
  'actions.is_full',
  `select (${pendingWrites}) >= $mostPending::int as "full"`,
)

export const stageAction = statement<{ expiresAt: Date }, StageValues>(
  'actions.stage',
  `with living as (
     ${askedBy()}
   ), changed as (
     insert into actions as a (tenant_id, action_id, tool, domain, title, summary, rationale, arguments, payload_hash, risk, value,
                               state, scope_id, subject, session_id, requested_by_user_id, requested_by_person_id, idempotency_key,
                               stage_key, stage_hash, staged_by, expires_at, hash_version, staged_for)
     select tenant_id, $actionId::uuid, $tool::text, $domain::text, $title::text, $summary::text, $rationale::text,
            $argumentsText::text, $payloadHash::text, $risk::text, $value::numeric, 'pending', $scopeId::bigint, $subject::text,
            $sessionId::text, $userId::bigint, ${ACTING_PERSON}, $idempotencyKey::text, $stageKey::text, $stageHash::text,
            ${askingCredential}, now() + make_interval(secs => $windowSeconds::float8), $hashVersion::smallint,
            $stagedFor::text
       from living
      where (${pendingWrites}) < $mostPending::int
     on conflict (tenant_id, stage_key) where stage_key is not null do nothing
     returning a.*
   ), token as (
     insert into keys (tenant_id, hash, prefix, kind, action_id, approver_user_id, approver_person_id, self_confirm, expires_at)
     select tenant_id, $tokenHash::bytea, $tokenPrefix::text, 'action', action_id, $approverUserId::bigint, ${approverPerson},
            $selfConfirm::boolean,
            expires_at + ${afterwards}
       from changed
   ), audit as (
     ${audited('changed', { event: `'proposed'`, personId: 'requested_by_person_id' })}
   ), notice as (
     ${noticed('changed')} where not $selfConfirm::boolean
   ), event as (
     ${announcedOfAction('changed', {
       event: `'action.pending'`,
       fields: `json_build_object('summary', summary, 'expires_at', audit_instant(expires_at))::text`,
     })}
   )
   select expires_at as "expiresAt" from changed`,
  PROPOSAL,
)

/** Another token for the same action: the first one was shown once and cannot be shown again. */
export const insertToken = statement<unknown, AskingRows & BoundTo & { tenantId: number; actionId: string }>(
  'actions.insert_token',
  `with living as (
     ${askedBy()}
   ), staged as (
     select a.tenant_id, a.action_id, a.expires_at + ${afterwards} as until
       from actions a
      where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and (select count(*) from living) > 0 for key share
   )
   insert into keys (tenant_id, hash, prefix, kind, action_id, approver_user_id, approver_person_id, self_confirm, expires_at)
   select tenant_id, $tokenHash::bytea, $tokenPrefix::text, 'action', action_id, $approverUserId::bigint,
          ${approverPerson}, $selfConfirm::boolean, until
     from staged`,
  { guest: { keys: TOKEN } },
)

export const findAction = statement<ActionRow, { tenantId: number; actionId: string }>(
  'actions.find',
  `select ${columns} from actions a where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid`,
)

/** Only what the asking credential staged itself, and of another customer than the one whom it speaks for now nothing. */
export const findOwn = statement<
  ActionRow,
  { tenantId: number; actionId: string; askingKey: string; subject: string | null }
>(
  'actions.find_own',
  `select ${columns} from actions a
    where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and a.staged_by = ${askingCredential}
      and (a.subject is null or a.subject = $subject::text)`,
)

export const findStaged = statement<ActionRow & { stageHash: string }, { tenantId: number; stageKey: string }>(
  'actions.find_staged',
  `select ${columns}, a.stage_hash as "stageHash"
     from actions a where a.tenant_id = $tenantId::int and a.stage_key = $stageKey::text`,
)

export const findConfirmKey = statement<{ actionId: string }, { tenantId: number; userId: number; confirmKey: string }>(
  'actions.find_confirm_key',
  `select action_id as "actionId" from confirm_keys
    where tenant_id = $tenantId::int and user_id = $userId::bigint and confirm_key = $confirmKey::text`,
)

/** A confirm key belongs to the first action that it came with. */
export const reserveConfirmKey = statement<
  unknown,
  { tenantId: number; userId: number; confirmKey: string; actionId: string }
>(
  'actions.reserve_confirm_key',
  `with known as (
     select tenant_id, action_id from actions
      where tenant_id = $tenantId::int and action_id = $actionId::uuid for key share
   )
   insert into confirm_keys (tenant_id, user_id, confirm_key, action_id)
   select tenant_id, $userId::bigint, $confirmKey::text, action_id from known
   on conflict (tenant_id, user_id, confirm_key) do nothing`,
)

/**
 * Records a yes, once per person, and once more when a policy has come since. A yes that comes while another person's confirm
 * executes is overtaken: the statement that settles that claim supersedes it. The lock waits for a settlement in progress, so
 * that no yes is recorded after the end. Only a yes under a policy is announced.
 */
export const recordApproval = statement<
  { received: boolean },
  CausedBy & { tenantId: number; actionId: string; payloadHash: string; underPolicy: boolean; eventId: string }
>(
  'actions.record_approval',
  `with open as (
     select * from actions
      where tenant_id = $tenantId::int and action_id = $actionId::uuid and payload_hash = $payloadHash::text
        and (state = 'executing' or (state = 'pending' and expires_at > now()))
        for no key update
   ), said as (
     insert into approvals as p (tenant_id, action_id, user_id, payload_hash, under_policy, at)
     select tenant_id, action_id, ${DECIDER}, payload_hash, $underPolicy::boolean, now() from open
     on conflict (tenant_id, action_id, user_id) do update set under_policy = true, at = excluded.at
      where excluded.under_policy and not p.under_policy
     returning p.tenant_id, p.action_id
   ), changed as (
     select o.* from open o join said s on s.tenant_id = o.tenant_id and s.action_id = o.action_id
   ), overtaken as (
     update actions a set overtaken = array_append(a.overtaken, ${DECIDER})
       from changed c
      where a.tenant_id = $tenantId::int and a.action_id = c.action_id and c.state = 'executing'
        and c.confirmed_by_user_id is distinct from ${DECIDER} and ${DECIDER} <> all (a.overtaken)
   ), audit as (
     ${audited('changed', { event: `'approved'` })}
   ), event as (
     ${announcedOfAction('changed', { event: `'action.approved'` })} where $underPolicy::boolean
   )
   select exists (select 1 from changed) as received`,
  TRANSITION,
)

/** Records what changes nothing about the action and still belongs in its trail. Neither event carries a reason. */
export const note = statement<
  unknown,
  {
    tenantId: number
    actionId: string
    userId: number
    personId: number | null
    source: string
    event: 'replayed' | 'prohibited' | 'precondition_error'
  }
>(
  'actions.note',
  `with changed as (
     select * from actions where tenant_id = $tenantId::int and action_id = $actionId::uuid for key share
   )
   ${audited('changed', { event: '$event::text', personId: ACTING_PERSON })}`,
  { guest: { audit_events: TRAIL } },
)
