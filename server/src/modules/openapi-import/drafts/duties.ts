import type { House } from '../../../tenancy/context/index.ts'
import { type Duty, sweep } from '../../../tenancy/jobs/index.ts'
import { DRAFT_DAYS } from './keep.ts'
import * as sql from './queries.ts'

const HOUR = 3_600_000

/** Forgets drafts that nobody registered: each holds a document of up to 16 MiB. */
export const draftDuties = (house: Pick<House, 'db' | 'log'>): readonly Duty[] => [
  {
    name: 'drafts.forget_old',
    everyMs: HOUR,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'drafts.forget_old',
          batch: 200,
          look: (what) => house.db.rows(sql.listOld, { ...what, days: DRAFT_DAYS }),
          take: (these) => house.db.one(sql.forgetOld, { ...these, days: DRAFT_DAYS }),
        },
        signal,
      ),
  },
]
