import type { AuditEventType } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { personNamed } from './record-sql.ts'

export type AuditRow = {
  id: number
  occurredAt: Date
  actionId: string | null
  tool: string | null
  event: AuditEventType
  userId: number
  /** Of the person who acted, or 0; null in events from before it was recorded. */
  personId: number | null
  source: string
  payloadHash: string | null
  subject: string | null
  reason: string | null
}
export type ListedRow = AuditRow & {
  registeredId: number | null
  /** Null for somebody who has none, or is no longer registered. */
  registeredUserId: number | null
  displayName: string | null
  email: string | null
  relatedActionId: string | null
}

const columns = `e.id, e.occurred_at as "occurredAt", e.action_id as "actionId", e.tool, e.event, e.user_id as "userId", e.person_id as "personId", e.source,
          e.payload_hash as "payloadHash", e.subject, e.reason`

// What is archived no longer counts as part of the table, even while its rows are still being taken out.
const archivedId = `coalesce((select a.last_id from audit_archives a where a.tenant_id = $tenantId::int order by a.first_id desc limit 1), 0)`

// Times never go back, so the events between two times are those between two ids. The index of times finds both ends,
// and the primary key gives the page. A bound that is null finds nothing and leaves its end open.
const between = `e.id > greatest($after::bigint, ${archivedId}, coalesce(
            (select b.id from audit_events b where b.tenant_id = $tenantId::int and b.occurred_at < $from::timestamptz
              order by b.occurred_at desc, b.id desc limit 1), 0))
      and e.id < coalesce(
            (select b.id from audit_events b where b.tenant_id = $tenantId::int and b.occurred_at >= $to::timestamptz
              order by b.occurred_at, b.id limit 1), 9223372036854775807)`

/** An absent filter is null and matches every event. */
type EventFilters = {
  tenantId: number
  limit: number
  decision: AuditEventType | null
  actionId: string | null
  tool: string | null
  userId: number | null
  subject: string | null
  scopeId: number | null
}

const anyAction = '($actionId::uuid is null or e.action_id = $actionId::uuid)'
// By itself, because a plan that is kept for any values finds no index for a condition that may be absent.
const ofAction = 'e.action_id = $actionId::uuid'

// The page is cut out of the trail before anything is joined to it. A kept plan expects so little of the filters that it would
// join and sort the whole trail otherwise.
const eventsPage = (range: string, order: string, action = anyAction): string =>
  `with page as materialized (
     select e.* from audit_events e
      where e.tenant_id = $tenantId::int and ${range}
        and ($decision::text is null or e.event = $decision::text)
        and ${action}
        and ($tool::text is null or e.tool = $tool::text)
        and ($userId::bigint is null or e.user_id = $userId::bigint or e.person_id = -$userId::bigint)
        and ($subject::text is null or e.subject = $subject::text)
        and ($scopeId::bigint is null or e.scope_id = $scopeId::bigint)
      order by ${order}
      limit $limit::int
   )
   select ${columns}, u.id as "registeredId", u.user_id as "registeredUserId", u.display_name as "displayName", u.email,
          case e.event when 'proposed' then a.replaces when 'rejected' then a.replaced_by end as "relatedActionId"
     from page e
     left join actions a on a.tenant_id = $tenantId::int and a.action_id = e.action_id
     left join users u on u.tenant_id = $tenantId::int
          and u.id = ${personNamed({ userId: 'e.user_id', at: 'e.occurred_at', personId: 'e.person_id' })}
    order by ${order}`

export const listEvents = statement<
  ListedRow,
  EventFilters & { after: number; from: string | null; to: string | null }
>('audit.list', eventsPage(between, 'e.id'))

export const listOfAction = statement<
  ListedRow,
  EventFilters & { after: number; from: string | null; to: string | null }
>('audit.list_of_action', eventsPage(between, 'e.id', ofAction))

const betweenIds = 'e.id between $first::bigint and $last::bigint'

/** The newest first, among events whose ids are between two. */
export const listNewest = statement<ListedRow, EventFilters & { first: number; last: number }>(
  'audit.list_newest',
  eventsPage(betweenIds, 'e.id desc'),
)
export const listNewestOfAction = statement<ListedRow, EventFilters & { first: number; last: number }>(
  'audit.list_newest_of_action',
  eventsPage(betweenIds, 'e.id desc', ofAction),
)

/** Grows with every event of the tenant, and with nothing else. */
export const findHead = statement<{ lastId: number }, { tenantId: number }>(
  'audit.find_head',
  'select last_id as "lastId" from audit_heads where tenant_id = $tenantId::int',
)

export type Archived = { lastId: number; lastHash: string; lastAt: Date }

/** How far the trail is archived; no row if no part of it is. */
export const findArchived = statement<Archived, { tenantId: number }>(
  'audit.find_archived',
  `select last_id as "lastId", last_hash as "lastHash", last_at as "lastAt" from audit_archives
    where tenant_id = $tenantId::int
    order by first_id desc
    limit 1`,
)

export type ChainRow = AuditRow & { tenantId: number; scopeId: number | null; previousHash: string; hash: string }

export const listChain = statement<
  ChainRow,
  { tenantId: number; after: number; from: string | null; to: string | null; limit: number }
>(
  'audit.list_chain',
  `select ${columns}, e.tenant_id as "tenantId", e.scope_id as "scopeId",
          coalesce(a.last_hash, p.hash, repeat('0', 64)) as "previousHash", e.hash
     from audit_events e
     left join audit_events p on p.tenant_id = $tenantId::int and p.id = e.id - 1
     left join (select l.last_id, l.last_hash from audit_archives l where l.tenant_id = $tenantId::int
                 order by l.first_id desc limit 1) a on a.last_id = e.id - 1
    where e.tenant_id = $tenantId::int and ${between}
    order by e.id
    limit $limit::int`,
)

export type ChainBounds = {
  /** The last id according to the head. */
  headId: number
  headHash: string
  /** The last id that exists. */
  newestId: number
  /**
   * The first event at or after `from`, and the last one before `to`; null if there is no such event or no such bound.
   */
  firstId: number | null
  lastId: number | null
  /** The newest event that is archived, and its hash; null if none is. */
  archivedId: number | null
  archivedHash: string | null
  archivedAt: Date | null
}

/** Reads the head and the events in one statement, so that no event can come between. */
export const chainBounds = statement<ChainBounds, { tenantId: number; from: string | null; to: string | null }>(
  'audit.chain_bounds',
  `select coalesce((select h.last_id from audit_heads h where h.tenant_id = $tenantId::int), 0) as "headId",
          coalesce((select h.last_hash from audit_heads h where h.tenant_id = $tenantId::int), repeat('0', 64)) as "headHash",
          coalesce((select max(e.id) from audit_events e where e.tenant_id = $tenantId::int), 0) as "newestId",
          (select e.id from audit_events e where e.tenant_id = $tenantId::int and e.occurred_at >= $from::timestamptz
            order by e.occurred_at, e.id limit 1) as "firstId",
          (select e.id from audit_events e where e.tenant_id = $tenantId::int and e.occurred_at < $to::timestamptz
            order by e.occurred_at desc, e.id desc limit 1) as "lastId",
          a.last_id as "archivedId", a.last_hash as "archivedHash", a.last_at as "archivedAt"
     from (select 1) as asked
     left join (select l.last_id, l.last_hash, l.last_at from audit_archives l where l.tenant_id = $tenantId::int
                 order by l.first_id desc limit 1) a on true`,
)

/** `date` is a UTC day. */
export type EventCount = { date: string; event: AuditEventType; count: number }

const dateOf = (day: string) => `to_char(${day}, 'YYYY-MM-DD') as date`

/** The day that runs stands in the head, unless nothing has happened on it yet; those before it, in a row for each event. */
export const listEventDays = statement<EventCount, { tenantId: number; from: Date; to: Date }>(
  'audit.list_event_days',
  `select ${dateOf('day')}, event, sum(count)::int as count
     from (select d.day, d.event, d.count from event_days d where d.tenant_id = $tenantId::int
           union all
           select h.day, c.key, c.value::int from audit_heads h cross join lateral jsonb_each_text(h.counts) c
            where h.tenant_id = $tenantId::int) as days
    where day >= ($from::timestamptz at time zone 'UTC')::date and day < ($to::timestamptz at time zone 'UTC')::date
    group by day, event`,
)

export const countEvents = statement<EventCount, { tenantId: number; from: Date; to: Date }>(
  'audit.count_events',
  `select ${dateOf(`(e.occurred_at at time zone 'UTC')`)}, e.event, count(*)::int as count
     from audit_events e
    where e.tenant_id = $tenantId::int
      and e.occurred_at >= $from::timestamptz and e.occurred_at < $to::timestamptz
    group by 1, 2`,
)
