import type { House } from '../../tenancy/context/index.ts'
import type { Duty } from '../../tenancy/jobs/index.ts'
import { forgetUsage, lapseReservations, openSpendingWatch } from '../../tenancy/usage/index.ts'
import { forgetOld } from './sessions/erase.ts'

const MINUTE = 60_000

/** The regular work of conversations. */
export const chatDuties = (house: House): readonly Duty[] => [
  { name: 'usage.watch', everyMs: 15 * MINUTE, work: openSpendingWatch(house) },
  { name: 'chat.forget', everyMs: 10 * MINUTE, work: (signal) => forgetOld(house, signal) },
  { name: 'usage.lapse', everyMs: MINUTE, work: (signal) => lapseReservations(house, signal) },
  { name: 'usage.forget', everyMs: 10 * MINUTE, work: (signal) => forgetUsage(house, signal) },
]
