// What a limiter is asked and what it answers. The answer is computed in one place, so that the limiter in this process
// and the one in Redis cannot differ in words, and a refusal reads the same whoever refused.

/** One ceiling that a request has to pass: at most `limit` admissions to `bucket` within any window. 0 refuses everything. */
export type Spend = { readonly name: string; readonly bucket: string; readonly limit: number }

/** How a bucket stands before the request: admissions in the window, time until a permit is free (0: now), time until the oldest leaves. */
export type Standing = { readonly used: number; readonly waitMs: number; readonly resetMs: number }

export type Verdict = {
  readonly admitted: boolean
  /** The ceiling that decided: of an admitted request the one nearest to its end, of a refused one the one that opens last. */
  readonly name: string
  readonly bucket: string
  /** Infinity when no ceiling applies to the request. */
  readonly limit: number
  readonly remaining: number
  /** When the next permit comes back; on a refusal the same moment as `retryAfterSeconds`. */
  readonly resetSeconds: number
  /** 0 when admitted, else at least 1. */
  readonly retryAfterSeconds: number
  /** `retryAfterSeconds` before rounding, for those who wait in this process. */
  readonly waitMs: number
}

export type MaybePromise<Value> = Value | Promise<Value>

export type Limiter = {
  /** Spends one permit of one bucket, or none. */
  take(bucket: string, limit: number, signal?: AbortSignal): MaybePromise<Verdict>
  /** Spends one permit of every bucket, or, when any of them refuses, of none. */
  takeAll(spends: readonly Spend[], signal?: AbortSignal): MaybePromise<Verdict>
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

/** The kind of a bucket is the text before its first colon: `runtime:{…}` is of the kind `runtime`. */
export function kindOf(bucket: string): string {
  const colon = bucket.indexOf(':')
  return colon < 0 ? bucket : bucket.slice(0, colon)
}

/** Settings are checked where they are read; a limit that is no count here is a fault of ours and must not admit anyone. */
export function requireLimit(spend: Spend): void {
  if (Number.isSafeInteger(spend.limit) && spend.limit >= 0) return
  throw new RangeError(`The limit of "${spend.name}" is ${spend.limit}: give a whole number, 0 or more.`)
}

/** The verdict on a request whose buckets stand like this. The request is admitted if every bucket has a permit left. */
export function judge(spends: readonly Spend[], standings: readonly Standing[], windowMs: number): Verdict {
  let verdict = neverLimited
  for (const [index, spend] of spends.entries()) {
    const standing = standings[index]
    if (!standing) throw new Error(`The standing of bucket ${index + 1} of ${spends.length} is missing.`)
    const own = verdictOf(spend, standing, windowMs)
    if (outweighs(own, verdict)) verdict = own
  }
  return verdict
}

function verdictOf(spend: Spend, standing: Standing, windowMs: number): Verdict {
  const { name, bucket, limit } = spend
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
  // The oldest admission of an empty bucket is this request itself.
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
