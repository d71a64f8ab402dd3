// Limits the rate of requests. `tenancy/usage` limits money.
export { bucketLimitsOf, type Lane, type LimitedCaller, type RateCeilings } from './lanes.ts'
export { limitHeaders } from './limit-headers.ts'
export { localLimiter } from './local-limiter.ts'
export { limiterOf } from './open-limiter.ts'
export { openTurnstile, openTurnstiles } from './turnstile.ts'
export type { BucketLimit, Limiter, MaybePromise, Verdict } from './verdict.ts'
