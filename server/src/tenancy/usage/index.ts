// The cost of models: the ledger of usage, the ceilings, the daily allowance.

import { refuse } from '../../kernel/http/index.ts'
import type { House } from '../context/index.ts'
import { forgetOld, LARGE_TABLE, type RowSweep, sweepRows } from '../jobs/index.ts'
import { periodsOf } from './periods.ts'
import {
  countConversations,
  countTurns,
  lapseHolds,
  listModels,
  listSpend,
  listTurnDays,
  listUnreported,
  type ModelTokens,
  oldDays,
  oldHolds,
  oldTurns,
  oldUsage,
  quotaEnds,
  readSandboxSpend,
  readSpend,
  sumSandboxSpend,
  type TurnCounts,
  takeTurns,
} from './queries.ts'

export { type Period, periodOf } from './asked-period.ts'
export { type BudgetCode, leastOf, type Reserved, reserve, type SpendCeilings } from './budget.ts'
export { type Ledger, openLedger } from './ledger.ts'
export { isFree, type PlanTerms, planTerms } from './plan-terms.ts'
export type { ModelTokens, TurnCounts } from './queries.ts'
export type { LedgerRow, RecordRow, UsageRow } from './rows.ts'
export { ownCeilings, type Spender, type Spending, spendingOf } from './spending.ts'
export { openSpendingWatch } from './watch.ts'

/** A tenant's spending in the current UTC day and month. */
export async function spendOf({ db, clock }: Pick<House, 'db' | 'clock'>, tenantId: number) {
  const { day, month } = periodsOf(clock.now())
  const rows = await db.rows(readSpend, { tenantId, day, month })
  const of = (period: string) => rows.find((row) => row.period === period)?.spentUsd ?? 0
  return { dailyUsd: of(day), monthlyUsd: of(month) }
}

/** What a tenant spent on each UTC day, from the first date to the last, with those on which it spent nothing. */
export async function spendByDay({ db, clock }: Pick<House, 'db' | 'clock'>, tenantId: number, days: number) {
  const now = clock.now()
  const dates = Array.from({ length: days }, (_, back) => periodsOf(now - (days - 1 - back) * DAY).day)
  const rows = await db.rows(listSpend, { tenantId, dates })
  const of = new Map(rows.map(({ date, spentUsd }) => [date, spentUsd]))
  return dates.map((date) => ({ date, spentUsd: of.get(date) ?? 0 }))
}

/** What a sandbox has cost in its life, and all of them together on the current UTC day; what is reserved counts. */
export async function sandboxSpend({ db, clock }: Pick<House, 'db' | 'clock'>, tenantId: number) {
  const [own, all] = await Promise.all([
    db.one(readSandboxSpend, { tenantId }),
    db.one(sumSandboxSpend, { day: periodsOf(clock.now()).day }),
  ])
  return { ownUsd: own?.usd ?? 0, todayUsd: all?.usd ?? 0 }
}

/** Takes one turn of a daily allowance, or several at once, or refuses. With 0 there is no allowance to count. */
export async function spendTurns(
  { db }: Pick<House, 'db'>,
  tenantId: number,
  most: number,
  turns: number,
): Promise<void> {
  if (most === 0 || (await db.one(takeTurns, { tenantId, most, turns })) !== undefined) return
  const seconds = (await db.one(quotaEnds, { tenantId }))?.seconds ?? 1
  throw refuse(
    'plan_quota_exceeded',
    `The free plan includes ${most} turns in 24 hours, and ${turns === 1 ? 'they are used up' : `fewer than ${turns} are left`}. Wait, or change the plan.`,
    {},
    { 'retry-after': String(seconds) },
  )
}

const DAY = 86_400_000

/** Reservations whose process died count as spent. Those that nobody can correct any longer are forgotten. */
export async function lapseReservations(
  house: Pick<House, 'db' | 'log' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  const { db } = house
  const unreported: RowSweep = {
    name: 'usage.lapse',
    batch: 200,
    look: (what) => db.rows(listUnreported, what),
    takeRows: (tx, these) => tx.rows(lapseHolds, these),
  }
  return (await sweepRows(house, unreported, signal)) + (await forgetOld(house, oldHolds, signal, { batch: 200 }))
}

type Between = { readonly from: Date; readonly to: Date }

/** How turns ended on each UTC day from one midnight to another, as it was counted when they ended. */
export const turnDays = ({ db }: Pick<House, 'db'>, tenantId: number, { from, to }: Between): Promise<TurnCounts[]> =>
  db.rows(listTurnDays, { tenantId, from, to })

/** The same by looking at every turn, for a part of a day. */
export const turnCounts = ({ db }: Pick<House, 'db'>, tenantId: number, { from, to }: Between): Promise<TurnCounts[]> =>
  db.rows(countTurns, { tenantId, from, to })

/** How many conversations had a turn in a period. It looks at every turn. */
export async function conversationCount({ db }: Pick<House, 'db'>, tenantId: number, { from, to }: Between) {
  return (await db.one(countConversations, { tenantId, from, to }))?.count ?? 0
}

/** What each model took in the last days, of which the current UTC day is one. */
export function tokensByModel(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  tenantId: number,
  days: number,
): Promise<ModelTokens[]> {
  const tomorrow = (Math.floor(clock.now() / DAY) + 1) * DAY
  return db.rows(listModels, { tenantId, from: new Date(tomorrow - days * DAY), to: new Date(tomorrow) })
}

/**
 * That a conversation was counted on a day needs to be known while turns of that day may still be written. They may come late, out of
 * files, and hardly this late.
 */
const COUNTED_DAYS = 45

/** Forgets turns and rounds that are older than they are kept; 0 keeps them. What was counted of them by day stays. */
export async function forgetUsage(
  house: Pick<House, 'db' | 'log' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  const { turnDays, ledgerDays } = house.settings.ai.usage
  let taken = 0
  for (const [old, days] of [
    [oldTurns, turnDays],
    [oldUsage, ledgerDays],
    [oldDays, COUNTED_DAYS],
  ] as const)
    if (days > 0) taken += await forgetOld(house, old, signal, { ...LARGE_TABLE, days })
  return taken
}
