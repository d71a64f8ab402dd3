import { refuse } from '../../foundation/http/index.ts'
import type { House } from '../context/index.ts'
import { type Break, breakAfter, type ChainLink } from './chain.ts'
import { chained, type TimeRange } from './list.ts'
import * as sql from './queries.ts'

export type Verified = {
  readonly ok: true
  readonly events: number
  readonly firstId: number | null
  readonly lastId: number | null
  readonly lastHash: string | null
}

type Db = Pick<House, 'db'>
type Stretch = {
  readonly start: number
  readonly last: number
  readonly end: number
  readonly signal: AbortSignal | undefined
}

const PAGE = 1000

/**
 * Recomputes every hash of the range. It also checks the two neighbours, because an event that got another time, or was
 * removed at an edge, would otherwise simply have left the range.
 */
export async function verifyChain(
  house: Db,
  tenantId: number,
  { from, to, signal }: TimeRange & { readonly signal?: AbortSignal },
): Promise<Verified | Break> {
  const bounds = await house.db.one(sql.chainBounds, { tenantId, from: from ?? null, to: to ?? null })
  if (bounds === undefined) throw new Error('The bounds of a trail should always be one row.')
  const { headId, headHash, newestId } = bounds
  const first = from === undefined ? 1 : (bounds.firstId ?? newestId + 1)
  const last = to === undefined ? newestId : (bounds.lastId ?? 0)
  const start = Math.max(1, Math.min(first - 1, last))
  const end = Math.min(headId, Math.max(last + 1, first))
  const followed = await followChain(house, tenantId, { start, last, end, signal })
  if (!followed.ok) return followed
  // Only a range that reaches the end of the trail can tell us anything about its head.
  if (end === headId && newestId > headId) return { ok: false, at: headId + 1, reason: 'head_mismatch' }
  if (end === headId && headId > 0 && followed.endHash !== headHash)
    return { ok: false, at: headId, reason: 'head_mismatch' }
  const events = Math.max(0, last - first + 1)
  return events === 0
    ? { ok: true, events, firstId: null, lastId: null, lastHash: null }
    : { ok: true, events, firstId: first, lastId: last, lastHash: followed.lastHash }
}

type Followed = { readonly ok: true; readonly lastHash: string | null; readonly endHash: string | null }

/**
 * Follows the chain from the first id to the last, page by page, so that a long trail needs no more memory than a short
 * one.
 */
async function followChain(
  { db }: Db,
  tenantId: number,
  { start, last, end, signal }: Stretch,
): Promise<Followed | Break> {
  let link: ChainLink | undefined
  let lastHash: string | null = null
  for (let next = start; next <= end; ) {
    if (signal?.aborted === true)
      throw refuse('invalid_request', 'The connection closed before the trail was checked. Send the request again.')
    const limit = Math.min(PAGE, end - next + 1)
    const events = (await db.rows(sql.listChain, { tenantId, after: next - 1, from: null, to: null, limit })).map(
      chained,
    )
    for (const event of events) {
      const fault = breakAfter(link ?? { id: next - 1, hash: event.previousHash }, event)
      if (fault !== undefined) return fault
      link = event
      if (event.id === last) lastHash = event.hash
    }
    next += events.length
    if (events.length < limit) return { ok: false, at: next, reason: 'missing' }
  }
  return { ok: true, lastHash, endHash: link?.hash ?? null }
}
