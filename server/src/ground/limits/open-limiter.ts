import type { House } from '../context/index.ts'
import { localLimiter } from './local-limiter.ts'
import { sharedLimiter } from './shared-limiter.ts'
import { kindOf, type Limiter, requireLimit, type Spend } from './verdict.ts'
import { WaitingLine } from './waiting-line.ts'

export type LimiterOptions = {
  /** Counts are shared through this Redis or Valkey; without it each process counts alone. */
  readonly redisUrl?: string | undefined
  /** `RateLimit:QueueLimit`: how many requests per bucket wait instead of being refused. 0: none. */
  readonly queueLimit?: number
  /** Milliseconds. A clock that cannot be set, such as `performance.now`, keeps the window exact. */
  readonly now: () => number
  readonly warn: (message: string) => void
  readonly inform?: ((message: string) => void) | undefined
  /** What tests make shorter or smaller. */
  readonly windowMs?: number
  readonly maxBucketsPerKind?: number
  readonly redisDeadlineMs?: number
  readonly redisRetryMs?: number
  readonly redisKeyPrefix?: string
}

export type OpenLimiter = Limiter & {
  /** Wait for it before the first request, else the first ones are counted by this process alone. Never rejects, takes seconds at most. */
  ready(): Promise<void>
  /** Answers those who wait and ends the connection. Takes after it are decided by this process alone. */
  close(): Promise<void>
}

/** The limiter of a house, as its settings say. */
export const limiterOf = ({ settings, log }: Pick<House, 'settings' | 'log'>): OpenLimiter =>
  openLimiter({
    redisUrl: settings.redis.url,
    queueLimit: settings.rateLimit.queueLimit,
    // The monotonic clock: a rate limit must not open or shut because somebody set the time.
    now: () => performance.now(),
    warn: (message) => log.warn({}, message),
    inform: (message) => log.info({}, message),
  })

export function openLimiter(options: LimiterOptions): OpenLimiter {
  const { now, warn, inform, windowMs = 60_000, maxBucketsPerKind = 100_000, queueLimit = 0 } = options
  const local = localLimiter({ now, windowMs, maxBucketsPerKind })
  const shared = options.redisUrl
    ? sharedLimiter(local, {
        url: requireRedisUrl(options.redisUrl),
        keyPrefix: options.redisKeyPrefix ?? 'tether:limit:',
        windowMs,
        deadlineMs: options.redisDeadlineMs ?? 100,
        retryMs: options.redisRetryMs ?? 1000,
        warn,
        inform,
      })
    : undefined
  const takeNow = (shared ?? local).takeAll
  const line = queueLimit > 0 ? new WaitingLine(takeNow, queueLimit) : undefined

  function takeAll(spends: readonly Spend[], signal?: AbortSignal) {
    for (const spend of spends) requireLimit(spend)
    return line ? line.takeAll(spends, signal) : takeNow(spends)
  }
  return {
    take: (bucket, limit, signal) => takeAll([{ name: kindOf(bucket), bucket, limit }], signal),
    takeAll,
    async ready() {
      await shared?.ready()
    },
    async close() {
      line?.close()
      await shared?.close()
    },
  }
}

/** Says what is wrong without repeating the address, which may hold a password. */
function requireRedisUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined
  if (protocol === 'redis:' || protocol === 'rediss:') return url
  throw new Error('Redis:Url is not an address of Redis or Valkey: write redis://host:6379, or rediss:// for TLS.')
}
