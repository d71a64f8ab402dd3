import type { House } from '../context/index.ts'
import { type Duty, forgetOld, LARGE_TABLE } from '../jobs/index.ts'
import { oldBodies, oldDeliveries } from './queue-queries.ts'

/** Deletes what is past its time, one batch at a time. */
export function forgetDuty(house: House): Duty {
  const { deliveryDays, undeliveredDays } = house.settings.events
  return {
    name: 'events.forget',
    everyMs: 60_000,
    work: async (signal) =>
      (await forgetOld(house, oldDeliveries, signal, { ...LARGE_TABLE, days: deliveryDays })) +
      (await forgetOld(house, oldBodies, signal, { ...LARGE_TABLE, days: undeliveredDays })),
  }
}
