// What a link does once its connection is gone, whatever is asked of it meanwhile.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { missingRedis, privateRedis } from './fixtures/private-redis.ts'
import { openRedisLink, within } from './redis-link.ts'

const redis = await privateRedis()
before(() => (missingRedis ? undefined : redis.start()))
after(() => redis.stop())

test('nothing waits at a link whose server is gone: it is refused at once', { skip: missingRedis }, async (t) => {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<unknown>()
  const link = await openRedisLink({ url: redis.url, keyPrefix: 'link:', windowMs: 60_000, connectMs: 5_000, onLost })
  t.after(() => link.destroy())
  const limits = [{ name: 'one', bucket: 'one', limit: 5 }]
  assert.equal((await link.slide(limits)).length, 1)
  await redis.stop()
  await lost
  // One that waits would be sent when Redis is back: counted long after its request, and held until then.
  const asked = Array.from({ length: 50 }, () => within(60_000, link.slide(limits)))
  for (const one of await Promise.allSettled(asked)) {
    assert.equal(one.status, 'rejected')
    assert.match(String(one.reason), /client is closed/i)
  }
})
