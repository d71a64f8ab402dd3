import type { House } from '../context/index.ts'
import { localLimiter } from './local-limiter.ts'
import { sharedLimiter } from './shared-limiter.ts'
import { type BucketLimit, bucketKindOf, type Limiter, requireLimit } from './verdict.ts'
import { WaitingLine } from './waiting-line.ts'

export type LimiterOptions = {
  /** The Redis or Valkey through which processes share counts. Without it, each process counts alone. */
  readonly redisUrl?: string | undefined
  /** `RateLimit:QueueLimit`: how many requests per bucket wait instead of being refused. 0 turns waiting off. */
  readonly queueLimit?: number
  /** In milliseconds. A clock that nobody can set, such as `performance.now`, keeps the window exact. */
  readonly now: () => number
  readonly warn: (message: string) => void
  readonly inform?: ((message: string) => void) | undefined
  /** Tests make these shorter or smaller. */
  readonly windowMs?: number
  readonly maxBucketsPerKind?: number
  readonly redisDeadlineMs?: number
  readonly redisRetryMs?: number
  readonly redisKeyPrefix?: string
}

export type OpenLimiter = Limiter & {
  /**
   * Await it before the first request, or this process alone counts the first ones. It never rejects and takes seconds
   * at most.
   */
  ready(): Promise<void>
  /** Answers those who wait and ends the connection. After that, this process decides alone. */
  close(): Promise<void>
}

/** Opens the limiter that the settings describe. */
export const limiterOf = ({ settings, log }: Pick<House, 'settings' | 'log'>): OpenLimiter =>
  openLimiter({
    redisUrl: settings.redis.url,
    queueLimit: settings.rateLimit.queueLimit,
    // A monotonic clock, because a rate limit must not open or close when somebody sets the time.
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

  function takeAll(limits: readonly BucketLimit[], signal?: AbortSignal) {
    for (const bucketLimit of limits) requireLimit(bucketLimit)
    return line ? line.takeAll(limits, signal) : takeNow(limits)
  }
  return {
    take: (bucket, limit, signal) => takeAll([{ name: bucketKindOf(bucket), bucket, limit }], signal),
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

/** The message does not repeat the address, which may contain a password. */
function requireRedisUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined
  if (protocol === 'redis:' || protocol === 'rediss:') return url
  throw new Error('Redis:Url is not an address of Redis or Valkey. Write redis://host:6379, or rediss:// for TLS.')
}
