import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createClient } from 'redis'
import { missingRedis, privateRedis } from './fixtures/private-redis.ts'
import { localLimiter } from './local-limiter.ts'
import { slidingWindowScript } from './sliding-window-script.ts'
import { type BucketLimit, verdictOn } from './verdict.ts'

const windowMs = 60_000

// The very script, but for its clock: the test hands the time in, so that it can stand on the edge of a window.
const clockLine = "redis.call('TIME')"
const scriptAtGivenTime = slidingWindowScript.replace(clockLine, '{ARGV[#ARGV - 1], ARGV[#ARGV]}')

const redis = await privateRedis()
const client = createClient({ url: redis.url, RESP: 2, maintNotifications: 'disabled' })

before(async () => {
  if (missingRedis) return
  await redis.start()
  await client.connect()
})

after(async () => {
  if (client.isOpen) client.destroy()
  await redis.stop()
})

async function slideAt(ms: number, limits: readonly BucketLimit[]) {
  const seconds = Math.floor(ms / 1000)
  const microseconds = Math.round((ms - seconds * 1000) * 1000)
  const given = [windowMs, ...limits.map(({ limit }) => limit), seconds, microseconds].map(String)
  const answer = await client.eval(scriptAtGivenTime, { keys: limits.map(({ bucket }) => bucket), arguments: given })
  assert.ok(Array.isArray(answer))
  const numbers = answer.map(Number)
  return limits.map((_, index) => {
    const [used = Number.NaN, wait = Number.NaN, reset = Number.NaN] = numbers.slice(index * 3)
    return { used, waitMs: wait / 1000, resetMs: reset / 1000 }
  })
}

const step = fc.record({
  wait: fc.oneof(
    fc.constantFrom(0, 0, 0, 0.25, 1, 10_000, 30_000, 59_999.75, 60_000),
    fc.integer({ min: 0, max: 70_000 }),
  ),
  limits: fc.uniqueArray(
    fc.record({ bucket: fc.constantFrom('a:1', 'a:2', 'b:1'), limit: fc.integer({ min: 0, max: 5 }) }),
    { minLength: 1, maxLength: 3, selector: ({ bucket }) => bucket },
  ),
})

test('the script decides as the limiter in the process does, to the microsecond', { skip: missingRedis }, async () => {
  assert.notEqual(scriptAtGivenTime, slidingWindowScript)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await client.flushDb()
      let now = 1_700_000_000_000
      const local = localLimiter({ now: () => now, windowMs, maxBucketsPerKind: 1_000 })
      for (const { wait, limits } of steps) {
        now += wait
        const asked = limits.map((bucketLimit) => ({ ...bucketLimit, name: bucketLimit.bucket }))
        assert.deepEqual(verdictOn(asked, await slideAt(now, asked), windowMs), local.takeAll(asked))
      }
    }),
    { numRuns: 60 },
  )
})

test('a server clock that is set back neither shuts a full bucket for longer nor opens it', {
  skip: missingRedis,
}, async () => {
  await client.flushDb()
  const bucketLimit: BucketLimit = { name: 'a', bucket: 'a:back', limit: 2 }
  const start = 1_700_000_000_000
  const used = async (ms: number) => (await slideAt(ms, [bucketLimit]))[0]?.used
  assert.deepEqual([await used(start), await used(start + 10_000), await used(start + 10_000)], [0, 1, 2])
  const earlier = start - 3_600_000
  const [standing] = await slideAt(earlier, [bucketLimit])
  // The newest admission counts as just made, the first one as ten seconds older, as it was.
  assert.deepEqual([standing?.used, standing?.waitMs], [2, 50_000])
  assert.equal(await used(earlier + 49_999), 2)
  assert.equal(await used(earlier + 50_000), 1)
})

test('every key lives no longer than the window and a second', { skip: missingRedis }, async () => {
  await client.flushDb()
  const limits = ['runtime:{k}', 'visitor:{k}:1'].map((bucket) => ({ name: bucket, bucket, limit: 1 }))
  await slideAt(1_700_000_000_000, limits)
  // Refused, on a clock that was set back: the list is written anew, and must not live on for ever.
  await slideAt(1_600_000_000_000, limits)
  const keys = await client.keys('*')
  assert.equal(keys.length, 2)
  for (const key of keys) {
    const lifetime = await client.pTTL(key)
    assert.ok(lifetime > windowMs - 5_000 && lifetime <= windowMs + 1_000, `${key}: ${lifetime} ms`)
  }
})
