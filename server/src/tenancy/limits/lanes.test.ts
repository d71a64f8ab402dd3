import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketLimitsOf, type LimitedCaller } from './lanes.ts'
import { localLimiter } from './local-limiter.ts'
import { limitHeaders } from './verdict.ts'

const ceilings = {
  runtimePerMinute: 120,
  controlPerMinute: 600,
  anonymousPerMinute: 10,
  visitorPerMinute: 30,
  tenantFactor: 5,
}
const addressBucket = '203.0.113.9'
const anonymous: LimitedCaller = { kind: 'anonymous', addressBucket }
const secret: LimitedCaller = {
  kind: 'credential',
  tenantId: 7,
  publishable: false,
  credentialHash: 'aa',
  addressBucket,
}
const publishable: LimitedCaller = {
  kind: 'credential',
  tenantId: 7,
  publishable: true,
  credentialHash: 'bb',
  addressBucket,
}
const operator: LimitedCaller = {
  kind: 'credential',
  tenantId: null,
  publishable: false,
  credentialHash: 'cc',
  addressBucket,
}

const listed = (lane: 'runtime' | 'control' | 'none', caller: LimitedCaller) =>
  bucketLimitsOf(lane, caller, ceilings).map(({ name, bucket, limit }) => `${name} ${bucket} ${limit}`)

test('which buckets a request spends', () => {
  assert.deepEqual(listed('runtime', secret), ['runtime runtime:{7}:aa 120', 'tenant tenant:{7}:runtime 600'])
  assert.deepEqual(listed('control', secret), ['control control:{7}:aa 600', 'tenant tenant:{7}:control 3000'])
  assert.deepEqual(listed('runtime', publishable), [
    'runtime runtime:{7}:bb 120',
    'tenant tenant:{7}:runtime 600',
    'visitor visitor:{7}:bb:runtime:203.0.113.9 30',
  ])
  assert.deepEqual(listed('control', publishable), [
    'control control:{7}:bb 600',
    'tenant tenant:{7}:control 3000',
    'visitor visitor:{7}:bb:control:203.0.113.9 30',
  ])
  assert.deepEqual(listed('control', operator), ['control control:{cc} 600'])
  assert.deepEqual(listed('runtime', anonymous), ['anonymous anonymous:203.0.113.9 10'])
  assert.deepEqual(listed('control', anonymous), ['anonymous anonymous:203.0.113.9 10'])
  for (const caller of [anonymous, secret, publishable, operator]) assert.deepEqual(listed('none', caller), [])
})

test('the name of a ceiling is the kind of its bucket', () => {
  for (const caller of [anonymous, secret, publishable, operator]) {
    for (const one of bucketLimitsOf('runtime', caller, ceilings)) assert.ok(one.bucket.startsWith(`${one.name}:`))
  }
})

const localAt = (clock: { ms: number }) =>
  localLimiter({ now: () => clock.ms, windowMs: 60_000, maxBucketsPerKind: 1_000 })

test('the headers tell the nearest ceiling, the permits left and when the next comes back', () => {
  const clock = { ms: 0 }
  const limiter = localAt(clock)
  const first = limitHeaders(limiter.takeAll(bucketLimitsOf('runtime', publishable, ceilings)))
  assert.deepEqual(first, { 'RateLimit-Limit': '30', 'RateLimit-Remaining': '29', 'RateLimit-Reset': '60' })
  clock.ms = 45_100
  const second = limitHeaders(limiter.takeAll(bucketLimitsOf('runtime', publishable, ceilings)))
  assert.deepEqual(second, { 'RateLimit-Limit': '30', 'RateLimit-Remaining': '28', 'RateLimit-Reset': '15' })
})

test('a refusal carries Retry-After, a whole second at least', () => {
  const clock = { ms: 0 }
  const limiter = localAt(clock)
  for (let sent = 0; sent < 10; sent += 1) limiter.takeAll(bucketLimitsOf('control', anonymous, ceilings))
  clock.ms = 59_999.5
  assert.deepEqual(limitHeaders(limiter.takeAll(bucketLimitsOf('control', anonymous, ceilings))), {
    'RateLimit-Limit': '10',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '1',
    'Retry-After': '1',
  })
})

test('a request that is not limited carries no limit headers', () => {
  assert.deepEqual(limitHeaders(localAt({ ms: 0 }).takeAll(bucketLimitsOf('none', secret, ceilings))), {})
})
