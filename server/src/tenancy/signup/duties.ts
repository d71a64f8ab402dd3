import type { House } from '../context/index.ts'
import { type Duty, forgetOld } from '../jobs/index.ts'
import { answerConsoleRequests } from './console-link.ts'
import { forgetTally, oldLinks } from './queries.ts'
import { answerRecoveries } from './recover.ts'

export const signupDuties = (house: House): readonly Duty[] => [
  {
    name: 'signup.recoveries',
    // No bell wakes it; `askRecovery` says why.
    everyMs: 2_000,
    work: (signal) => answerRecoveries(house, signal),
  },
  {
    name: 'signup.consoles',
    // No bell wakes it either.
    everyMs: 1_000,
    work: (signal) => answerConsoleRequests(house, signal),
  },
  {
    name: 'signup.forget',
    everyMs: 3_600_000,
    work: async (signal) => (await house.db.run(forgetTally)) + (await forgetOld(house, oldLinks, signal)),
  },
]
