import type { House } from '../context/index.ts'
import { type Duty, type RowSweep, sweepRows } from '../jobs/index.ts'
import { forgetDeliveries, forgetUndelivered, listOldBodies, listOldDeliveries } from './queue-queries.ts'

const LOOK_EVERY_MS = 60_000
/** A look finds as many, and a statement takes so many of one workspace that nobody has to wait for it. */
const BATCH = 20_000
const TOGETHER = 1_000

/** Deletes what is past its time, one batch at a time. */
export function forgetDuty(house: House): Duty {
  const attempts = oldAttempts(house)
  const bodies = oldBodies(house)
  return {
    name: 'events.forget',
    everyMs: LOOK_EVERY_MS,
    work: async (signal) => (await sweepRows(house, attempts, signal)) + (await sweepRows(house, bodies, signal)),
  }
}

function oldAttempts({ db, settings }: House): RowSweep {
  const days = settings.events.deliveryDays
  return {
    name: 'events.forget_deliveries',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(listOldDeliveries, { ...what, days }),
    takeRows: (tx, these) => tx.rows(forgetDeliveries, { ...these, days }),
  }
}

function oldBodies({ db, settings }: House): RowSweep {
  const days = settings.events.undeliveredDays
  return {
    name: 'events.forget_undelivered',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(listOldBodies, { ...what, days }),
    takeRows: (tx, these) => tx.rows(forgetUndelivered, { ...these, days }),
  }
}
