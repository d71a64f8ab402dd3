import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { timed } from '../../../testkit/stopwatch.ts'
import { missingRedis, privateRedis } from './fixtures/private-redis.ts'
import { type LimiterOptions, type OpenLimiter, openLimiter } from './open-limiter.ts'
import { within } from './redis-link.ts'
import type { BucketLimit } from './verdict.ts'

const redis = await privateRedis()
const opened: OpenLimiter[] = []

before(() => (missingRedis ? undefined : redis.start()))
afterEach(async () => {
  for (const limiter of opened.splice(0)) await limiter.close()
})
after(() => redis.stop())

async function open(options: Partial<LimiterOptions> = {}) {
  const warnings: string[] = []
  const limiter = openLimiter({
    redisUrl: redis.url,
    // Longer than in service, for machines that are busy with other tests.
    redisDeadlineMs: 2_000,
    redisRetryMs: 50,
    now: () => performance.now(),
    warn: (message) => warnings.push(message),
    ...options,
  })
  opened.push(limiter)
  await limiter.ready()
  return { limiter, warnings }
}

let made = 0
/** A bucket that no other test has seen. */
const fresh = (kind = 'runtime') => `${kind}:{${process.pid}-${++made}}`

async function countAdmitted(limiters: readonly OpenLimiter[], requests: number, limits: readonly BucketLimit[]) {
  const asked = Array.from({ length: requests }, (_, index) => limiters[index % limiters.length]?.takeAll(limits))
  return (await Promise.all(asked)).filter((verdict) => verdict?.admitted).length
}

const on = (bucket: string, limit: number): BucketLimit => ({ name: bucket, bucket, limit })

/** Two instances admit together what one may, which shows that both count in Redis. */
async function share(limiters: readonly OpenLimiter[]): Promise<boolean> {
  return (await countAdmitted(limiters, 8, [on(fresh(), 2)])) === 2
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    if (await holds()) return
    await pause(20)
  }
  assert.fail(`not within 60 s: ${what}`)
}

test('two instances share one ceiling under 500 parallel requests', { skip: missingRedis }, async (t) => {
  const [one, two] = [await open(), await open()]
  const admitted = await countAdmitted([one.limiter, two.limiter], 500, [on(fresh(), 120)])
  t.diagnostic(`500 requests to two instances: ${admitted} admitted (limit 120)`)
  assert.equal(admitted, 120)
  assert.deepEqual([...one.warnings, ...two.warnings], [])
})

test('the lanes are independent across instances', { skip: missingRedis }, async () => {
  const limiters = [(await open()).limiter, (await open()).limiter]
  assert.equal(await countAdmitted(limiters, 40, [on(fresh('runtime'), 12)]), 12)
  assert.equal(await countAdmitted(limiters, 40, [on(fresh('control'), 30)]), 30)
})

test('a refusal by one bucket spends nothing of the other, across instances', { skip: missingRedis }, async () => {
  const limiters = [(await open()).limiter, (await open()).limiter]
  const [lane, loud, calm] = [on(fresh(), 50), on(fresh('visitor'), 10), on(fresh('visitor'), 100)]
  assert.equal(await countAdmitted(limiters, 300, [lane, loud]), 10)
  assert.equal(await countAdmitted(limiters, 300, [lane, calm]), 40)
})

test('the shared window slides: never more than the limit in any window, and never fewer than it allows', {
  skip: missingRedis,
}, async (t) => {
  const windowMs = 200
  const limit = 15
  const limiters = [(await open({ windowMs })).limiter, (await open({ windowMs })).limiter]
  const bucket = fresh()
  // The moment of an admission lies between the two times that we can read, before the request and after its answer.
  const admitted: { sent: number; answered: number }[] = []
  let refused = 0
  const start = performance.now()
  const isEnough = () => performance.now() - start >= 4 * windowMs && admitted.length >= 3 * limit && refused > 10
  // Four windows hold enough of both unless the machine is busy.
  for (let turn = 0; !isEnough() && performance.now() - start < 60_000; turn += 1) {
    const sent = performance.now()
    const verdict = await limiters[turn % 2]?.take(bucket, limit)
    const oldest = admitted.at(-limit)
    if (verdict?.admitted) {
      admitted.push({ sent, answered: performance.now() })
      if (oldest) assert.ok(performance.now() - oldest.sent >= windowMs, 'one too many in a window')
    } else {
      refused += 1
      assert.ok(oldest && sent - oldest.answered < windowMs, 'refused although a permit was free')
      await pause(1)
    }
  }
  t.diagnostic(`${admitted.length} admitted, ${refused} refused in windows of ${windowMs} ms (limit ${limit})`)
  assert.ok(admitted.length >= 3 * limit && refused > 10)
})

test('keys hold the given names under the prefix, and nothing else', { skip: missingRedis }, async () => {
  const { limiter } = await open({ redisKeyPrefix: 'prefix-of-test:' })
  const bucket = fresh()
  assert.equal((await limiter.take(bucket, 5)).admitted, true)
  assert.equal(await redis.command('LLEN', `prefix-of-test:${bucket}`), 1)
  const keys = await redis.command('KEYS', 'prefix-of-test:*')
  assert.deepEqual(
    new Set(Array.isArray(keys) ? keys : []),
    new Set([`prefix-of-test:${bucket}`, 'prefix-of-test:probe']),
  )
})

test('a Redis that forgot the script is taught again', { skip: missingRedis }, async () => {
  const { limiter, warnings } = await open()
  const bucket = fresh()
  await limiter.take(bucket, 5)
  await redis.command('SCRIPT', 'FLUSH')
  assert.equal((await limiter.take(bucket, 5)).remaining, 3)
  assert.deepEqual(warnings, [])
})

test('a Redis that lost its data does not give this instance a second allowance', { skip: missingRedis }, async () => {
  const { limiter } = await open()
  const bucket = fresh()
  assert.equal(await countAdmitted([limiter], 20, [on(bucket, 10)]), 10)
  await redis.command('FLUSHALL')
  assert.equal(await countAdmitted([limiter], 20, [on(bucket, 10)]), 0)
})

test('those who wait in line get their permits from Redis', { skip: missingRedis }, async () => {
  const { limiter } = await open({ queueLimit: 2, windowMs: 1_000 })
  const bucket = fresh()
  assert.equal(await countAdmitted([limiter], 5, [on(bucket, 1)]), 3)
})

type Outage = { readonly name: string; begin(): unknown; end(): unknown }

const outages: readonly Outage[] = [
  { name: 'killed', begin: redis.kill, end: redis.start },
  { name: 'mute', begin: redis.mute, end: redis.unmute },
  {
    name: 'out of memory',
    begin: () => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    end: () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'read-only',
    begin: () => redis.command('REPLICAOF', '127.0.0.1', '1'),
    end: () => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
]

for (const { name, begin, end } of outages) {
  test(`Redis ${name} in the middle: each instance counts alone, warns once, and comes back`, {
    skip: missingRedis,
  }, async (t) => {
    const both = [await open(), await open()]
    const limiters = both.map(({ limiter }) => limiter)
    const bucket = fresh()
    assert.equal(await countAdmitted(limiters, 40, [on(bucket, 20)]), 20)

    const running = countAdmitted(limiters, 100, [on(fresh(), 10)])
    await begin()
    const duringBegin = await running
    assert.ok(duringBegin >= 10 && duringBegin <= 20, `${duringBegin}: each instance keeps the ceiling by itself`)
    const { result: admitted, ms: slowest } = await timed(() => countAdmitted(limiters, 60, [on(fresh(), 10)]))
    assert.equal(admitted, 20)
    // Each instance admitted its part of the 20 before; together they may now fill up what each has left, and no more.
    assert.ok((await countAdmitted(limiters, 100, [on(bucket, 20)])) <= 20)
    assert.ok(slowest < 500, `answered after ${slowest} ms`)
    await pause(200)
    assert.deepEqual(
      both.map(({ warnings }) => warnings.length),
      [1, 1],
    )
    t.diagnostic(`60 requests answered in ${slowest.toFixed(0)} ms; "${both[0]?.warnings[0]}"`)

    await end()
    await until(() => share(limiters), 'the instances share a ceiling again')
    assert.equal(await countAdmitted(limiters, 60, [on(bucket, 20)]), 0, 'what was admitted meanwhile still counts')
    assert.deepEqual(
      both.map(({ warnings }) => warnings.length),
      [1, 1],
    )
  })
}

/** Waits until a bucket of this limiter is to be found in Redis. */
async function countsInRedis(limiter: OpenLimiter): Promise<void> {
  const bucket = fresh()
  await until(async () => {
    await limiter.take(bucket, 1_000)
    return (await redis.command('EXISTS', `tether:limit:${bucket}`)) === 1
  }, 'counting in Redis')
}

/** How many connections Redis has, without the one that asks. */
async function connections(): Promise<number> {
  const listed = String(await redis.command('CLIENT', 'LIST'))
  return listed.trim().split('\n').length - 1
}

test('however many requests find the connection broken, one is made in its place, and closing leaves none', {
  skip: missingRedis,
}, async () => {
  await until(async () => (await connections()) === 0, 'the connections of earlier tests are gone')
  const { limiter } = await open()
  assert.equal(await connections(), 1)
  redis.mute()
  await countAdmitted([limiter], 50, [on(fresh(), 10)])
  redis.unmute()
  await countsInRedis(limiter)
  await pause(200)
  assert.equal(await connections(), 1)
  await limiter.close()
  await until(async () => (await connections()) === 0, 'the connection is closed')
  await openLimiter({ redisUrl: redis.url, now: () => 0, warn: assert.fail }).close()
  await until(async () => (await connections()) === 0, 'the connection that was being made is closed')
})

test('the next outage warns again, and each end of one is told', { skip: missingRedis }, async () => {
  const ends: string[] = []
  const { limiter, warnings } = await open({ inform: (message) => ends.push(message) })
  for (const expected of [1, 2]) {
    assert.equal((await limiter.take(fresh(), 5)).admitted, true)
    await redis.kill()
    await until(() => warnings.length === expected, 'a warning')
    await redis.start()
    await countsInRedis(limiter)
    assert.equal(ends.length, expected)
  }
})

test('a limiter starts and closes without a Redis to be found', async () => {
  const nobody = await privateRedis()
  const { limiter, warnings } = await open({ redisUrl: nobody.url })
  assert.equal(await countAdmitted([limiter], 50, [on(fresh(), 10)]), 10)
  await until(() => warnings.length > 0, 'a warning')
  await pause(200)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /ECONNREFUSED.*Redis:Url/)
  const { ms } = await timed(() => limiter.close())
  assert.ok(ms < 1_500, `${ms} ms`)
  assert.equal((await limiter.take(fresh(), 10)).admitted, true)
})

test('a limiter closes while it connects, and twice', { skip: missingRedis }, async () => {
  const limiter = openLimiter({ redisUrl: redis.url, now: () => performance.now(), warn: assert.fail })
  await limiter.close()
  await limiter.close()
  assert.equal((await limiter.take(fresh(), 10)).admitted, true)
})

test('an event loop that was held up is not taken for a slow Redis', async () => {
  const answer = within(20, stat('.'))
  const until = performance.now() + 1_000
  while (performance.now() < until) {}
  // The timer is due and the answer has come, both unseen so far.
  assert.ok((await answer).isDirectory())
  await assert.rejects(within(5, new Promise(() => {})), { message: 'no answer within 5 ms' })
})

test('an address that is not of Redis is refused without being repeated', () => {
  for (const redisUrl of ['not an address', 'http://user:s3cret@host', 'user:s3cret@host:6379']) {
    assert.throws(
      () => openLimiter({ redisUrl, now: () => 0, warn: assert.fail }),
      (error: Error) => error.message.startsWith('Redis:Url') && !error.message.includes('s3cret'),
    )
  }
})
