import type { House } from '../../tenancy/context/index.ts'
import { type Duty, forgetOld, LARGE_TABLE } from '../../tenancy/jobs/index.ts'
import { oldCalls } from './queries.ts'

/** Forgets the telemetry of calls that are older than it is kept. What a call changed is in the audit, which stays. */
export const callDuties = (house: Pick<House, 'db' | 'log' | 'settings'>): readonly Duty[] => {
  const days = house.settings.toolTransport.callDays
  const work = (signal: AbortSignal) => forgetOld(house, oldCalls, signal, { ...LARGE_TABLE, days })
  return [{ name: 'calls.forget', everyMs: 600_000, work }]
}
