// The exact sliding window inside one process: a request is admitted if and only if fewer than `limit` were admitted in
// the window before it. Everything here is synchronous, so a compound take is atomic by itself.
import { forgetUntil, record, timeAt } from './admission-log.ts'
import { bucketTable } from './bucket-table.ts'
import { judge, requireLimit, type Spend, type Standing, type Verdict } from './verdict.ts'

export type LocalLimiter = {
  /** The verdict that a take would give, without taking. */
  peek(spends: readonly Spend[]): Verdict
  takeAll(spends: readonly Spend[]): Verdict
  /** Counts an admission that was decided elsewhere. */
  record(spends: readonly Spend[]): void
  /** How many buckets are held in memory. */
  size(): number
}

type LocalOptions = { readonly now: () => number; readonly windowMs: number; readonly maxBucketsPerKind: number }

export function localLimiter({ now, windowMs, maxBucketsPerKind }: LocalOptions): LocalLimiter {
  const table = bucketTable(windowMs, maxBucketsPerKind)
  const clock = neverBack(now)

  function standingOf(spend: Spend, at: number): Standing {
    requireLimit(spend)
    const log = table.find(spend.bucket, at)
    if (log) forgetUntil(log, at - windowMs)
    // A ceiling of 0 never opens; the window is the honest pace at which to look whether it was raised.
    if (!log || log.count === 0) return { used: 0, waitMs: spend.limit === 0 ? windowMs : 0, resetMs: 0 }
    const untilGone = (index: number) => timeAt(log, index) + windowMs - at
    const full = log.count >= spend.limit
    const waitMs = spend.limit === 0 ? windowMs : full ? untilGone(log.count - spend.limit) : 0
    return { used: log.count, waitMs, resetMs: untilGone(0) }
  }

  function verdictAt(spends: readonly Spend[], at: number): Verdict {
    table.age(at)
    const standings = spends.map((spend) => standingOf(spend, at))
    return judge(spends, standings, windowMs)
  }

  function recordAt(spends: readonly Spend[], at: number): void {
    for (const { bucket } of spends) record(table.findOrAdd(bucket, at), at)
  }

  return {
    peek: (spends) => verdictAt(spends, clock()),
    takeAll(spends) {
      const at = clock()
      const verdict = verdictAt(spends, at)
      if (verdict.admitted) recordAt(spends, at)
      return verdict
    },
    record: (spends) => recordAt(spends, clock()),
    size: () => table.size(),
  }
}

/** A clock that is set back would keep full buckets full for as long as it was set back: the step is taken out instead. */
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
