// An exact sliding window in one process: it admits a request if and only if it admitted fewer than `limit` in the
// window before. Everything here is synchronous, so a compound take is atomic.
import { addAdmission, forgetUntil, timeAt } from './admission-log.ts'
import { bucketTable } from './bucket-table.ts'
import { type BucketLimit, requireLimit, type Standing, type Verdict, verdictOn } from './verdict.ts'

export type LocalLimiter = {
  /** Returns the verdict that a take would give, without taking. */
  peek(limits: readonly BucketLimit[]): Verdict
  takeAll(limits: readonly BucketLimit[]): Verdict
  /** Counts an admission that was decided elsewhere. */
  record(limits: readonly BucketLimit[]): void
  /** How many buckets are in memory. */
  size(): number
}

type LocalOptions = { readonly now: () => number; readonly windowMs: number; readonly maxBucketsPerKind: number }

export function localLimiter({ now, windowMs, maxBucketsPerKind }: LocalOptions): LocalLimiter {
  const table = bucketTable(windowMs, maxBucketsPerKind)
  const clock = neverBack(now)

  function standingOf(bucketLimit: BucketLimit, at: number): Standing {
    requireLimit(bucketLimit)
    const log = table.find(bucketLimit.bucket, at)
    if (log) forgetUntil(log, at - windowMs)
    // A ceiling of 0 never opens, so we suggest a retry after a window, when somebody may have raised it.
    if (!log || log.count === 0) return { used: 0, waitMs: bucketLimit.limit === 0 ? windowMs : 0, resetMs: 0 }
    const untilGone = (index: number) => timeAt(log, index) + windowMs - at
    const full = log.count >= bucketLimit.limit
    const waitMs = bucketLimit.limit === 0 ? windowMs : full ? untilGone(log.count - bucketLimit.limit) : 0
    return { used: log.count, waitMs, resetMs: untilGone(0) }
  }

  function verdictAt(limits: readonly BucketLimit[], at: number): Verdict {
    table.age(at)
    const standings = limits.map((bucketLimit) => standingOf(bucketLimit, at))
    return verdictOn(limits, standings, windowMs)
  }

  function recordAt(limits: readonly BucketLimit[], at: number): void {
    for (const { bucket } of limits) addAdmission(table.findOrAdd(bucket, at), at)
  }

  return {
    peek: (limits) => verdictAt(limits, clock()),
    takeAll(limits) {
      const at = clock()
      const verdict = verdictAt(limits, at)
      if (verdict.admitted) recordAt(limits, at)
      return verdict
    },
    record: (limits) => recordAt(limits, clock()),
    size: () => table.size(),
  }
}

/** If somebody sets the clock back, full buckets would stay full for that much longer. So we subtract the step. */
function neverBack(now: () => number): () => number {
  let ahead = 0
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const read = now()
    if (read + ahead < last) ahead = last - read
    last = read + ahead
    return last
  }
}
