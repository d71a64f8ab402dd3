import type { House } from '../../tenancy/context/index.ts'
import { type Duty, forgetOld } from '../../tenancy/jobs/index.ts'
import { oldLinks } from './queries.ts'
import { answerSignIns } from './sign-in.ts'

export const peopleDuties = (house: House): readonly Duty[] => [
  {
    name: 'people.sign_ins',
    // No bell wakes it; `askSignIn` says why.
    everyMs: 1_000,
    work: (signal) => answerSignIns(house, signal),
  },
  { name: 'people.links.forget', everyMs: 3_600_000, work: (signal) => forgetOld(house, oldLinks, signal) },
]
