import type { House } from '../../tenancy/context/index.ts'
import { type Duty, sweep } from '../../tenancy/jobs/index.ts'
import * as sql from './queries.ts'

const BATCH = 200

/** Reminds whoever may decide, of each write once at each of its moments, whichever process finds it. */
export function remindAll(house: Pick<House, 'db' | 'log' | 'settings'>, signal?: AbortSignal): Promise<number> {
  const { db, settings } = house
  const remindAt = settings.ai.approvals.remindAt.toSorted((one, other) => one - other)
  const waiting = {
    name: 'actions.remind',
    batch: BATCH,
    look: (what: { passedOver: readonly number[]; limit: number }) => db.rows(sql.listToRemind, { ...what, remindAt }),
    take: (these: { tenantId: number; ids: readonly string[] }) => db.one(sql.remindDue, { ...these, remindAt }),
  }
  return sweep(house, waiting, signal)
}

export const reminderDuties = (house: House): readonly Duty[] => [
  {
    name: 'actions.remind',
    everyMs: house.settings.ai.approvals.expirySweep.intervalSeconds * 1000,
    work: (signal) => remindAll(house, signal),
  },
]
