import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LocalLimiter, localLimiter } from './local-limiter.ts'
import type { BucketLimit } from './verdict.ts'

const minute = 60_000

function limiterAt(start = 0, maxBucketsPerKind = 100_000) {
  const clock = { ms: start }
  return { clock, limiter: localLimiter({ now: () => clock.ms, windowMs: minute, maxBucketsPerKind }) }
}

const on = (bucket: string, limit: number): BucketLimit => ({ name: bucket, bucket, limit })

const admits = (limiter: LocalLimiter, ...limits: BucketLimit[]): boolean => limiter.takeAll(limits).admitted

/** The definition, word for word: keep everything, count what lies in the window. */
function naiveLimiter() {
  const admitted = new Map<string, number[]>()
  const inWindow = (bucket: string, at: number) =>
    (admitted.get(bucket) ?? []).filter((time) => time > at - minute && time <= at)
  return {
    used: (bucket: string, at: number) => inWindow(bucket, at).length,
    /** The first moment at which fewer than `limit` lie in the window. */
    opensAt(bucket: string, limit: number, at: number) {
      const times = inWindow(bucket, at)
      return limit === 0 ? at + minute : (times[times.length - limit] ?? Number.NaN) + minute
    },
    add: (bucket: string, at: number) => admitted.set(bucket, [...inWindow(bucket, at), at]),
  }
}

// Steps that often land exactly on the edge of a window, and limits that change between requests.
const step = fc.record({
  wait: fc.oneof(
    fc.constantFrom(0, 0, 0, 1, 5_000, 10_000, 20_000, 30_000, 59_999, 60_000, 60_001),
    fc.integer({ min: 0, max: 70_000 }),
  ),
  limits: fc.uniqueArray(
    fc.record({ bucket: fc.constantFrom('a:1', 'a:2', 'b:1'), limit: fc.integer({ min: 0, max: 6 }) }),
    { minLength: 1, maxLength: 3, selector: (bucketLimit) => bucketLimit.bucket },
  ),
})

test('a request is admitted if and only if fewer than the limit were admitted in the minute before, in every bucket', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { clock, limiter } = limiterAt(1_700_000_000_000)
      const model = naiveLimiter()
      for (const { wait, limits } of steps) {
        clock.ms += wait
        const asked = limits.map(({ bucket, limit }) => on(bucket, limit))
        const full = asked.filter(({ bucket, limit }) => model.used(bucket, clock.ms) >= limit)
        const left = asked.map(({ bucket, limit }) => limit - model.used(bucket, clock.ms) - 1)
        const verdict = limiter.takeAll(asked)
        assert.equal(verdict.admitted, full.length === 0)
        if (verdict.admitted) {
          assert.equal(verdict.remaining, Math.min(...left))
          for (const { bucket } of asked) model.add(bucket, clock.ms)
        } else {
          const opens = Math.max(...full.map(({ bucket, limit }) => model.opensAt(bucket, limit, clock.ms)))
          assert.equal(verdict.waitMs, opens - clock.ms)
          assert.equal(verdict.retryAfterSeconds, Math.ceil((opens - clock.ms) / 1000))
          assert.equal(verdict.remaining, 0)
        }
      }
    }),
    { numRuns: 300 },
  )
})

function maxInAnyMinute(times: readonly number[]): number {
  let most = 0
  let from = 0
  for (const [index, time] of times.entries()) {
    while ((times[from] ?? 0) <= time - minute) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}

test('a burst at the edge of a minute gets no second allowance', (t) => {
  const { clock, limiter } = limiterAt()
  const times: number[] = []
  const burst = (at: number, requests: number) => {
    clock.ms = at
    for (let sent = 0; sent < requests; sent += 1) if (admits(limiter, on('runtime:k', 120))) times.push(at)
  }
  for (const at of [59_000, 59_999, 60_000, 60_001, 61_000, 118_999, 119_000, 119_999, 120_000]) burst(at, 300)
  t.diagnostic(`admitted ${times.length} of 2700; max in any sliding 60 s: ${maxInAnyMinute(times)} (limit 120)`)
  assert.equal(maxInAnyMinute(times), 120)
  assert.deepEqual([times.length, times[120]], [240, 119_000])
})

test('the permit comes back at the very moment that the refusal named', () => {
  const { clock, limiter } = limiterAt()
  assert.ok(admits(limiter, on('a:1', 1)))
  clock.ms = 17_250
  const refused = limiter.takeAll([on('a:1', 1)])
  assert.deepEqual([refused.waitMs, refused.retryAfterSeconds, refused.resetSeconds], [42_750, 43, 43])
  clock.ms += refused.waitMs - 1
  assert.equal(admits(limiter, on('a:1', 1)), false)
  clock.ms += 1
  assert.equal(admits(limiter, on('a:1', 1)), true)
})

test('the lanes of one credential are independent', () => {
  const { limiter } = limiterAt()
  for (let sent = 0; sent < 120; sent += 1) assert.ok(admits(limiter, on('runtime:{k}', 120)))
  assert.equal(admits(limiter, on('runtime:{k}', 120)), false)
  for (let sent = 0; sent < 600; sent += 1) assert.ok(admits(limiter, on('control:{k}', 600)))
  assert.equal(admits(limiter, on('control:{k}', 600)), false)
})

test('one visitor cannot shut out another: what its own bucket refuses spends nothing of the lane', () => {
  const { limiter } = limiterAt()
  const lane = on('runtime:{k}', 120)
  const loud = on('visitor:{k}:1', 30)
  const calm = on('visitor:{k}:2', 30)
  const loudAdmitted = Array.from({ length: 5_000 }, () => admits(limiter, lane, loud)).filter(Boolean).length
  assert.equal(loudAdmitted, 30)
  assert.equal(limiter.peek([lane]).remaining, 120 - 30 - 1)
  for (let sent = 0; sent < 30; sent += 1) assert.ok(admits(limiter, lane, calm))
})

test('what the lane refuses spends nothing of the visitor', () => {
  const { limiter } = limiterAt()
  for (let sent = 0; sent < 5; sent += 1) assert.ok(admits(limiter, on('runtime:{k}', 5)))
  const refused = limiter.takeAll([on('runtime:{k}', 5), on('visitor:{k}:1', 30)])
  assert.deepEqual([refused.admitted, refused.name, refused.limit], [false, 'runtime:{k}', 5])
  assert.equal(limiter.peek([on('visitor:{k}:1', 30)]).remaining, 29)
})

test('a limit of 0 refuses everything, and a limit that is no count is a fault', () => {
  const { limiter } = limiterAt()
  const refused = limiter.takeAll([on('a:1', 0)])
  assert.deepEqual([refused.admitted, refused.limit, refused.remaining, refused.retryAfterSeconds], [false, 0, 0, 60])
  for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => limiter.takeAll([on('a:1', limit)]), RangeError)
  }
  assert.equal(limiter.size(), 0)
})

test('a request without ceilings is admitted and counted nowhere', () => {
  const { limiter } = limiterAt()
  assert.equal(limiter.takeAll([]).admitted, true)
  assert.equal(limiter.takeAll([]).limit, Number.POSITIVE_INFINITY)
  assert.equal(limiter.size(), 0)
})

test('a clock that is set back neither shuts a full bucket for longer nor opens it', () => {
  const { clock, limiter } = limiterAt(10_000_000)
  assert.ok(admits(limiter, on('a:1', 1)))
  clock.ms = 10_000_000 - 3_600_000
  assert.equal(limiter.takeAll([on('a:1', 1)]).waitMs, minute)
  clock.ms += minute - 1
  assert.equal(admits(limiter, on('a:1', 1)), false)
  clock.ms += 1
  assert.equal(admits(limiter, on('a:1', 1)), true)
})

test('a bucket is held until its last admission has left the window, whatever the others do', () => {
  for (let start = 0; start < 130; start += 1) {
    const { clock, limiter } = limiterAt()
    const second = (at: number) => {
      clock.ms = at * 1_000
      admits(limiter, on('a:other', 5))
    }
    for (let at = 0; at <= start; at += 1) second(at)
    assert.ok(admits(limiter, on('a:1', 1)))
    for (let at = start + 1; at < start + 60; at += 1) second(at)
    clock.ms = start * 1_000 + minute - 1
    assert.equal(admits(limiter, on('a:1', 1)), false)
    clock.ms += 1
    assert.equal(admits(limiter, on('a:1', 1)), true)
  }
})

test('idle buckets are dropped', () => {
  const { clock, limiter } = limiterAt()
  for (let address = 0; address < 1_000; address += 1) admits(limiter, on(`anonymous:${address}`, 10))
  assert.equal(limiter.size(), 1_000)
  clock.ms += minute
  admits(limiter, on('runtime:k', 10))
  clock.ms += minute
  admits(limiter, on('runtime:k', 10))
  assert.equal(limiter.size(), 1)
})

test('1,000,000 addresses stay in bounded memory and touch no credential', (t) => {
  const { clock, limiter } = limiterAt(0, 100_000)
  for (let sent = 0; sent < 120; sent += 1) assert.ok(admits(limiter, on('runtime:{k}', 120)))
  const heapBefore = process.memoryUsage().heapUsed
  const started = performance.now()
  let most = 0
  for (let address = 0; address < 1_000_000; address += 1) {
    if (address % 20_000 === 0) clock.ms += 1_000
    assert.ok(admits(limiter, on(`anonymous:2001:db8:${address >> 16}:${address & 0xffff}::/64`, 10)))
    if (address % 1_000 === 0) most = Math.max(most, limiter.size())
  }
  const spent = performance.now() - started
  const grown = (process.memoryUsage().heapUsed - heapBefore) / 1e6
  t.diagnostic(`1,000,000 addresses in ${spent.toFixed(0)} ms; at most ${most} buckets, heap +${grown.toFixed(0)} MB`)
  assert.ok(most <= 100_001, `${most} buckets`)
  assert.equal(admits(limiter, on('runtime:{k}', 120)), false)
})

test('an address that keeps asking is not forgotten in a flood of others', () => {
  const { limiter } = limiterAt(0, 1_000)
  for (let sent = 0; sent < 10; sent += 1) assert.ok(admits(limiter, on('anonymous:loud', 10)))
  for (let other = 0; other < 10_000; other += 1) {
    assert.ok(admits(limiter, on(`anonymous:${other}`, 10)))
    if (other % 100 === 0) assert.equal(admits(limiter, on('anonymous:loud', 10)), false)
  }
})
