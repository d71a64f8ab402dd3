import { statement } from '../../kernel/db/index.ts'
import { sealedRows } from '../sealing/index.ts'

export type DeliveryRow = {
  readonly deliveryId: number
  readonly event: string
  readonly actionId: string | null
  readonly sessionId: string | null
  readonly url: string | null
  readonly destination: 'events_webhook' | 'tool_endpoint' | null
  readonly delivered: boolean
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly attemptedAt: Date
  readonly eventId: string
  readonly attempt: number
  readonly retryAt: Date | null
}
const columns = `delivery_id as "deliveryId", event, action_id as "actionId", session_id as "sessionId", url, destination, delivered,
          status_code as "statusCode", error, duration_ms as "durationMs", attempted_at as "attemptedAt", event_id as "eventId",
          attempt, retry_at as "retryAt"`

export type DeliveryFilters = {
  tenantId: number
  delivered: boolean | null
  event: string | null
  actionId: string | null
  eventId: string | null
  before: number | null
  limit: number
}

/** There are two statements, so that a few failures among a million are found through their own index. */
const deliveriesPage = (name: string, condition: string) =>
  statement<DeliveryRow, DeliveryFilters>(
    name,
    `select ${columns} from deliveries
      where tenant_id = $tenantId::int and ${condition}
        and ($event::text is null or event = $event::text) and ($actionId::uuid is null or action_id = $actionId::uuid)
        and ($eventId::text is null or event_id = $eventId::text) and ($before::bigint is null or delivery_id < $before::bigint)
      order by delivery_id desc
      limit $limit::int`,
    { unprepared: true },
  )

export const listDeliveries = deliveriesPage(
  'events.list_deliveries',
  '($delivered::boolean is null or delivered = $delivered::boolean)',
)
export const listFailures = deliveriesPage(
  'events.list_failures',
  'not delivered and not coalesce($delivered::boolean, false)',
)

/** How long the first event of a lane has been due without anybody sending it. */
export const readOverdue = statement<{ seconds: number }>(
  'events.read_overdue',
  `select coalesce(extract(epoch from now() - min(o.due_at)), 0)::float8 as seconds from outbox o
    where o.due_at < now() and (o.lease_until is null or o.lease_until < now())
      and not exists (select 1 from outbox e
                       where e.tenant_id = o.tenant_id and e.lane = o.lane and e.outbox_id < o.outbox_id)`,
  { looks: 'a figure of the whole deployment' },
)

export const countWaiting = statement<{ count: number }>(
  'events.count_waiting',
  'select count(*)::int as count from outbox',
  { looks: 'a figure of the whole deployment' },
)

export type WiringRow = {
  readonly webhookUrl: string | null
  readonly endpointUrl: string | null
  readonly sealedSigningSecret: string | null
  readonly sealedPreviousSecret: string | null
}

export const readWiring = statement<WiringRow, { tenantId: number }>(
  'events.read_wiring',
  `select events_webhook_url as "webhookUrl", endpoint_url as "endpointUrl", signing_secret as "sealedSigningSecret",
          case when signing_secret_rotated_at > now() - interval '24 hours' then previous_signing_secret end
            as "sealedPreviousSecret"
     from tenants where tenant_id = $tenantId::int and deleted_at is null`,
)

/** Records an attempt that bypassed the outbox because somebody asked for it. */
export const recordAttempt = statement<
  DeliveryRow,
  {
    tenantId: number
    eventId: string
    event: string
    url: string | null
    destination: string | null
    delivered: boolean
    statusCode: number | null
    error: string | null
    durationMs: number
    attemptedAt: Date
  }
>(
  'events.record_attempt',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into deliveries (tenant_id, event_id, event, url, destination, delivered, status_code, error, duration_ms, attempted_at, attempt)
   select tenant_id, $eventId::text, $event::text, $url::text, $destination::text, $delivered::boolean, $statusCode::int,
          $error::text, $durationMs::int, $attemptedAt::timestamptz, 1
     from living
   returning ${columns}`,
)

export const sealedBodies = sealedRows('events.reseal_body', {
  what: 'the body of an undelivered event',
  table: 'undelivered_events',
  id: 'event_id',
  column: 'sealed_body',
})

/** Bodies that are sent again. They stay bound to the table that they came from. */
export const queuedBodies = sealedRows('events.reseal_queued_body', {
  what: 'the body of an event that is sent again',
  table: 'outbox',
  id: 'event_id',
  column: 'sealed_body',
  boundTo: { table: 'undelivered_events' },
})
