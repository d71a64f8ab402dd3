import type { House } from '../context/index.ts'
import { type Sweep, sweep } from '../jobs/index.ts'
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
  for (const old of sweepsOf(house)) taken += await sweep(house, old, signal)
  return taken
}

function sweepsOf({ db, settings }: Pick<House, 'db' | 'settings'>): readonly Sweep[] {
  const { turnDays, ledgerDays } = settings.ai.usage
  const turns: Sweep = {
    name: 'usage.forget_turns',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldTurns, { ...what, days: turnDays }),
    take: (these) => db.one(sql.forgetTurns, { ...these, days: turnDays }),
  }
  const rows: Sweep = {
    name: 'usage.forget_rows',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldRows, { ...what, days: ledgerDays }),
    take: (these) => db.one(sql.forgetRows, { ...these, days: ledgerDays }),
  }
  const counted: Sweep = {
    name: 'usage.forget_days',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(sql.listOldDays, { ...what, days: COUNTED_DAYS }),
    take: (these) => db.one(sql.forgetDays, { ...these, days: COUNTED_DAYS }),
  }
  return [...(turnDays === 0 ? [] : [turns]), ...(ledgerDays === 0 ? [] : [rows]), counted]
}
