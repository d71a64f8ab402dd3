import { statement } from '../../kernel/db/index.ts'
import { BATCH, oldRows, SWEEP } from '../jobs/index.ts'
import { EVENTS_BELL } from '../outbox/index.ts'

// Times come from the database, so that no process's clock can bring an attempt forward. A test adds how far it has
// moved its clock.
const now = '(now() + make_interval(secs => $shiftSeconds::float8))'

const ofThese = (table: string): string => `${table}.tenant_id = any ($tenantIds::int[])`

/**
 * A claimed event with everything needed to send it. If nothing was claimed, all but the first two members are null.
 */
export type ClaimRow = {
  readonly lastTenant: number | null
  readonly picked: number
  readonly outboxId: number | null
  readonly tenantId: number
  readonly eventId: string
  readonly event: string
  readonly actionId: string | null
  readonly sessionId: string | null
  readonly tool: string | null
  readonly scopeId: number | null
  readonly lane: string | null
  readonly occurredAt: Date
  readonly fields: string
  readonly sealedBody: string | null
  readonly attempts: number
  readonly tries: number
  readonly webhookUrl: string | null
  readonly endpointUrl: string | null
  readonly sealedSigningSecret: string | null
  readonly sealedPreviousSecret: string | null
}

type Walk = { afterTenant: number; mostTenants: number }

/** The next tenants with events, one step of an index for each of them, however many events it has. */
export const walkTenants = statement<{ tenantId: number }, Walk>(
  'events.walk_tenants',
  `with recursive turn (tenant_id, looked) as (
     (select tenant_id, 1 from outbox where tenant_id > $afterTenant::int order by tenant_id limit 1)
     union all
     select further.tenant_id, turn.looked + 1
       from turn
      cross join lateral (
        select o.tenant_id from outbox o where o.tenant_id > turn.tenant_id order by o.tenant_id limit 1) as further
      where turn.looked < $mostTenants::int
   )
   select tenant_id as "tenantId" from turn order by tenant_id`,
  { unprepared: true, looks: SWEEP },
)

/** The same where the tables are divided by tenant, and no step knows where the next one leads. */
export const listTenants = statement<{ tenantId: number }, Walk>(
  'events.list_tenants',
  `select distinct tenant_id as "tenantId" from outbox where tenant_id > $afterTenant::int order by 1 limit $mostTenants::int`,
  { unprepared: true, looks: SWEEP },
)

/**
 * Claims what is due of these tenants, a little of each in turn, so that none waits behind another's backlog. It claims an event
 * only if all earlier ones of its lane are settled or claimed with it. It puts off an event behind another for twice as
 * long each time, so that we do not keep looking at a waiting lane; whoever settles the earlier event wakes it. (The
 * first waits are short, because the earlier event may have been settled while this statement ran.)
 */
export const claimDue = statement<
  ClaimRow,
  {
    shiftSeconds: number
    tenantIds: readonly number[]
    /** How many of each of them may be claimed. */
    rooms: readonly number[]
    limit: number
    claim: string
    leaseSeconds: number
  }
>(
  'events.claim',
  `with picked as (
     select p.*
       from unnest($tenantIds::int[], $rooms::int[]) as turn (tenant_id, room)
      cross join lateral (
        select o.tenant_id, o.outbox_id, o.lane, least(o.passed_over, 14) as passed_over
          from outbox o
         where ${ofThese('o')} and o.tenant_id = turn.tenant_id
           and o.due_at <= ${now} and (o.lease_until is null or o.lease_until <= ${now})
         order by o.due_at, o.outbox_id
         limit turn.room
           for update skip locked) as p
      limit $limit::int
   ), judged as materialized (
     select p.*, ${now} + least(interval '5 minutes', interval '25 milliseconds' * 2 ^ p.passed_over) as again_at, exists (
              select 1 from outbox e
               where ${ofThese('e')} and e.tenant_id = p.tenant_id and e.lane = p.lane and e.outbox_id < p.outbox_id
                 and not exists (select 1 from picked q where q.tenant_id = e.tenant_id and q.outbox_id = e.outbox_id)) as behind
       from picked p
   ), claimed as (
     update outbox o set claim = $claim::uuid, lease_until = ${now} + make_interval(secs => $leaseSeconds::float8)
       from judged j
      where ${ofThese('o')} and o.tenant_id = j.tenant_id and o.outbox_id = j.outbox_id and not j.behind
     returning o.*
   ), put_off as (
     update outbox o
        set due_at = j.again_at, passed_over = least(o.passed_over + 1, 100)
       from judged j
      where ${ofThese('o')} and o.tenant_id = j.tenant_id and o.outbox_id = j.outbox_id and j.behind
   ), figures as (
     select count(*)::int as picked, max(tenant_id) as "lastTenant" from picked
   )
   select f.picked, f."lastTenant", c.outbox_id as "outboxId", c.tenant_id as "tenantId", c.event_id as "eventId", c.event,
          c.action_id as "actionId", c.session_id as "sessionId", c.tool, c.scope_id as "scopeId", c.lane,
          c.occurred_at as "occurredAt", c.fields, c.sealed_body as "sealedBody", c.attempts, c.tries,
          t.events_webhook_url as "webhookUrl", t.endpoint_url as "endpointUrl", t.signing_secret as "sealedSigningSecret",
          case when t.signing_secret_rotated_at > now() - interval '24 hours' then t.previous_signing_secret end
            as "sealedPreviousSecret"
     from figures f
     left join claimed c on true
     left join tenants t on ${ofThese('t')} and t.tenant_id = c.tenant_id
    order by c.outbox_id`,
  { unprepared: true, batches: 'takes a few events of every tenant in turn, so that none waits behind another' },
)

/** How one claimed event ended. */
export type Settlement = {
  readonly tenantId: number
  readonly outboxId: number
  /** False means that nothing was sent, and the event is given back unchanged. */
  readonly tried: boolean
  /** Null means that there is no further attempt, delivered or not. */
  readonly waitSeconds: number | null
  readonly url: string | null
  readonly destination: string | null
  readonly delivered: boolean
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly attemptedAt: string
  /** Set for an event that failed for good. */
  readonly sealedBody: string | null
}

/**
 * Settles many events in one write, each only by the holder of its claim, with a row in the list of deliveries. `held`: tenants of which
 * nothing was settled, because somebody holds them, as a deletion does for minutes. The others do not wait for it.
 */
export const settle = statement<
  { settled: number; held: number },
  { shiftSeconds: number; claim: string; tenantIds: readonly number[]; settlements: string }
>(
  'events.settle',
  `with said as (
     select * from json_to_recordset($settlements::json) as s (
       "tenantId" int, "outboxId" bigint, tried boolean, "waitSeconds" float8, url text, destination text, delivered boolean,
       "statusCode" int, error text, "durationMs" int, "attemptedAt" timestamptz, "sealedBody" text)
   ), living as (
     -- Of a tenant that is gone there is nothing to settle.
     select t.tenant_id from tenants t where ${ofThese('t')} and t.deleted_at is null order by t.tenant_id for key share skip locked
   ), told as (
     select s.*, ${now} + make_interval(secs => s."waitSeconds") as again_at
       from said s join living l on l.tenant_id = s."tenantId"
   ), gone as (
     delete from outbox o using told s
      where ${ofThese('o')} and o.tenant_id = s."tenantId" and o.outbox_id = s."outboxId" and o.claim = $claim::uuid
        and s."waitSeconds" is null
     returning o.*
   ), waiting as (
     update outbox o
        set attempts = o.attempts + s.tried::int, tries = o.tries + s.tried::int, claim = null, lease_until = null,
            due_at = s.again_at
       from told s
      where ${ofThese('o')} and o.tenant_id = s."tenantId" and o.outbox_id = s."outboxId" and o.claim = $claim::uuid
        and s."waitSeconds" is not null
     returning o.*
   ), settled as (
     select tenant_id, outbox_id, event_id, event, action_id, session_id, occurred_at, attempts + 1 as attempt, null::timestamptz as retry_at
       from gone
     union all
     select tenant_id, outbox_id, event_id, event, action_id, session_id, occurred_at, attempts, due_at from waiting
   ), listed as (
     insert into deliveries (tenant_id, outbox_id, event_id, event, action_id, session_id, url, destination, delivered, status_code,
                             error, duration_ms, attempted_at, attempt, retry_at)
     select d.tenant_id, d.outbox_id, d.event_id, d.event, d.action_id, d.session_id, s.url, s.destination, s.delivered, s."statusCode",
            s.error, s."durationMs", s."attemptedAt", d.attempt, d.retry_at
       from settled d
       join told s on s."tenantId" = d.tenant_id and s."outboxId" = d.outbox_id
      where s.tried
      order by s."attemptedAt"
   ), kept as (
     insert into undelivered_events (tenant_id, event_id, event, action_id, session_id, occurred_at, attempts, sealed_body, failed_at)
     select d.tenant_id, d.event_id, d.event, d.action_id, d.session_id, d.occurred_at, d.attempt, s."sealedBody", ${now}
       from settled d
       join told s on s."tenantId" = d.tenant_id and s."outboxId" = d.outbox_id
      where s."sealedBody" is not null
     on conflict (tenant_id, event_id) do nothing
   ), called as (
     -- What stood behind and was put off.
     update outbox o set due_at = ${now}, passed_over = 0
       from (select distinct tenant_id, lane from gone where lane is not null) as free
      where ${ofThese('o')} and o.tenant_id = free.tenant_id and o.lane = free.lane and o.claim is null and o.due_at > ${now}
   )
   select (select count(*) from settled)::int as settled,
          (select count(*) from tenants h where ${ofThese('h')} and h.deleted_at is null)::int - (select count(*) from living)::int as held`,
  { unprepared: true, batches: BATCH },
)

/** Queues a failed event again with its old body. It has no lane, because later events have already gone out. */
export const requeue = statement<{ event: string }, { tenantId: number; eventId: string }>(
  'events.requeue',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), taken as (
     delete from undelivered_events u using living l
      where u.tenant_id = $tenantId::int and u.tenant_id = l.tenant_id and u.event_id = $eventId::text
     returning u.*
   ), queued as (
     insert into outbox (tenant_id, event_id, event, action_id, session_id, occurred_at, attempts, sealed_body)
     select tenant_id, event_id, event, action_id, session_id, occurred_at, attempts, sealed_body from taken
   )
   select event from taken`,
  { wakes: [EVENTS_BELL] },
)

/** Makes an event that waits for its next attempt due now. */
export const hurry = statement<{ event: string }, { shiftSeconds: number; tenantId: number; eventId: string }>(
  'events.hurry',
  `update outbox set due_at = least(due_at, ${now}) where tenant_id = $tenantId::int and event_id = $eventId::text returning event`,
)

const isPast = (column: string): string => `${column} < now() - make_interval(secs => $days::float8 * 86400)`

export const oldDeliveries = oldRows('events.forget_deliveries', {
  table: 'deliveries',
  columns: ['delivery_id'],
  type: 'bigint',
  due: isPast('attempted_at'),
  order: 'attempted_at',
})

export const oldBodies = oldRows('events.forget_undelivered', {
  table: 'undelivered_events',
  columns: ['event_id'],
  type: 'text',
  due: isPast('failed_at'),
  order: 'failed_at',
})
