import { isTransactionConflict } from '../../foundation/db/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
import type { House } from '../context/index.ts'
import { openTurnstile } from '../limits/index.ts'
import { type Sums, spentElsewhere } from './elsewhere.ts'
import { type Periods, periodsOf } from './periods.ts'
import { hold, holdForAll, insertHold, releaseHold } from './queries.ts'

export type BudgetCode =
  | 'ORG_DAILY_BUDGET_EXCEEDED'
  | 'ORG_MONTHLY_BUDGET_EXCEEDED'
  | 'GLOBAL_DAILY_BUDGET_EXCEEDED'
  | 'GLOBAL_MONTHLY_BUDGET_EXCEEDED'

/** Ceilings in US dollars. Null means no ceiling, and 0 lets nothing through. */
export type SpendCeilings = { readonly daily: number | null; readonly monthly: number | null }

export type Reserved =
  | { readonly ok: true; readonly holdId: string | null }
  | { readonly ok: false; readonly code: BudgetCode }

type ReservationRequest = {
  readonly tenantId: number
  /** As decimal text. */
  readonly amountUsd: string
  readonly own: SpendCeilings
  readonly everybody: SpendCeilings
}

// Longer than any turn, so an older reservation belongs to a process that died.
const HOLD_SECONDS = 2 * 3600

/** The lowest of several ceilings, where 0 in a setting means no ceiling. */
export const leastOf = (own: number | null, ...settings: readonly number[]): number | null => {
  const given = [...(own === null ? [] : [own]), ...settings.filter((one) => one > 0)]
  return given.length === 0 ? null : Math.min(...given)
}

class CeilingReached extends Error {
  readonly code: BudgetCode
  constructor(code: BudgetCode) {
    super(code)
    this.code = code
  }
}

type BudgetHouse = Pick<House, 'db' | 'clock' | 'others'>

/**
 * Reserves a round's possible cost under every ceiling, or under none of them. Without a ceiling it does not ask the
 * database.
 */
export async function reserve(house: BudgetHouse, request: ReservationRequest): Promise<Reserved> {
  const ceilings = ceilingsFor(request, periodsOf(house.clock.now()))
  if (ceilings.length === 0) return { ok: true, holdId: null }
  const shut = ceilings.find(({ cap }) => cap <= 0)
  if (shut !== undefined) return { ok: false, code: shut.code }
  const reserved = await tryTo(house, request, ceilings)
  if (reserved.ok || !reserved.hasGivenWay) return reserved
  const line = lineOf(house)
  if (line.waiting >= MOST_IN_LINE) return reserved
  line.waiting++
  return await line.pass(() => inLine(house, request, ceilings)).finally(() => line.waiting--)
}

const TRIES = 3
const GIVE_WAY_MS = 20
/** Whoever comes when so many wait already will find nothing left. */
const MOST_IN_LINE = 16

/** Those of a burst that see each other above a ceiling all give way. Coming back one by one, they get what is left. */
async function inLine(house: BudgetHouse, request: ReservationRequest, ceilings: readonly Ceiling[]): Promise<Tried> {
  for (let tries = 1; ; tries++) {
    const reserved = await tryTo(house, request, ceilings)
    if (reserved.ok || !reserved.hasGivenWay || tries === TRIES) return reserved
    await house.clock.wait(GIVE_WAY_MS * (1 + Math.random()))
  }
}

type Line = { readonly pass: ReturnType<typeof openTurnstile>; waiting: number }

const lines = new WeakMap<House['db'], Line>()

function lineOf({ db }: BudgetHouse): Line {
  const line = lines.get(db) ?? { pass: openTurnstile(1), waiting: 0 }
  lines.set(db, line)
  return line
}

/** `hasGivenWay`: to what others have reserved, who may give way in their turn. */
type Tried = Exclude<Reserved, { ok: false }> | (Extract<Reserved, { ok: false }> & { readonly hasGivenWay?: boolean })

async function tryTo(house: BudgetHouse, request: ReservationRequest, ceilings: readonly Ceiling[]): Promise<Tried> {
  const reserved = await reserveHere(house, request, ceilings)
  if (!('here' in reserved)) return reserved
  const { holdId, here } = reserved
  const over = await overElsewhere(house, { ceilings, here, amount: Number(request.amountUsd) })
  if (over === undefined) return { ok: true, holdId }
  await release(house, request.tenantId, holdId)
  return { ok: false, code: over.code, hasGivenWay: !over.isSpent }
}

/** `here`: what this database has spent and reserved under each ceiling of the deployment, this reservation included. */
type ReservedHere = { readonly holdId: string; readonly here: ReadonlyMap<string, Sums> }

async function reserveHere(
  { db, clock }: BudgetHouse,
  request: ReservationRequest,
  ceilings: readonly Ceiling[],
): Promise<ReservedHere | Extract<Reserved, { ok: false }>> {
  const holdId = newUuid(clock.now())
  const here = new Map<string, Sums>()
  try {
    await db.transaction(async (tx) => {
      const periods = (isOwn: boolean) => ceilings.filter((one) => one.isOwn === isOwn).map(({ period }) => period)
      const begun = await tx.run(insertHold, {
        tenantId: request.tenantId,
        holdId,
        amount: request.amountUsd,
        periods: periods(true),
        deploymentPeriods: periods(false),
        seconds: HOLD_SECONDS,
      })
      // A tenant that is being deleted has nothing left to spend.
      if (begun === 0) throw new CeilingReached(ceilings[0]?.code ?? 'ORG_MONTHLY_BUDGET_EXCEEDED')
      for (const { period, cap, code, isOwn } of ceilings) {
        if (isOwn) {
          const held = await tx.one(hold, { tenantId: request.tenantId, period, amount: request.amountUsd, cap })
          if (held === undefined) throw new CeilingReached(code)
          continue
        }
        const held = await tx.one(holdForAll, { period, amount: request.amountUsd, cap })
        if (held === undefined) throw new CeilingReached(code)
        here.set(period, held)
      }
    })
    return { holdId, here }
  } catch (error) {
    if (error instanceof CeilingReached) return { ok: false, code: error.code }
    throw error
  }
}

type Held = { readonly ceilings: readonly Ceiling[]; readonly here: ReservedHere['here']; readonly amount: number }

/** Of sums of amounts as floating-point numbers. */
const NOTHING_USD = 1e-9

/**
 * The others are asked once the reservation is there for them to see: of any two, the later one sees the earlier. So one
 * reservation goes beyond a ceiling at most, however many databases there are.
 */
async function overElsewhere(
  house: BudgetHouse,
  { ceilings, here, amount }: Held,
): Promise<{ readonly code: BudgetCode; readonly isSpent: boolean } | undefined> {
  if (house.others === undefined || here.size === 0) return undefined
  const elsewhere = await spentElsewhere(house, [...here.keys()])
  for (const { period, cap, code } of ceilings) {
    const own = here.get(period)
    const { usd, spentUsd } = elsewhere(period)
    if (own === undefined || own.usd - amount + usd < cap - NOTHING_USD) continue
    return { code, isSpent: own.spentUsd + spentUsd >= cap - NOTHING_USD }
  }
  return undefined
}

/** One that is not released here is counted as spent when it lapses. */
async function release({ db }: BudgetHouse, tenantId: number, holdId: string): Promise<void> {
  const once = () => db.one(releaseHold, { tenantId, holdId })
  await once().catch(async (error: unknown) => {
    if (!isTransactionConflict(error)) throw error
    await once()
  })
}

type Ceiling = { readonly period: string; readonly cap: number; readonly code: BudgetCode; readonly isOwn: boolean }

/** All reservations use the same order, so that no two wait for each other. */
function ceilingsFor({ own, everybody }: ReservationRequest, { day, month }: Periods): Ceiling[] {
  const all: readonly (readonly [string, number | null, BudgetCode, boolean])[] = [
    [month, own.monthly, 'ORG_MONTHLY_BUDGET_EXCEEDED', true],
    [day, own.daily, 'ORG_DAILY_BUDGET_EXCEEDED', true],
    [month, everybody.monthly, 'GLOBAL_MONTHLY_BUDGET_EXCEEDED', false],
    [day, everybody.daily, 'GLOBAL_DAILY_BUDGET_EXCEEDED', false],
  ]
  return all.flatMap(([period, cap, code, isOwn]) => (cap === null ? [] : [{ period, cap, code, isOwn }]))
}
