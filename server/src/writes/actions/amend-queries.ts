import type { Risk } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { type AskingRows, askedBy } from '../../tenancy/access/index.ts'
import { noticed } from '../../tenancy/outbox/index.ts'
import type { CausedBy } from '../audit/index.ts'
import type { WrittenDown } from '../writes/index.ts'
import { announcedOfAction, PROPOSAL, startsFrom } from './transition-sql.ts'

/**
 * Rejects one action and stages another in its place, under the same lock of its row that a confirm takes: one of the two
 * happens. Scope, customer, conversation and a bound approver stay.
 */
export const amendAction = statement<
  { expiresAt: Date },
  CausedBy &
    AskingRows &
    WrittenDown & {
      tenantId: number
      actionId: string
      newActionId: string
      reason: string
      risk: Risk
      idempotencyKey: string
      windowSeconds: number
      rejectedEventId: string
      pendingEventId: string
      tokenHash: Buffer | null
      tokenPrefix: string | null
    }
>(
  'actions.amend',
  `with living as (
     ${askedBy()}
   ), old as (
     update actions a set state = 'rejected', settled_at = now(), error_message = $reason::text, replaced_by = $newActionId::uuid
       from living l
      where a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and ${startsFrom('reject')} and a.expires_at > now()
     returning a.*
   ), fresh as (
     insert into actions as a (tenant_id, action_id, tool, domain, title, summary, rationale, arguments, payload_hash, risk, value,
                               state, scope_id, subject, session_id, requested_by_user_id, requested_by_person_id, earlier_requesters,
                               idempotency_key, replaces, staged_by, expires_at, hash_version, staged_for)
     select tenant_id, $newActionId::uuid, tool, $domain::text, $title::text, $summary::text, rationale, $argumentsText::text,
            $payloadHash::text, $risk::text, $value::numeric, 'pending', scope_id, subject, session_id, $userId::bigint, $personId::bigint,
            earlier_requesters || coalesce(-nullif(requested_by_person_id, 0), requested_by_user_id), $idempotencyKey::text, action_id, staged_by,
            now() + make_interval(secs => $windowSeconds::float8), $hashVersion::smallint, $stagedFor::text
       from old
     returning a.*
   ), bound as (
     select k.approver_user_id, k.approver_person_id from keys k
      where k.tenant_id = $tenantId::int and k.kind = 'action' and k.action_id = $actionId::uuid
        and k.approver_user_id is not null
      limit 1
   ), token as (
     insert into keys (tenant_id, hash, prefix, kind, action_id, approver_user_id, approver_person_id, expires_at)
     select tenant_id, $tokenHash::bytea, $tokenPrefix::text, 'action', action_id, (select approver_user_id from bound),
            (select approver_person_id from bound), expires_at + interval '1 day'
       from fresh where $tokenHash::bytea is not null
   ), told as (
     select 1 as nth, 'rejected' as what, $reason::text as why, o.* from old o
     union all
     select 2, 'proposed', null, f.* from fresh f
   ), audit as (
     insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason,
                               person_id)
     select tenant_id, action_id, tool, what, $userId::bigint, $source::text, payload_hash, subject, scope_id, why, $personId::bigint
       from told order by nth
   ), notice as (
     ${noticed('fresh')}
   ), rejected as (
     ${announcedOfAction('old', {
       event: `'action.rejected'`,
       eventId: '$rejectedEventId::text',
       fields: `json_build_object('reason', $reason::text)::text`,
     })}
   ), pending as (
     ${announcedOfAction('fresh', {
       event: `'action.pending'`,
       eventId: '$pendingEventId::text',
       fields: `json_build_object('summary', summary, 'expires_at', audit_instant(expires_at))::text`,
     })}
   )
   select expires_at as "expiresAt" from fresh`,
  PROPOSAL,
)
