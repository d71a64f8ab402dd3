// Limits the rate of requests. `tenancy/usage` limits money.
export { bucketLimitsOf, type Lane, type LimitedCaller } from './lanes.ts'
export { localLimiter } from './local-limiter.ts'
export { limiterOf } from './open-limiter.ts'
export { openTurnstile, openTurnstiles } from './turnstile.ts'
export { type Limiter, limitHeaders, type Verdict } from './verdict.ts'
