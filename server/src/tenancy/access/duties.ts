import type { House } from '../context/index.ts'
import { type Duty, type RowSweep, sweepRows } from '../jobs/index.ts'
import { forgetKeys, listOldKeys } from './queries.ts'

const HOUR = 3_600_000
const BATCH = 500

/**
 * Forgets keys that were revoked long ago. Nothing asks for them: a revoked key is refused as an unknown one is, and that it was
 * issued and revoked stands in the events of the account, which stay.
 */
export const accessDuties = ({ db, log, settings }: Pick<House, 'db' | 'log' | 'settings'>): readonly Duty[] => {
  const days = settings.account.revokedKeyDays
  const old: RowSweep = {
    name: 'access.forget_keys',
    batch: BATCH,
    look: (what) => db.rows(listOldKeys, { ...what, days }),
    takeRows: (tx, these) => tx.rows(forgetKeys, { ...these, days }),
  }
  return [
    { name: 'access.forget_keys', everyMs: HOUR, work: (signal) => sweepRows({ db, log, settings }, old, signal) },
  ]
}
