// What a limiter takes and returns. One place computes the verdict, so that the limiter in this process and the one in
// Redis cannot differ, and a refusal reads the same from either.

/**
 * One limit that a request must pass: at most `limit` admissions to `bucket` within any window. 0 refuses everything.
 */
export type BucketLimit = { readonly name: string; readonly bucket: string; readonly limit: number }

/**
 * A bucket before the request: admissions in the window, time until a permit is free (0 means now), time until the
 * oldest leaves.
 */
export type Standing = { readonly used: number; readonly waitMs: number; readonly resetMs: number }

export type Verdict = {
  readonly admitted: boolean
  /**
   * The limit that decided: for an admitted request the one closest to its end, for a refused one the one that opens
   * last.
   */
  readonly name: string
  readonly bucket: string
  /** Infinity if no limit applies to the request. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next permit comes back; for a refusal the same as `retryAfterSeconds`. */
  readonly resetSeconds: number
  /** 0 if the request is admitted, otherwise at least 1. */
  readonly retryAfterSeconds: number
  /** `retryAfterSeconds` before rounding, for requests that wait in this process. */
  readonly waitMs: number
}

export type MaybePromise<Value> = Value | Promise<Value>

export type Limiter = {
  /** Takes one permit of one bucket, or none. */
  take(bucket: string, limit: number, signal?: AbortSignal): MaybePromise<Verdict>
  /** Takes one permit of every bucket, or of none if any of them refuses. */
  takeAll(limits: readonly BucketLimit[], signal?: AbortSignal): MaybePromise<Verdict>
}

const neverLimited: Verdict = {
  admitted: true,
  name: 'none',
  bucket: '',
  limit: Number.POSITIVE_INFINITY,
  remaining: Number.POSITIVE_INFINITY,
  resetSeconds: 0,
  retryAfterSeconds: 0,
  waitMs: 0,
}

/** A bucket's kind is the text before its first colon: `runtime:{…}` has the kind `runtime`. */
export function bucketKindOf(bucket: string): string {
  const colon = bucket.indexOf(':')
  return colon < 0 ? bucket : bucket.slice(0, colon)
}

/**
 * Settings are checked where they are read. A limit that is not a count here is our own error, and must not admit
 * anyone.
 */
export function requireLimit(bucketLimit: BucketLimit): void {
  if (Number.isSafeInteger(bucketLimit.limit) && bucketLimit.limit >= 0) return
  throw new RangeError(
    `The limit of "${bucketLimit.name}" is ${bucketLimit.limit}, but it must be a whole number from 0 up.`,
  )
}

/** Decides on a request from the standings of its buckets. It is admitted if every bucket has a permit left. */
export function verdictOn(limits: readonly BucketLimit[], standings: readonly Standing[], windowMs: number): Verdict {
  let verdict = neverLimited
  for (const [index, bucketLimit] of limits.entries()) {
    const standing = standings[index]
    if (!standing) throw new Error(`The standing of bucket ${index + 1} of ${limits.length} is missing.`)
    const own = verdictOf(bucketLimit, standing, windowMs)
    if (outweighs(own, verdict)) verdict = own
  }
  return verdict
}

function verdictOf(bucketLimit: BucketLimit, standing: Standing, windowMs: number): Verdict {
  const { name, bucket, limit } = bucketLimit
  if (standing.used >= limit) {
    const seconds = inSeconds(standing.waitMs)
    return {
      admitted: false,
      name,
      bucket,
      limit,
      remaining: 0,
      resetSeconds: seconds,
      retryAfterSeconds: seconds,
      waitMs: standing.waitMs,
    }
  }
  // In an empty bucket, this request itself is the oldest admission.
  const resetSeconds = inSeconds(standing.used === 0 ? windowMs : standing.resetMs)
  return {
    admitted: true,
    name,
    bucket,
    limit,
    remaining: limit - standing.used - 1,
    resetSeconds,
    retryAfterSeconds: 0,
    waitMs: 0,
  }
}

function outweighs(one: Verdict, other: Verdict): boolean {
  if (one.admitted !== other.admitted) return !one.admitted
  return one.admitted ? one.remaining < other.remaining : one.waitMs > other.waitMs
}

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** The headers of an answer under a rate limit; empty if the request is not limited. */
export function limitHeaders(verdict: Verdict): Record<string, string> {
  if (verdict.limit === Number.POSITIVE_INFINITY) return {}
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.resetSeconds),
  }
  if (!verdict.admitted) headers['Retry-After'] = String(verdict.retryAfterSeconds)
  return headers
}
