import type { House } from '../../tenancy/context/index.ts'
import { type Duty, type RowSweep, sweepRows } from '../../tenancy/jobs/index.ts'
import { forgetCalls, listOldCalls } from './queries.ts'

const TEN_MINUTES = 600_000
/** A look finds as many, and a statement takes so many of one workspace that nobody has to wait for it. */
const BATCH = 20_000
const TOGETHER = 1_000

/** Forgets the telemetry of calls that are older than it is kept. What a call changed is in the audit, which stays. */
export const callDuties = ({ db, log, settings }: Pick<House, 'db' | 'log' | 'settings'>): readonly Duty[] => {
  const days = settings.toolTransport.callDays
  const old: RowSweep = {
    name: 'calls.forget',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => db.rows(listOldCalls, { ...what, days }),
    takeRows: (tx, these) => tx.rows(forgetCalls, { ...these, days }),
  }
  return [
    { name: 'calls.forget', everyMs: TEN_MINUTES, work: (signal) => sweepRows({ db, log, settings }, old, signal) },
  ]
}
