import { statement } from '../../kernel/db/index.ts'
import { announced, EVENT, EVENTS_BELL } from '../../tenancy/outbox/index.ts'

const living = `select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share`

/** Makes the change and announces its event, once for each turn. */
export const markHandedOver = statement<
  unknown,
  { tenantId: number; sessionId: string; requestId: string; eventId: string; fields: string }
>(
  'handoffs.mark',
  `with living as (${living}), changed as (
     update sessions s set handed_off_by = $requestId::text
       from living l
      where s.tenant_id = l.tenant_id and s.tenant_id = $tenantId::int and s.session_id = $sessionId::text
        and s.handed_off_by is distinct from $requestId::text
     returning s.tenant_id, s.session_id
   )
   ${announced('changed', {
     event: `'conversation.handoff'`,
     eventId: '$eventId::text',
     sessionId: 'session_id',
     fields: '$fields::text',
   })}`,
  {
    wakes: [EVENTS_BELL],
    guest: { outbox: EVENT, sessions: 'a handoff marks its conversation in the same statement' },
  },
)

/** A row if the workspace has somewhere to send its events. Otherwise nobody hears of a handoff. */
export const findDestination = statement<{ tenantId: number }, { tenantId: number }>(
  'handoffs.find_destination',
  `select tenant_id as "tenantId" from tenants
    where tenant_id = $tenantId::int and coalesce(events_webhook_url, endpoint_url) is not null`,
)
