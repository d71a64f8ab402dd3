import type { House } from '../../tenancy/context/index.ts'
import type { Duty } from '../../tenancy/jobs/index.ts'
import { forgetFrames } from './queries.ts'
import { slotSecondsOf } from './tape.ts'

const MINUTE = 60_000

/** Empties what can no longer be read. */
export const streamDuties = ({ db, settings }: House): readonly Duty[] => [
  {
    name: 'streams.forget',
    everyMs: MINUTE,
    async work() {
      await db.one(forgetFrames, { seconds: slotSecondsOf(settings) })
      return 0
    },
  },
]
