import { isUnavailable, type Queries } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'
import type { FoundRows, OldRows, SweepFound, SweepLook, TakenRows } from './found-rows.ts'

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
  look(what: SweepLook): Promise<SweepFound[]>
  /** Returns how many of these rows it took, which is 0 if somebody else has them. */
  take(these: Part): Promise<{ taken: number } | undefined>
}

type Part = { readonly tenantId: number; readonly ids: readonly string[] }

/** A sweep whose work is one SQL statement, which takes the rows of any number of tenants. */
export type RowSweep = Pick<Sweep, 'name' | 'batch' | 'together' | 'look'> & {
  /** Returns what it took, without the tenants of which another process has all rows. */
  takeRows(db: Queries, these: FoundRows): Promise<TakenRows[]>
}

// A tenant whose statement has to wait blocks only one of these.
const AT_ONCE = 4

// A statement that waits longer for one tenant, such as for its deletion, gives the others back.
const LOCK_TIMEOUT_MS = 1_000

/** Looks and takes until nothing is due, and returns how many rows it took. Any number of processes may do it. */
export const sweep = (house: Pick<House, 'log'>, one: Sweep, signal?: AbortSignal): Promise<number> =>
  sweepBy(house, one, (due) => takeAll(one, partsOf(due, one), signal), signal)

/**
 * Does the same with one statement for the rows of all tenants. If that statement fails, or waits for a lock, each tenant gets its
 * own, so that one tenant stops no other. If the tables are divided by tenant, each tenant always gets its own.
 */
export function sweepRows(
  { db, log, settings }: Pick<House, 'db' | 'log' | 'settings'>,
  one: RowSweep,
  signal?: AbortSignal,
): Promise<number> {
  const ofTenants = async (due: readonly SweepFound[]) => {
    const take = async ({ tenantId, ids }: Part) => {
      const [taken] = await one.takeRows(db, { tenantIds: ids.map(() => tenantId), ids })
      return taken
    }
    return await takeAll({ take }, partsOf(due, one), signal)
  }
  const together = (due: readonly SweepFound[]) =>
    takeTogether(db, one, due).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
      return ofTenants(due)
    })
  const take = (due: readonly SweepFound[]) => inSlices(due, one.together ?? due.length, together, signal)
  return sweepBy({ log }, one, settings.database.dividedByTenant ? ofTenants : take, signal)
}

/** For tables with many rows. One statement takes few enough rows of a tenant that no request has to wait for it. */
export const LARGE_TABLE = { batch: 20_000, together: 1_000 }

type Forgetting = Partial<Pick<RowSweep, 'batch' | 'together'>> & { readonly days?: number }

/** Deletes the old rows of all tenants. `days` is how long they are kept, if the declaration of the rows asks for it. */
export function forgetOld(
  house: Pick<House, 'db' | 'log' | 'settings'>,
  { name, list, forget }: OldRows,
  signal?: AbortSignal,
  { days, ...size }: Forgetting = {},
): Promise<number> {
  const kept = days === undefined ? {} : { days }
  const old: RowSweep = {
    name,
    batch: 500,
    ...size,
    look: (what) => house.db.rows(list, { ...what, ...kept }),
    takeRows: (tx, these) => tx.rows(forget, { ...these, ...kept }),
  }
  return sweepRows(house, old, signal)
}

async function takeTogether(
  db: House['db'],
  { takeRows }: Pick<RowSweep, 'takeRows'>,
  due: readonly SweepFound[],
): Promise<Round> {
  const these = { tenantIds: due.map(({ tenantId }) => tenantId), ids: due.map(({ id }) => id) }
  const taken = await db.transaction(async (tx) => {
    await tx.script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    return await takeRows(tx, these)
  })
  const idle = new Set(these.tenantIds)
  for (const { tenantId } of taken) idle.delete(tenantId)
  return { taken: taken.reduce((sum, one) => sum + one.taken, 0), idle, failures: new Map() }
}

async function inSlices(
  due: readonly SweepFound[],
  size: number,
  take: (due: readonly SweepFound[]) => Promise<Round>,
  signal?: AbortSignal,
): Promise<Round> {
  const served = new Set<number>()
  const failures = new Map<number, unknown>()
  let taken = 0
  for (let at = 0; at < due.length && signal?.aborted !== true; at += size) {
    const slice = due.slice(at, at + size).filter(({ tenantId }) => !failures.has(tenantId))
    if (slice.length === 0) continue
    const round = await take(slice)
    for (const { tenantId } of slice) if (!round.idle.has(tenantId)) served.add(tenantId)
    for (const [tenantId, error] of round.failures) failures.set(tenantId, error)
    taken += round.taken
  }
  const idle = new Set(due.map(({ tenantId }) => tenantId).filter((one) => !served.has(one) || failures.has(one)))
  return { taken, idle, failures }
}

async function sweepBy(
  { log }: Pick<House, 'log'>,
  { name, batch, mostOfTenant, look }: Pick<Sweep, 'name' | 'batch' | 'mostOfTenant' | 'look'>,
  take: (due: readonly SweepFound[]) => Promise<Round>,
  signal?: AbortSignal,
): Promise<number> {
  // The next look skips these tenants, so that it finds the others. The next sweep tries them again.
  const passedOver = new Set<number>()
  const failures = new Map<number, unknown>()
  let taken = 0
  for (let more = true; more && signal?.aborted !== true; ) {
    const due = await look({ passedOver: [...passedOver], limit: batch })
    const round = await take(due)
    for (const [tenantId, error] of round.failures) failures.set(tenantId, error)
    for (const tenantId of round.idle) passedOver.add(tenantId)
    if (mostOfTenant !== undefined) for (const { tenantId } of due) passedOver.add(tenantId)
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
  due: readonly SweepFound[],
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
