import type { House } from '../../ground/context/index.ts'
import { lapseReservations, openWatch } from '../../ground/usage/index.ts'
import { forgetOld } from './sessions/erase.ts'

type Duty = { readonly name: string; readonly everyMs: number; work(signal: AbortSignal): Promise<number> }

const MINUTE = 60_000

/** What has to be done whether or not anybody asks. */
export const chatDuties = (house: House): readonly Duty[] => [
  { name: 'usage.watch', everyMs: 15 * MINUTE, work: openWatch(house) },
  { name: 'chat.forget', everyMs: 10 * MINUTE, work: (signal) => forgetOld(house, signal) },
  { name: 'usage.lapse', everyMs: MINUTE, work: (signal) => lapseReservations(house, signal) },
]
