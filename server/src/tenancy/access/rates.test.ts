// How much one workspace may ask for, however many keys it makes for itself: in the process, and shared through Redis.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { missingRedis, privateRedis } from '../limits/fixtures/private-redis.ts'

type Key = { readonly key: string; readonly prefix: string }

const PLACES = [
  ['in the process', false, undefined],
  ['in Redis', true, missingRedis],
] as const

async function opened(t: TestContext, shared: boolean): Promise<OpenHouse> {
  const redis = shared ? await privateRedis() : undefined
  await redis?.start()
  const house = await openHouse({
    settings: {
      'RateLimit:RuntimePerMinute': '10',
      'RateLimit:TenantFactor': '3',
      ...(redis === undefined ? {} : { 'Redis:Url': redis.url }),
    },
  })
  t.after(async () => {
    await house.close()
    await redis?.stop()
  })
  await house.app.ready()
  if (redis !== undefined) {
    await house.ask('GET', '/v1/tenants', { key: house.operatorKey })
    const counted = await redis.command('KEYS', 'tether:limit:control:*')
    assert.ok(Array.isArray(counted) && counted.length === 1, 'it counts there')
  }
  return house
}

/** How many of so many requests with this key are answered. */
async function answered(house: OpenHouse, key: string, count: number): Promise<number> {
  let admitted = 0
  for (let sent = 0; sent < count; sent++) {
    const { status, error } = await house.ask('GET', '/v1/actions', { key })
    if (status === 200) admitted++
    else assert.equal(error?.code, 'rate_limited')
  }
  return admitted
}

for (const [where, shared, skip] of PLACES) {
  test(`a key that is rotated goes on in its bucket, ${where}`, { skip }, async (t) => {
    const house = await opened(t, shared)
    const tenant = await house.tenant()
    let [key, prefix, admitted] = [tenant.apiKey, tenant.keyPrefix, 0]
    for (let turn = 0; turn < 6; turn++) {
      admitted += await answered(house, key, 5)
      const { body } = await house.ask<Key>('POST', `/v1/account/keys/${prefix}/rotate`, { key })
      ;({ key, prefix } = body)
    }
    assert.equal(admitted, 10)
  })

  test(`a workspace with many keys has a ceiling of its own, and another one is not under it, ${where}`, {
    skip,
  }, async (t) => {
    const house = await opened(t, shared)
    const [loud, calm] = [await house.tenant(), await house.tenant()]
    const keys = [loud.apiKey]
    for (let made = 0; made < 5; made++) {
      const { body } = await house.ask<Key>('POST', '/v1/account/keys', { key: loud.apiKey, body: { kind: 'secret' } })
      keys.push(body.key)
    }
    let admitted = 0
    for (const key of keys) admitted += await answered(house, key, 12)
    assert.equal(admitted, 30, 'three times what one key may')
    assert.equal(await answered(house, calm.apiKey, 12), 10)
    const refused = await house.ask('GET', '/v1/actions', { key: loud.apiKey })
    assert.deepEqual([refused.status, refused.headers['ratelimit-remaining']], [429, '0'])
    assert.equal((await house.ask('GET', '/v1/account', { key: loud.apiKey })).status, 200, 'the lanes are separate')
  })
}
