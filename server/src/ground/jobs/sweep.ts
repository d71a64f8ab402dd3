import { isUnavailable } from '../../foundation/db/index.ts'
import type { House } from '../context/index.ts'

/**
 * Regular work on the rows of all tenants, in two steps: a look over all of them, which locks nothing, and then, for one tenant
 * after another, the statement that takes what is still due. A tenant whose rows cannot be taken stops nobody else's, and the
 * statement that changes something finds its rows in one place, however the tables are divided.
 */
export type Sweep = {
  /** The name in the log. */
  readonly name: string
  /** The most rows that one look finds. */
  readonly batch: number
  /** How many rows of a tenant are taken together. The default is all that a look found. */
  readonly together?: number
  /**
   * The most rows of a tenant that one sweep takes, where each takes as long as somebody outside likes: then the rows of tenants are
   * taken in turn, and whatever a tenant has besides waits for the next sweep. The default is all that there are.
   */
  readonly mostOfTenant?: number
  /** Lists the due rows, except those of the tenants that are passed over. */
  look(what: { passedOver: readonly number[]; limit: number }): Promise<{ tenantId: number; id: string }[]>
  /** Returns how many of these rows it took, which is 0 if somebody else has them. */
  take(these: Part): Promise<{ taken: number } | undefined>
}

type Part = { readonly tenantId: number; readonly ids: readonly string[] }

// A tenant whose statement has to wait blocks only one of these.
const AT_ONCE = 4

/** Looks and takes until nothing is due, and returns how many rows it took. Any number of processes may do it. */
export async function sweep(
  { log }: Pick<House, 'log'>,
  { name, batch, ...one }: Sweep,
  signal?: AbortSignal,
): Promise<number> {
  // The next look skips these tenants, so that it finds the others. The next sweep tries them again.
  const passedOver = new Set<number>()
  const failures = new Map<number, unknown>()
  let taken = 0
  for (let more = true; more && signal?.aborted !== true; ) {
    const due = await one.look({ passedOver: [...passedOver], limit: batch })
    const round = await takeAll(one, partsOf(due, one), signal)
    for (const [tenantId, error] of round.failures) failures.set(tenantId, error)
    for (const tenantId of round.idle) passedOver.add(tenantId)
    if (one.mostOfTenant !== undefined) for (const { tenantId } of due) passedOver.add(tenantId)
    taken += round.taken
    more = due.length === batch
  }
  const [first] = failures.values()
  if (first !== undefined) {
    const fields = { sweep: name, tenants: [...failures.keys()].slice(0, 20), failed: failures.size, error: first }
    log.warn(fields, 'A sweep failed for some tenants and went on with the others. It tries them again.')
  }
  return taken
}

type Round = {
  readonly taken: number
  /** The tenants whose rows somebody else has, and those that failed. */
  readonly idle: ReadonlySet<number>
  readonly failures: ReadonlyMap<number, unknown>
}

async function takeAll({ take }: Pick<Sweep, 'take'>, parts: Part[], signal?: AbortSignal): Promise<Round> {
  const idle = new Set(parts.map(({ tenantId }) => tenantId))
  const failures = new Map<number, unknown>()
  let taken = 0
  const takeOne = async (part: Part): Promise<void> => {
    if (failures.has(part.tenantId)) return
    try {
      const count = (await take(part))?.taken ?? 0
      if (count > 0) idle.delete(part.tenantId)
      taken += count
    } catch (error) {
      if (isUnavailable(error)) throw error
      failures.set(part.tenantId, error)
    }
  }
  await inTurn(parts, takeOne, signal)
  for (const tenantId of failures.keys()) idle.add(tenantId)
  return { taken, idle, failures }
}

/** Groups the rows by tenant, in the order in which each tenant's first row was found. */
function partsOf(
  due: readonly { tenantId: number; id: string }[],
  { together = due.length, mostOfTenant }: Pick<Sweep, 'together' | 'mostOfTenant'>,
): Part[] {
  const parts = [...Map.groupBy(due, ({ tenantId }) => tenantId)].map(([tenantId, rows]) => {
    const ids = rows.map(({ id }) => id).slice(0, mostOfTenant)
    return Array.from({ length: Math.ceil(ids.length / together) }, (_, at) => ({
      tenantId,
      ids: ids.slice(at * together, (at + 1) * together),
    }))
  })
  if (mostOfTenant === undefined) return parts.flat()
  return Array.from({ length: mostOfTenant }, (_, turn) => parts.flatMap((those) => those[turn] ?? [])).flat()
}

/** Runs a few at a time. After the first failure, or the signal, it starts no more and waits for those that are running. */
async function inTurn<Item>(items: Item[], act: (item: Item) => Promise<void>, signal?: AbortSignal): Promise<void> {
  let hasFailed = false
  const worker = async () => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      if (hasFailed || signal?.aborted === true) return
      await act(item).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
