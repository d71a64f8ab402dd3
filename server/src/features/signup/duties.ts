import type { House } from '../../ground/context/index.ts'
import type { Duty } from '../../ground/mail/index.ts'
import { forgetLedger, forgetLinks, RECOVERY_CHANNEL } from './queries.ts'
import { answerRecoveries } from './recover.ts'

export const signupDuties = (house: House): readonly Duty[] => [
  {
    name: 'signup.recoveries',
    everyMs: 2_000,
    wokenBy: RECOVERY_CHANNEL,
    work: (signal) => answerRecoveries(house, signal),
  },
  {
    name: 'signup.forget',
    everyMs: 3_600_000,
    work: async () => (await house.db.run(forgetLedger, [])) + (await house.db.run(forgetLinks, [])),
  },
]
