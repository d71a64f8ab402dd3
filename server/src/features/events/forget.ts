import type { House } from '../../ground/context/index.ts'
import { type Duty, type Sweep, sweep } from '../../ground/jobs/index.ts'
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
    work: async (signal) => (await sweep(house, attempts, signal)) + (await sweep(house, bodies, signal)),
  }
}

function oldAttempts({ db, settings }: House): Sweep {
  const days = settings.events.deliveryDays
  return {
    name: 'events.forget_deliveries',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(listOldDeliveries, { ...what, days }),
    take: (these) => db.one(forgetDeliveries, { ...these, days }),
  }
}

function oldBodies({ db, settings }: House): Sweep {
  const days = settings.events.undeliveredDays
  return {
    name: 'events.forget_undelivered',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(listOldBodies, { ...what, days }),
    take: (these) => db.one(forgetUndelivered, { ...these, days }),
  }
}
