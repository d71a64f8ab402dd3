import type { House } from '../../ground/context/index.ts'
import type { Duty } from '../../ground/jobs/index.ts'
import { forgetDeliveries, forgetUndelivered } from './queue-queries.ts'

const LOOK_EVERY_MS = 60_000
/** Small enough that nobody has to wait for it. */
const BATCH = 1_000

/** Deletes what is past its time, one batch at a time. */
export function forgetDuty({ db, settings }: House): Duty {
  const { deliveryDays, undeliveredDays } = settings.events
  return {
    name: 'events.forget',
    everyMs: LOOK_EVERY_MS,
    async work() {
      const attempts = await db.one(forgetDeliveries, { days: deliveryDays, limit: BATCH })
      const bodies = await db.one(forgetUndelivered, { days: undeliveredDays, limit: BATCH })
      return (attempts?.forgotten ?? 0) + (bodies?.forgotten ?? 0)
    },
  }
}
