import type { House } from '../../tenancy/context/index.ts'
import { type Break, breakAfter, type Chained, type ChainLink } from './chain.ts'
import { chained } from './list.ts'
import { listChain } from './queries.ts'

const PAGE = 1000

/** The link from which a stretch is followed (only its id, where the first event itself is to say the hash), and the last id. */
type Stretch = { readonly from: { readonly id: number; readonly hash?: string }; readonly last: number }

/**
 * Follows the chain page by page, so that a long trail needs no more memory than a short one. Yields events that hold, and then the
 * break, if there is one.
 */
export async function* followed(
  { db }: Pick<House, 'db'>,
  tenantId: number,
  { from, last }: Stretch,
): AsyncGenerator<readonly Chained[], Break | undefined> {
  let { id, hash } = from
  while (id < last) {
    const limit = Math.min(PAGE, last - id)
    const rows = await db.rows(listChain, { tenantId, after: id, from: null, to: null, limit })
    const events = rows.map(chained)
    for (const event of events) {
      const before: ChainLink = { id, hash: hash ?? event.previousHash }
      const fault = breakAfter(before, event)
      if (fault !== undefined) return fault
      id = event.id
      hash = event.hash
    }
    yield events
    if (events.length < limit) return { ok: false, at: id + 1, reason: 'missing' }
  }
  return undefined
}
