import type { House } from '../../ground/context/index.ts'
import type { Duty } from '../../ground/jobs/index.ts'
import { forgetLinks, forgetTally } from './queries.ts'
import { answerRecoveries } from './recover.ts'

export const signupDuties = (house: House): readonly Duty[] => [
  {
    name: 'signup.recoveries',
    // No bell wakes it; `askRecovery` says why.
    everyMs: 2_000,
    work: (signal) => answerRecoveries(house, signal),
  },
  {
    name: 'signup.forget',
    everyMs: 3_600_000,
    work: async () => (await house.db.run(forgetTally)) + (await house.db.run(forgetLinks)),
  },
]
