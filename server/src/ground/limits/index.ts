// The door of the room: request rates. Budgets of money are not decided here.
export { type Caller, type Ceilings, type Lane, spendsOf } from './lanes.ts'
export { limitHeaders } from './limit-headers.ts'
export { limiterOf, type OpenLimiter } from './open-limiter.ts'
export type { Limiter, MaybePromise, Spend, Verdict } from './verdict.ts'
