import type { AuditEventType } from '@tether/contract'
import { statement } from '../../foundation/db/index.ts'

export type AuditRow = {
  id: number
  occurredAt: Date
  actionId: string | null
  tool: string | null
  event: AuditEventType
  userId: number
  source: string
  payloadHash: string | null
  subject: string | null
  reason: string | null
}
export type ListedRow = AuditRow & { registeredId: number | null; displayName: string | null; email: string | null }

const columns = `e.id, e.occurred_at as "occurredAt", e.action_id as "actionId", e.tool, e.event, e.user_id as "userId", e.source,
          e.payload_hash as "payloadHash", e.subject, e.reason`

/** An absent filter is null and lets every event pass. Walks the primary key, so a page costs what lies before its end. */
export const listEvents = statement<
  ListedRow,
  [
    tenantId: number,
    after: number,
    from: string | null,
    to: string | null,
    limit: number,
    decision: AuditEventType | null,
    tool: string | null,
    userId: number | null,
    subject: string | null,
    scopeId: number | null,
  ]
>(
  'audit.list',
  `select ${columns}, u.id as "registeredId", u.display_name as "displayName", u.email
     from audit_events e
     left join users u on u.tenant_id = e.tenant_id and u.user_id = e.user_id and e.user_id <> 0
    where e.tenant_id = $1::int and e.id > $2::bigint
      and ($3::timestamptz is null or e.occurred_at >= $3::timestamptz)
      and ($4::timestamptz is null or e.occurred_at < $4::timestamptz)
      and ($6::text is null or e.event = $6::text)
      and ($7::text is null or e.tool = $7::text)
      and ($8::bigint is null or e.user_id = $8::bigint)
      and ($9::text is null or e.subject = $9::text)
      and ($10::bigint is null or e.scope_id = $10::bigint)
    order by e.id
    limit $5::int`,
)

export type ChainRow = AuditRow & { previousHash: string; hash: string }

export const listChain = statement<
  ChainRow,
  [tenantId: number, after: number, from: string | null, to: string | null, limit: number]
>(
  'audit.list_chain',
  `select ${columns}, coalesce(p.hash, repeat('0', 64)) as "previousHash", e.hash
     from audit_events e
     left join audit_events p on p.tenant_id = e.tenant_id and p.id = e.id - 1
    where e.tenant_id = $1::int and e.id > $2::bigint
      and ($3::timestamptz is null or e.occurred_at >= $3::timestamptz)
      and ($4::timestamptz is null or e.occurred_at < $4::timestamptz)
    order by e.id
    limit $5::int`,
)

export type ChainBounds = {
  /** What the head says was written last. */
  headId: number
  headHash: string
  /** What is there. */
  newestId: number
  /** The first event at or after `from`, and the last one before `to`. */
  firstId: number | null
  lastId: number | null
}

/** Head and events in one statement, so that no event can come between them. */
export const chainBounds = statement<ChainBounds, [tenantId: number, from: string | null, to: string | null]>(
  'audit.chain_bounds',
  `select coalesce((select h.last_id from audit_heads h where h.tenant_id = $1::int), 0) as "headId",
          coalesce((select h.last_hash from audit_heads h where h.tenant_id = $1::int), repeat('0', 64)) as "headHash",
          coalesce((select max(e.id) from audit_events e where e.tenant_id = $1::int), 0) as "newestId",
          (select min(e.id) from audit_events e
            where e.tenant_id = $1::int and ($2::timestamptz is null or e.occurred_at >= $2::timestamptz)) as "firstId",
          (select max(e.id) from audit_events e
            where e.tenant_id = $1::int and ($3::timestamptz is null or e.occurred_at < $3::timestamptz)) as "lastId"`,
)
