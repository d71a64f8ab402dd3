import type { House } from '../context/index.ts'
import { type Duty, forgetOld } from '../jobs/index.ts'
import { oldConsoles } from './console-queries.ts'
import { oldKeys } from './queries.ts'
import { oldSessions } from './session-queries.ts'

const HOUR = 3_600_000

export const accessDuties = (house: Pick<House, 'db' | 'log' | 'settings'>): readonly Duty[] => [
  {
    // Nothing needs these keys: a revoked key is refused as an unknown one is, and the events of the account, which stay,
    // say that it was issued and revoked.
    name: 'access.forget_keys',
    everyMs: HOUR,
    work: (signal) => forgetOld(house, oldKeys, signal, { days: house.settings.account.revokedKeyDays }),
  },
  { name: 'access.sessions.forget', everyMs: HOUR, work: (signal) => forgetOld(house, oldSessions, signal) },
  { name: 'access.consoles.forget', everyMs: HOUR, work: (signal) => forgetOld(house, oldConsoles, signal) },
]
