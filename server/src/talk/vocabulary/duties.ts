import type { House } from '../../tenancy/context/index.ts'
import { type Duty, sweep } from '../../tenancy/jobs/index.ts'
import { KEPT_DAYS } from './limits.ts'
import { forget, listOld } from './queries.ts'

const HOUR = 3_600_000

/** Forgets suggestions that were decided long ago. */
export const vocabularyDuties = (house: Pick<House, 'db' | 'log'>): readonly Duty[] => [
  {
    name: 'vocabulary.forget',
    everyMs: HOUR,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'vocabulary.forget',
          batch: 200,
          look: (what) => house.db.rows(listOld, { ...what, days: KEPT_DAYS }),
          take: (these) => house.db.one(forget, { ...these, days: KEPT_DAYS }),
        },
        signal,
      ),
  },
]
