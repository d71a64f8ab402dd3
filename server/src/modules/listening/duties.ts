import type { House } from '../../tenancy/context/index.ts'
import { type Duty, sweep } from '../../tenancy/jobs/index.ts'
import * as sql from './queries.ts'

const MINUTE = 60_000
const BATCH = 200
/** For so long nobody has waited for what is forgotten. */
const LEFT_SECONDS = 60
const SILENT_SECONDS = 3_600

/** Forgets what processes left behind that were killed, and the lines of listeners who do not come back. */
export const listeningDuties = (house: Pick<House, 'db' | 'log'>): readonly Duty[] => [
  {
    name: 'listening.forget_left',
    everyMs: MINUTE,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'listening.forget_left',
          batch: BATCH,
          look: (what) => house.db.rows(sql.listLeft, { ...what, seconds: LEFT_SECONDS }),
          take: (these) => house.db.one(sql.forgetLeft, { ...these, seconds: LEFT_SECONDS }),
        },
        signal,
      ),
  },
  {
    name: 'listening.forget_silent',
    everyMs: 10 * MINUTE,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'listening.forget_silent',
          batch: BATCH,
          look: (what) => house.db.rows(sql.listSilent, { ...what, seconds: SILENT_SECONDS }),
          take: (these) => house.db.one(sql.forgetSilent, { ...these, seconds: SILENT_SECONDS }),
        },
        signal,
      ),
  },
]
