import type { House } from '../context/index.ts'
import { forgetOld, LARGE_TABLE } from '../jobs/index.ts'
import { oldDays, oldTurns, oldUsage } from './forget-queries.ts'

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
