import { newUuid } from '../../foundation/ids/index.ts'
import type { House } from '../context/index.ts'
import { type Periods, periodsOf } from './periods.ts'
import { hold, holdForAll, insertHold } from './queries.ts'

export type BudgetCode =
  | 'ORG_DAILY_BUDGET_EXCEEDED'
  | 'ORG_MONTHLY_BUDGET_EXCEEDED'
  | 'GLOBAL_DAILY_BUDGET_EXCEEDED'
  | 'GLOBAL_MONTHLY_BUDGET_EXCEEDED'

/** A ceiling in US dollars; null is none. A ceiling of 0 lets nothing through. */
export type Ceilings = { readonly daily: number | null; readonly monthly: number | null }

export type Reserved =
  | { readonly ok: true; readonly holdId: string | null }
  | { readonly ok: false; readonly code: BudgetCode }

type Ask = {
  readonly tenantId: number
  /** Decimal text. */
  readonly amountUsd: string
  readonly own: Ceilings
  readonly everybody: Ceilings
}

// Longer than any turn: a reservation that is older belongs to a process that died.
const HOLD_SECONDS = 2 * 3600

/** The least of several ceilings, where 0 in a setting is none. */
export const leastOf = (own: number | null, ...settings: readonly number[]): number | null => {
  const given = [...(own === null ? [] : [own]), ...settings.filter((one) => one > 0)]
  return given.length === 0 ? null : Math.min(...given)
}

class Refused extends Error {
  readonly code: BudgetCode
  constructor(code: BudgetCode) {
    super(code)
    this.code = code
  }
}

/** Reserves what a round may cost under every ceiling that is set, or under none of them. Without a ceiling it asks nothing. */
export async function reserve({ db, clock }: Pick<House, 'db' | 'clock'>, ask: Ask): Promise<Reserved> {
  const wanted = wantedOf(ask, periodsOf(clock.now()))
  if (wanted.length === 0) return { ok: true, holdId: null }
  const shut = wanted.find(({ cap }) => cap <= 0)
  if (shut !== undefined) return { ok: false, code: shut.code }
  const holdId = newUuid(clock.now())
  try {
    await db.transaction(async (tx) => {
      for (const { period, cap, code, isOwn } of wanted) {
        const held = isOwn
          ? await tx.one(hold, { tenantId: ask.tenantId, period, amount: ask.amountUsd, cap })
          : await tx.one(holdForAll, { period, amount: ask.amountUsd, cap })
        if (held === undefined) throw new Refused(code)
      }
      const periods = (isOwn: boolean) => wanted.filter((one) => one.isOwn === isOwn).map(({ period }) => period)
      await tx.run(insertHold, {
        tenantId: ask.tenantId,
        holdId,
        amount: ask.amountUsd,
        periods: periods(true),
        deploymentPeriods: periods(false),
        seconds: HOLD_SECONDS,
      })
    })
    return { ok: true, holdId }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, code: error.code }
    throw error
  }
}

type Wanted = { readonly period: string; readonly cap: number; readonly code: BudgetCode; readonly isOwn: boolean }

/** In one order for everybody, so that no two reservations wait for each other. */
function wantedOf({ own, everybody }: Ask, { day, month }: Periods): Wanted[] {
  const all: readonly (readonly [string, number | null, BudgetCode, boolean])[] = [
    [month, own.monthly, 'ORG_MONTHLY_BUDGET_EXCEEDED', true],
    [day, own.daily, 'ORG_DAILY_BUDGET_EXCEEDED', true],
    [month, everybody.monthly, 'GLOBAL_MONTHLY_BUDGET_EXCEEDED', false],
    [day, everybody.daily, 'GLOBAL_DAILY_BUDGET_EXCEEDED', false],
  ]
  return all.flatMap(([period, cap, code, isOwn]) => (cap === null ? [] : [{ period, cap, code, isOwn }]))
}
