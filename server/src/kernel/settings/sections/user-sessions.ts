// How people sign in to the inbox, and for how long.
import { section, setting } from '../setting.ts'
import { decimal } from '../shapes.ts'

const WEEK_IN_MINUTES = 10_080
const MONTH_IN_HOURS = 744

export const userSessions = section('UserSessions', 'How people sign in, and for how long.', {
  linkLifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 15,
    meaning: 'How long a mailed link to sign in works.',
  }),
  lifetimeHours: setting(decimal(0.001, MONTH_IN_HOURS), {
    default: 12,
    meaning: 'How long a session lasts at most, however much it is used.',
  }),
  idleMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), {
    default: 120,
    meaning: 'How long a session that nobody uses lasts.',
  }),
})
