import { refuse } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Break, GENESIS } from './chain.ts'
import { followed } from './follow.ts'
import { archivedIn, archivedOf, type TimeRange } from './list.ts'
import * as sql from './queries.ts'

type Verified = {
  readonly ok: true
  readonly events: number
  readonly firstId: number | null
  readonly lastId: number | null
  readonly lastHash: string | null
  /** What was checked begins after this event, which is archived with all before it. Null if nothing is. */
  readonly archived: sql.Archived | null
}

type Db = Pick<House, 'db'>
type Asked = TimeRange & { readonly signal?: AbortSignal }

/**
 * Recomputes every hash of the range. It also checks the two neighbours, because an event that got another time, or was
 * removed at an edge, would otherwise simply have left the range. Of an archived trail it checks what the table still holds.
 */
export async function verifyChain(house: Db, tenantId: number, asked: Asked): Promise<Verified | Break> {
  const before = await archivedOf(house, tenantId)
  const found = await verifyOnce(house, tenantId, asked)
  if (found.ok) return found
  // What was archived meanwhile is not there, and not missing either.
  const now = await archivedOf(house, tenantId)
  return now?.lastId === before?.lastId ? found : verifyChain(house, tenantId, asked)
}

async function verifyOnce(house: Db, tenantId: number, { from, to, signal }: Asked): Promise<Verified | Break> {
  const bounds = await house.db.one(sql.chainBounds, { tenantId, from: from ?? null, to: to ?? null })
  if (bounds === undefined) throw new Error('The bounds of a trail should always be one row.')
  const { headId, headHash } = bounds
  const archived = archivedIn(bounds)
  const anchor = archived === null ? GENESIS : { id: archived.lastId, hash: archived.lastHash }
  const newestId = Math.max(bounds.newestId, anchor.id)
  const first = Math.max(from === undefined ? 1 : (bounds.firstId ?? newestId + 1), anchor.id + 1)
  const last = to === undefined ? newestId : Math.max(bounds.lastId ?? 0, anchor.id)
  const start = Math.max(anchor.id + 1, Math.min(first - 1, last))
  const end = Math.min(headId, Math.max(last + 1, first))
  const link = start === anchor.id + 1 ? anchor : { id: start - 1 }
  const chain = await hashesOf(house, tenantId, { link, last, end, signal })
  if (!chain.ok) return chain
  // Only a range that reaches the end of the trail can tell us anything about its head.
  if (end === headId && newestId > headId) return { ok: false, at: headId + 1, reason: 'head_mismatch' }
  if (end === headId && headId > 0 && chain.endHash !== headHash)
    return { ok: false, at: headId, reason: 'head_mismatch' }
  const events = Math.max(0, last - first + 1)
  return events === 0
    ? { ok: true, events, firstId: null, lastId: null, lastHash: null, archived }
    : { ok: true, events, firstId: first, lastId: last, lastHash: chain.lastHash, archived }
}

type Range = {
  readonly link: { readonly id: number; readonly hash?: string }
  readonly last: number
  readonly end: number
  readonly signal: AbortSignal | undefined
}
type Hashes = { readonly ok: true; readonly lastHash: string | null; readonly endHash: string | null }

/** The hashes of the last event that was asked for and of the last that was followed. */
async function hashesOf(house: Db, tenantId: number, { link, last, end, signal }: Range): Promise<Hashes | Break> {
  const chain = followed(house, tenantId, { from: link, last: end })
  let lastHash: string | null = null
  let endHash = link.hash ?? null
  for (;;) {
    if (signal?.aborted === true)
      throw refuse('invalid_request', 'The connection closed before the trail was checked. Send the request again.')
    const { done, value } = await chain.next()
    if (done === true) return value ?? { ok: true, lastHash, endHash }
    lastHash = value.find(({ id }) => id === last)?.hash ?? lastHash
    endHash = value.at(-1)?.hash ?? endHash
  }
}
