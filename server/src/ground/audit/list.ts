import type { AuditEvent, AuditEventType } from '@tether/contract'
import type { z } from 'zod'
import type { House } from '../context/index.ts'
import type { Chained } from './chain.ts'
import * as sql from './queries.ts'

/** Instants as ISO text. What is absent filters nothing. */
export type Range = { readonly from?: string | undefined; readonly to?: string | undefined }

export type Page = { readonly after: number; readonly limit: number }

export type Filters = Range & {
  readonly decision?: AuditEventType | undefined
  readonly actionId?: string | undefined
  readonly tool?: string | undefined
  readonly userId?: number | undefined
  readonly subject?: string | undefined
  readonly scopeId?: number | undefined
}

export type Paged<Row> = { readonly events: readonly Row[]; readonly nextAfter: number | null }

type Event = z.output<typeof AuditEvent>
type Db = Pick<House, 'db'>

/** Oldest first. */
export async function listEvents(
  { db }: Db,
  tenantId: number,
  filters: Filters,
  { after, limit }: Page,
): Promise<Paged<sql.ListedRow>> {
  const rows = await db.rows(sql.listEvents, {
    tenantId,
    after,
    from: filters.from ?? null,
    to: filters.to ?? null,
    limit: limit + 1,
    decision: filters.decision ?? null,
    actionId: filters.actionId ?? null,
    tool: filters.tool ?? null,
    userId: filters.userId ?? null,
    subject: filters.subject ?? null,
    scopeId: filters.scopeId ?? null,
  })
  return paged(rows, limit)
}

/** With everything that the hash of each event was made over. */
export async function listChain(
  { db }: Db,
  tenantId: number,
  { from, to }: Range,
  { after, limit }: Page,
): Promise<Paged<Chained>> {
  const { events, nextAfter } = paged(
    await db.rows(sql.listChain, { tenantId, after, from: from ?? null, to: to ?? null, limit: limit + 1 }),
    limit,
  )
  return { events: events.map(chained), nextAfter }
}

export const chained = (row: sql.ChainRow): Chained => ({ ...row, occurredAt: instantText(row.occurredAt) })

/** As it crosses the wire. */
export function eventOf({ registeredId, displayName, email, ...row }: sql.ListedRow): Event {
  const user =
    registeredId === null ? null : { id: registeredId, userId: row.userId, displayName: displayName ?? '', email }
  return { ...row, occurredAt: instantText(row.occurredAt), user }
}

/** A time that somebody wrote past the trigger may be infinite, which is no Date: it is to be found, not to be tripped over. */
export function instantText(at: Date): string {
  const milliseconds = Number(at)
  return Math.abs(milliseconds) <= LONGEST ? new Date(milliseconds).toISOString() : String(at)
}
// How far a Date reaches, either way.
const LONGEST = 8.64e15

/** One row more than the page was read: that alone tells whether something follows an exactly full page. */
function paged<Row extends { id: number }>(rows: readonly Row[], limit: number): Paged<Row> {
  const events = rows.slice(0, limit)
  return { events, nextAfter: rows.length > limit ? (events.at(-1)?.id ?? null) : null }
}
