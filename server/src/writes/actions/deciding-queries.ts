import { statement } from '../../kernel/db/index.ts'
import { type AskingRows, askedBy } from '../../tenancy/access/index.ts'
import { audited, type CausedBy, DECIDER } from '../audit/index.ts'
import { announcedOfAction, startsFrom, TRANSITION, type TransitionLine } from './transition-sql.ts'

// How an action stops being pending: it is claimed, or a person or a check ends it.

/** What a decision rests on, as it was when its caller was let in; the secret as it is stored, sealed. */
export type Standing = AskingRows & {
  tenantId: number
  catalogVersion: number
  endpointUrl: string | null
  apiUrl: string | null
  authorityVersion: number
  signingSecret: string | null
}

/**
 * SQL: the tenant, while all of that is as it was. It is read before the action is locked, from rows that are locked themselves:
 * a claim that joins it sees what was committed while the claim waited, which a sub-select would not.
 */
const AS_IT_WAS = `t.catalog_version = $catalogVersion::int
        and t.endpoint_url is not distinct from $endpointUrl::text and t.api_url is not distinct from $apiUrl::text
        and t.authority_version = $authorityVersion::int and t.signing_secret is not distinct from $signingSecret::text`
const UNCHANGED = askedBy(AS_IT_WAS)

/** Granted only while the window is open, and the payload and everything that it was judged by are as they were. */
export const claimAction = statement<
  { attempts: number },
  Standing & {
    userId: number
    personId: number
    actionId: string
    claimToken: string
    leaseSeconds: number
    payloadHash: string
    /** Where it is sent: the endpoint, the imported API, or the MCP server. */
    sentTo: string | null
  }
>(
  'actions.claim',
  `with standing as (
     ${UNCHANGED}
   )
   update actions a
      set state = 'executing', claim_token = $claimToken::uuid, lease_until = now() + make_interval(secs => $leaseSeconds::float8),
          attempts = attempts + 1, confirmed_by_user_id = ${DECIDER}, sent_to = $sentTo::text
     from standing s
    where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and ${startsFrom('claim')}
      and a.expires_at > now() and a.payload_hash = $payloadHash::text
   returning a.attempts`,
)

/** What of it has changed, for whoever was not granted a claim; null where all of it is as it was. */
export const findMoved = statement<
  { moved: 'key' | 'session' | 'catalog' | 'endpoint' | 'api' | 'authority' | 'secret' | null },
  Standing
>(
  'actions.find_moved',
  `select case
            when $askingKey::text is not null and not exists (
              select 1 from keys k
               where k.tenant_id = $tenantId::int and k.prefix = $askingKey::text
                 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) then 'key'
            when $askingSession::bytea is not null and not exists (
              select 1 from user_sessions s
               where s.tenant_id = $tenantId::int and s.hash = $askingSession::bytea
                 and s.closed_at is null and s.expires_at > now()) then 'session'
            when t.catalog_version <> $catalogVersion::int then 'catalog'
            when t.endpoint_url is distinct from $endpointUrl::text then 'endpoint'
            when t.api_url is distinct from $apiUrl::text then 'api'
            when t.authority_version <> $authorityVersion::int then 'authority'
            when t.signing_secret is distinct from $signingSecret::text then 'secret'
          end as moved
     from tenants t where t.tenant_id = $tenantId::int and t.deleted_at is null`,
)

/**
 * The right to ask the endpoint what it did: for one reconcile at a time, and for as long as a claim would last. Another endpoint
 * than the one that it was sent to knows nothing of it, and is asked only by whoever says so.
 */
export const beginReconcile = statement<
  { actionId: string },
  Standing & {
    actionId: string
    reconcileToken: string
    leaseSeconds: number
    sentTo: string | null
    sendToNewEndpoint: boolean
    /** The operator of the deployment asks, who has no key of the workspace. */
    byDeployment: boolean
  }
>(
  'actions.begin_reconcile',
  `with standing as (
     ${askedBy(AS_IT_WAS, '$byDeployment::boolean')}
   )
   update actions a
      set reconcile_token = $reconcileToken::uuid, reconciling_until = now() + make_interval(secs => $leaseSeconds::float8)
     from standing s
    where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and a.state = 'indeterminate'
      and (a.reconcile_token is null or a.reconciling_until <= now())
      and ($sendToNewEndpoint::boolean or coalesce(a.sent_to = $sentTo::text, true))
   returning a.action_id as "actionId"`,
)

/** A person or a check ends an action that was never sent: within its window, and with a reason. */
type EndingLine = TransitionLine<'pending', 'reject' | 'break'> & {
  /** A no is a no, whatever has changed. What a check found was found by what stood when it was made. */
  readonly onlyUnchanged?: true
  /** What must be true besides. */
  readonly onlyIf?: string
  /** What else is written down. */
  readonly sets?: string
}

type Ended = CausedBy & { tenantId: number; actionId: string; eventId: string }

/** The trail and the event name the state that the action ends in. */
const ended = ({ transition, becomes, onlyUnchanged, onlyIf, sets }: EndingLine): string =>
  `with ${onlyUnchanged === undefined ? '' : `standing as (\n     ${UNCHANGED}\n   ), `}changed as (
     update actions a set state = '${becomes}', settled_at = now(), error_message = $reason::text${sets === undefined ? '' : `, ${sets}`}
      ${onlyUnchanged === undefined ? '' : 'from standing s'}
      where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and ${startsFrom(transition)} and a.expires_at > now()
        and ${onlyIf ?? 'true'}
     returning a.*
   ), audit as (
     ${audited('changed', { event: `'${becomes}'`, reason: '$reason::text' })}
   ), event as (
     ${announcedOfAction('changed', {
       event: `'action.${becomes}'`,
       fields: `json_build_object('reason', $reason::text)::text`,
     })}
   )
   select action_id as "actionId" from changed`

export const reject = statement<{ actionId: string }, Ended & { reason: string | null; tellVisitor: boolean }>(
  'actions.reject',
  ended({
    transition: 'reject',
    becomes: 'rejected',
    sets: 'tell_visitor = $tellVisitor::boolean',
  }),
  TRANSITION,
)

/** A visitor’s own no: to what their conversation proposed, and to nothing else. The reason is theirs to read. */
export const withdraw = statement<{ actionId: string }, Ended & { sessionId: string; reason: string }>(
  'actions.withdraw',
  ended({
    transition: 'reject',
    becomes: 'rejected',
    onlyIf: 'a.session_id = $sessionId::text',
    sets: 'tell_visitor = true',
  }),
  TRANSITION,
)

export const breakPrecondition = statement<{ actionId: string }, Standing & Ended & { reason: string }>(
  'actions.break',
  ended({ transition: 'break', becomes: 'precondition_failed', onlyUnchanged: true }),
  TRANSITION,
)
