// Redis slow, emptied and failed over, in front of two instances that share their limits: each ceiling stays within its bound, and comes back.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openHouse } from '../../../testkit/house.ts'
import { missingRedis, privateRedis } from './fixtures/private-redis.ts'
import { type SlowLine, slowLine } from './fixtures/slow-line.ts'
import { type OpenLimiter, openLimiter } from './open-limiter.ts'
import type { BucketLimit } from './verdict.ts'

const redis = await privateRedis()
const standby = await privateRedis()
const opened: { close(): Promise<void> }[] = []

before(async () => {
  if (missingRedis) return
  await redis.start()
  await standby.start()
  // Unless told, a replica waits five seconds for others to come.
  await redis.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  // Nor does it leave a file here.
  await standby.command('CONFIG', 'SET', 'repl-diskless-load', 'swapdb')
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
after(async () => {
  await redis.stop()
  await standby.stop()
})

type Instance = { readonly limiter: OpenLimiter; readonly warnings: string[] }

async function twoInstances(redisUrl: string, redisDeadlineMs: number): Promise<Instance[]> {
  const instances = [0, 1].map((): Instance => {
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    const limiter = openLimiter({ redisUrl, redisDeadlineMs, redisRetryMs: 50, now: () => performance.now(), warn })
    opened.unshift(limiter)
    return { limiter, warnings }
  })
  for (const { limiter } of instances) await limiter.ready()
  return instances
}

let made = 0
const fresh = (limit: number): BucketLimit => {
  const bucket = `runtime:{failover-${process.pid}-${++made}}`
  return { name: bucket, bucket, limit }
}

/** Each instance is asked as often as the other. */
async function admitted(instances: readonly Instance[], requests: number, limit: BucketLimit): Promise<number> {
  const asked = Array.from({ length: requests }, (_, at) => instances[at % instances.length]?.limiter.takeAll([limit]))
  return (await Promise.all(asked)).filter((verdict) => verdict?.admitted).length
}

async function untilShared(instances: readonly Instance[]): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if ((await admitted(instances, 8, fresh(2))) === 2) return
    await pause(20)
  }
  assert.fail('the instances did not share a ceiling again within 60 s')
}

const halves = (instances: readonly Instance[]) => [instances.slice(0, 1), instances.slice(1)] as const
const warned = (instances: readonly Instance[]): number[] => instances.map(({ warnings }) => warnings.length)

async function throughSlowLine(deadlineMs: number): Promise<{ instances: Instance[]; line: SlowLine }> {
  const line = await slowLine(redis.url)
  opened.push(line)
  return { instances: await twoInstances(line.url, deadlineMs), line }
}

test('a Redis that is slow, and in time, is still counted in: the ceiling is one', { skip: missingRedis }, async () => {
  // So far within the deadline that a busy machine does not pass it.
  const { instances, line } = await throughSlowLine(10_000)
  line.delay(150)
  assert.equal(await admitted(instances, 100, fresh(20)), 20)
  assert.deepEqual(warned(instances), [0, 0])
})

test('one that is slower than its deadline is given up: each instance counts alone, and shares again when it is fast', {
  skip: missingRedis,
}, async () => {
  const { instances, line } = await throughSlowLine(3_000)
  const limit = fresh(20)
  const [one, other] = halves(instances)
  assert.equal(await admitted(one, 40, limit), 20)
  // Longer than any deadline on the way, so no answer can be in time.
  line.delay(60_000)
  const during = fresh(10)
  assert.equal(await admitted(instances, 100, during), 20, 'the limit times the instances')
  assert.deepEqual(warned(instances), [1, 1], 'each says so once')
  assert.deepEqual([await admitted(one, 60, limit), await admitted(other, 60, limit)], [0, 20])
  assert.equal(await admitted(instances, 100, during), 0)
  line.delay(0)
  await untilShared(instances)
  assert.equal(await admitted(instances, 60, during), 0, 'what was admitted meanwhile still counts')
})

test('one that was emptied gives no instance a second allowance, and all together at most the limit times their number', {
  skip: missingRedis,
}, async () => {
  const instances = await twoInstances(redis.url, 10_000)
  const limit = fresh(20)
  const [one, other] = halves(instances)
  assert.equal(await admitted(one, 60, limit), 20)
  await redis.command('FLUSHALL')
  assert.deepEqual([await admitted(one, 60, limit), await admitted(other, 60, limit)], [0, 20])
  assert.equal(await admitted(instances, 100, limit), 0)
  // It was never away, so nobody was told anything, and what is new is shared as before.
  assert.deepEqual(warned(instances), [0, 0])
  assert.equal(await admitted(instances, 100, fresh(10)), 10)
})

test('the service answers as ever, and is ready, while Redis is slow or gone', { skip: missingRedis }, async () => {
  const line = await slowLine(redis.url)
  opened.push(line)
  const house = await openHouse({ settings: { 'Redis:Url': line.url, 'RateLimit:ControlPerMinute': '5' } })
  opened.unshift(house)
  await house.app.ready()
  const { apiKey: key } = await house.tenant()
  const look = () => house.ask('GET', '/v1/account', { key })
  assert.deepEqual([(await look()).status, (await look()).status], [200, 200])
  line.delay(60_000)
  for (const remaining of ['2', '1']) {
    const { status, headers } = await look()
    assert.deepEqual([status, headers['ratelimit-remaining']], [200, remaining], 'what was counted before still counts')
  }
  line.move('redis://127.0.0.1:1')
  assert.equal((await look()).status, 200)
  assert.equal((await look()).status, 429, 'the limit of one instance, and no more')
  assert.equal((await house.ask('GET', '/ready')).status, 200)
  assert.equal((await house.ask('GET', '/health')).status, 200)
})

test('a replica that lagged and was promoted at the same address counts for all of them, and has forgotten one allowance at most', {
  skip: missingRedis,
}, async () => {
  const { instances, line } = await throughSlowLine(10_000)
  const [copied, lost] = [fresh(20), fresh(20)]
  await standby.command('REPLICAOF', '127.0.0.1', new URL(redis.url).port)
  assert.equal(await admitted(instances, 40, copied), 20)
  await until(async () => (await standby.command('LLEN', `tether:limit:${copied.bucket}`)) === 20)
  // From here on it hears nothing, as behind a line that is down.
  await standby.command('REPLICAOF', 'NO', 'ONE')
  const [one, other] = halves(instances)
  assert.equal(await admitted(one, 40, lost), 20)
  await redis.kill()
  line.move(standby.url)
  await untilShared(instances)
  assert.equal(await admitted(instances, 100, copied), 0, 'what was copied is still counted for all of them')
  const again = [await admitted(one, 60, lost), await admitted(other, 60, lost)]
  assert.deepEqual(again, [0, 20], 'what was not copied is one more allowance, at the other instance alone')
  assert.equal(await admitted(instances, 100, lost), 0)
  assert.deepEqual(warned(instances), [1, 1], 'each says once that it counted alone for a moment')
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (await holds()) return
    await pause(20)
  }
  assert.fail('not within 60 s')
}
