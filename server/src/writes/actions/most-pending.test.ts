import assert from 'node:assert/strict'
import test from 'node:test'
import { type NewTenant, openHouse } from '../../../testkit/house.ts'
import { CATALOG, type Listed, type Staged } from './fixtures/shop.ts'

test('a workspace has so many pending writes at most, and one more when one of them is decided', async (t) => {
  const house = await openHouse({ settings: { 'AI:Approvals:MaxPending': '3' } })
  t.after(() => house.close())
  const open = async (): Promise<NewTenant> => {
    const shop = await house.tenant()
    await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body: CATALOG })
    return shop
  }
  const [shop, other] = [await open(), await open()]
  const stage = ({ apiKey: key }: NewTenant, number: string, headers: Record<string, string> = {}) =>
    house.ask<Staged>('POST', '/v1/actions', { key, headers, body: { tool: 'refund_order', arguments: { number } } })
  const pending = async () =>
    (await house.ask<Listed>('GET', '/v1/actions', { key: shop.apiKey })).body.actions.map(
      ({ arguments: given }) => given.number,
    )

  const keyed = { 'idempotency-key': 'order-1' }
  const first = await stage(shop, '1', keyed)
  for (const number of ['2', '3']) assert.equal((await stage(shop, number)).status, 200)
  for (const refused of [
    await stage(shop, '4'),
    await stage(shop, '5', { 'idempotency-key': 'order-5' }),
    await house.ask('POST', '/v1/tools/refund_order/call', { key: shop.apiKey, body: { arguments: { number: '6' } } }),
  ]) {
    assert.deepEqual(
      [refused.status, refused.error?.code, refused.error?.reason],
      [429, 'rate_limited', 'pending_actions'],
    )
    assert.match(refused.error?.message ?? '', /3 writes/)
    assert.equal(refused.headers['retry-after'], '60')
  }
  assert.deepEqual(await pending(), ['3', '2', '1'], 'nothing of the others was staged')
  assert.equal((await stage(shop, '1', keyed)).body.actionId, first.body.actionId, 'what is staged is given again')
  assert.equal((await stage(other, '1')).status, 200, 'each workspace has its own')

  const { actionId } = first.body
  await house.ask('POST', `/v1/actions/${actionId}/reject`, { key: shop.apiKey, headers: { 'x-service-user-id': '7' } })
  assert.equal((await stage(shop, '7')).status, 200)
  assert.equal((await stage(shop, '8')).status, 429)
})
