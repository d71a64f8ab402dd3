import type { AuditEvent, AuditEventType } from '@tether/contract'
import type { z } from 'zod'
import { type House, userIdOf } from '../../tenancy/context/index.ts'
import type { Chained } from './chain.ts'
import * as sql from './queries.ts'
import { countEvents, type EventCount, listEventDays } from './queries.ts'

/** Instants as ISO text. An absent bound filters nothing. */
export type TimeRange = { readonly from?: string | undefined; readonly to?: string | undefined }

type PageRequest = { readonly after: number; readonly limit: number }

export type Filters = TimeRange & {
  readonly decision?: AuditEventType | undefined
  readonly actionId?: string | undefined
  readonly tool?: string | undefined
  /** A userId, or minus the id of a person. */
  readonly userId?: number | undefined
  readonly subject?: string | undefined
  readonly scopeId?: number | undefined
}

type Paged<Row> = {
  readonly events: readonly Row[]
  readonly nextAfter: number | null
  /** How far the trail is archived, if what was asked for may reach into it. */
  readonly archived: sql.Archived | null
}

type Event = z.output<typeof AuditEvent>
type Db = Pick<House, 'db'>

/** Lists events, the oldest first. */
export async function listEvents(
  { db }: Db,
  tenantId: number,
  filters: Filters,
  { after, limit }: PageRequest,
): Promise<Paged<sql.ListedRow>> {
  const page = filters.actionId === undefined ? sql.listEvents : sql.listOfAction
  const rows = await db.rows(page, { ...filtersOf(tenantId, filters), after, limit: limit + 1 })
  return {
    ...paged(rows, limit),
    archived: await archivedBefore({ db }, tenantId, { rows, after, from: filters.from }),
  }
}

type Read = {
  readonly rows: readonly { readonly id: number }[]
  readonly after: number
  readonly from?: string | undefined
}

/** A page that begins right after the one before leaves nothing out, so nobody has to look. */
async function archivedBefore({ db }: Db, tenantId: number, { rows, after, from }: Read): Promise<sql.Archived | null> {
  if (rows[0]?.id === after + 1) return null
  const archived = await archivedOf({ db }, tenantId)
  if (archived === null || archived.lastId <= after) return null
  return from !== undefined && Date.parse(from) > archived.lastAt.getTime() ? null : archived
}

/** How far the trail is archived, or null. */
export const archivedOf = async ({ db }: Db, tenantId: number): Promise<sql.Archived | null> =>
  (await db.one(sql.findArchived, { tenantId })) ?? null

type NewestFound = {
  readonly events: readonly sql.ListedRow[]
  readonly nextBefore: number | null
  /** What stands before the last page, if that is archived. */
  readonly archived: sql.Archived | null
}

type NewestPage = {
  readonly before: number | null
  readonly limit: number
  /** So many events back a page looks for what its filters let through. */
  readonly farthest?: number
}

/**
 * The same, the newest first; `before` is where the page before ended. A page looks no farther back than so many events: where the
 * filters let few of them through, it ends there, and `nextBefore` leads on. What is of one action is found wherever it stands.
 */
export async function listNewest(
  { db }: Db,
  tenantId: number,
  { from, to, ...filters }: Filters,
  { before, limit, farthest = 5_000 }: NewestPage,
): Promise<NewestFound> {
  const bounds = await db.one(sql.chainBounds, { tenantId, from: from ?? null, to: to ?? null })
  if (bounds === undefined) return { events: [], nextBefore: null, archived: null }
  const none = Number.MAX_SAFE_INTEGER
  const archived = archivedIn(bounds)
  const lowest = Math.max(from === undefined ? 1 : (bounds.firstId ?? none), (archived?.lastId ?? 0) + 1)
  const highest = to === undefined ? bounds.headId : (bounds.lastId ?? 0)
  const last = Math.min(highest, (before ?? none) - 1)
  const first = filters.actionId === undefined ? Math.max(lowest, last - farthest + 1) : lowest
  const page = filters.actionId === undefined ? sql.listNewest : sql.listNewestOfAction
  const rows = await db.rows(page, { ...namesOf(tenantId, filters), first, last, limit: limit + 1 })
  const events = rows.slice(0, limit)
  if (rows.length > limit) return { events, nextBefore: events.at(-1)?.id ?? null, archived: null }
  if (first > lowest) return { events, nextBefore: first, archived: null }
  const reaches = from === undefined || Date.parse(from) <= Number(archived?.lastAt)
  return { events, nextBefore: null, archived: reaches ? archived : null }
}

export const archivedIn = ({ archivedId, archivedHash, archivedAt }: sql.ChainBounds): sql.Archived | null =>
  archivedId === null || archivedHash === null || archivedAt === null
    ? null
    : { lastId: archivedId, lastHash: archivedHash, lastAt: archivedAt }

const filtersOf = (tenantId: number, { from, to, ...filters }: Filters) => ({
  ...namesOf(tenantId, filters),
  from: from ?? null,
  to: to ?? null,
})

const namesOf = (tenantId: number, filters: Omit<Filters, 'from' | 'to'>) => ({
  tenantId,
  decision: filters.decision ?? null,
  actionId: filters.actionId ?? null,
  tool: filters.tool ?? null,
  userId: filters.userId ?? null,
  subject: filters.subject ?? null,
  scopeId: filters.scopeId ?? null,
})

/** The id of the newest event: whoever remembers it can tell whether anything has happened since. */
export const newestEvent = async ({ db }: Db, tenantId: number): Promise<number> =>
  (await db.one(sql.findHead, { tenantId }))?.lastId ?? 0

/** Lists events with everything that went into the hash of each. */
export async function listChain(
  { db }: Db,
  tenantId: number,
  { from, to }: TimeRange,
  { after, limit }: PageRequest,
): Promise<Paged<Chained>> {
  const rows = await db.rows(sql.listChain, { tenantId, after, from: from ?? null, to: to ?? null, limit: limit + 1 })
  const { events, nextAfter } = paged(rows, limit)
  const archived = await archivedBefore({ db }, tenantId, { rows, after, from })
  return { events: events.map(chained), nextAfter, archived }
}

export const chained = (row: sql.ChainRow): Chained => ({ ...row, occurredAt: instantText(row.occurredAt) })

/** An event in the form of the wire. */
export function eventOf({ registeredId, registeredUserId, displayName, email, ...row }: sql.ListedRow): Event {
  const user =
    registeredId === null ? null : { id: registeredId, userId: registeredUserId, displayName: displayName ?? '', email }
  const personId = row.personId === 0 ? null : row.personId
  return { ...row, occurredAt: instantText(row.occurredAt), userId: userIdOf(row.userId) ?? 0, personId, user }
}

/**
 * Somebody may have written an infinite time past the trigger, which is not a valid Date. We must report it, not fail
 * on it.
 */
export function instantText(at: Date): string {
  const milliseconds = Number(at)
  return Math.abs(milliseconds) <= LONGEST ? new Date(milliseconds).toISOString() : String(at)
}
// The limit of a Date in either direction.
const LONGEST = 8.64e15

/** We read one row more than the page, because only that shows whether anything follows an exactly full page. */
function paged<Row extends { id: number }>(rows: readonly Row[], limit: number): Omit<Paged<Row>, 'archived'> {
  const events = rows.slice(0, limit)
  return { events, nextAfter: rows.length > limit ? (events.at(-1)?.id ?? null) : null }
}

type Between = { readonly from: Date; readonly to: Date }

/** How often each event happened on each UTC day from one midnight to another, as it was counted when it happened. */
export const eventDays = ({ db }: Db, tenantId: number, { from, to }: Between): Promise<EventCount[]> =>
  db.rows(listEventDays, { tenantId, from, to })

/** The same by looking at every event, for a part of a day. */
export const eventCounts = ({ db }: Db, tenantId: number, { from, to }: Between): Promise<EventCount[]> =>
  db.rows(countEvents, { tenantId, from, to })
