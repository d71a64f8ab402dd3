// One part to one business, in one transaction with the line that says so: a process that dies has done both or neither.
import type { ConfigurationPart } from '@tether/contract'
import { isTransactionConflict, isUnavailable } from '../../kernel/db/index.ts'
import { Refusal } from '../../kernel/http/index.ts'
import { businessAsking, lockBusiness, lockProvider } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import type { Content } from './content.ts'
import type { Parts, Placed } from './part.ts'
import * as sql from './push-queries.ts'
import { within } from './within.ts'

export type Item = {
  /** The provider. */
  readonly tenantId: number
  readonly pushId: string
  readonly businessId: number
  readonly part: ConfigurationPart
}

const MOST_TRIES = 5
const LONGEST_ERROR = 2_000

const refused = (error: string): Placed => ({ status: 'refused', error })

const GONE = 'This business was deleted, or is no longer yours.'
const OVERTAKEN = 'A later push has reached this business first, so this one changes nothing there.'

/**
 * False where another process has it. A refusal of the business’s own rules is an end; whatever else fails is thrown, and
 * tried again a few times.
 */
export async function sendPart(house: House, parts: Parts, item: Item, content: Content): Promise<boolean> {
  try {
    return await house.db.transaction(async (tx) => {
      // The order of the locks is that of whoever deletes or moves one of the two.
      await lockProvider(tx, { tenantId: item.tenantId, askingKey: null })
      const isThere = await lockBusiness(tx, item, item.businessId)
      const taken = await tx.one(sql.takeItem, item)
      if (taken === undefined) return false
      const asking = isThere ? await businessAsking({ db: tx }, item.businessId, NOBODY) : null
      const placed =
        asking === null
          ? refused(GONE)
          : taken.overtaken
            ? refused(OVERTAKEN)
            : await place(parts, item.part, content, within(house, tx, asking))
      await tx.run(sql.settleItem, { ...item, ...lineOf(placed) })
      return true
    })
  } catch (error) {
    if (isUnavailable(error) || isTransactionConflict(error)) throw error
    if (!(error instanceof Refusal)) {
      const words = 'This could not be done, for no fault of the business. Push it again, or ask the operator.'
      await house.db.run(sql.countTry, { ...item, most: MOST_TRIES, error: words })
      throw error
    }
    return (await house.db.run(sql.settleItem, { ...item, ...lineOf(refused(error.message)) })) > 0
  }
}

/** Regular work has no request of its own, and no address. */
const NOBODY = { requestId: 'push', address: '' }

function place(
  parts: Parts,
  part: ConfigurationPart,
  content: Content,
  ctx: ReturnType<typeof within>,
): Promise<Placed> {
  const read = content[part] ?? { error: 'This part was not a part of the push.' }
  return 'error' in read ? Promise.resolve(refused(read.error)) : parts[part].place(ctx, read.value)
}

const lineOf = (placed: Placed) => ({
  status: placed.status,
  error: placed.status === 'refused' ? placed.error.slice(0, LONGEST_ERROR) : null,
})
