// Limits the rate of requests. `tenancy/usage` limits money.
export { bucketLimitsOf, type Lane, type LimitedCaller, type RateCeilings } from './lanes.ts'
export { localLimiter } from './local-limiter.ts'
export { limiterOf } from './open-limiter.ts'
export { openTurnstile, openTurnstiles } from './turnstile.ts'
export { type BucketLimit, type Limiter, limitHeaders, type MaybePromise, type Verdict } from './verdict.ts'
