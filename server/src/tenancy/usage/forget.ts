import type { House } from '../context/index.ts'
import { type RowSweep, sweepRows } from '../jobs/index.ts'
import * as sql from './forget-queries.ts'

/** A look finds as many, and a statement takes so many of one workspace that nobody has to wait for it. */
const BATCH = 20_000
const TOGETHER = 1_000
/**
 * That a conversation was counted on a day needs to be known while turns of that day may still be written. They may come late, out of
 * files, and hardly this late.
 */
const COUNTED_DAYS = 45

/** Forgets turns and rounds that are older than they are kept. What was counted of them by day stays. */
export async function forgetUsage(
  house: Pick<House, 'db' | 'log' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  let taken = 0
  for (const old of sweepsOf(house)) taken += await sweepRows(house, old, signal)
  return taken
}

function sweepsOf({ db, settings }: Pick<House, 'db' | 'settings'>): readonly RowSweep[] {
  const { turnDays, ledgerDays } = settings.ai.usage
  const turns: RowSweep = {
    name: 'usage.forget_turns',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldTurns, { ...what, days: turnDays }),
    takeRows: (tx, these) => tx.rows(sql.forgetTurns, { ...these, days: turnDays }),
  }
  const rows: RowSweep = {
    name: 'usage.forget_rows',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldRows, { ...what, days: ledgerDays }),
    takeRows: (tx, these) => tx.rows(sql.forgetRows, { ...these, days: ledgerDays }),
  }
  const counted: RowSweep = {
    name: 'usage.forget_days',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldDays, { ...what, days: COUNTED_DAYS }),
    takeRows: (tx, these) => tx.rows(sql.forgetDays, { ...these, days: COUNTED_DAYS }),
  }
  return [...(turnDays === 0 ? [] : [turns]), ...(ledgerDays === 0 ? [] : [rows]), counted]
}
