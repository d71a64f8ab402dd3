import { newUuid } from '../../kernel/ids/index.ts'
import type { House } from '../context/index.ts'
import { type Periods, periodsOf } from './periods.ts'
import { hold, holdForAll, insertHold } from './queries.ts'

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

/**
 * Reserves a round's possible cost under every ceiling, or under none of them. Without a ceiling it does not ask the
 * database.
 */
export async function reserve(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  request: ReservationRequest,
): Promise<Reserved> {
  const ceilings = ceilingsFor(request, periodsOf(clock.now()))
  if (ceilings.length === 0) return { ok: true, holdId: null }
  const shut = ceilings.find(({ cap }) => cap <= 0)
  if (shut !== undefined) return { ok: false, code: shut.code }
  const holdId = newUuid(clock.now())
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
        const held = isOwn
          ? await tx.one(hold, { tenantId: request.tenantId, period, amount: request.amountUsd, cap })
          : await tx.one(holdForAll, { period, amount: request.amountUsd, cap })
        if (held === undefined) throw new CeilingReached(code)
      }
    })
    return { ok: true, holdId }
  } catch (error) {
    if (error instanceof CeilingReached) return { ok: false, code: error.code }
    throw error
  }
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
