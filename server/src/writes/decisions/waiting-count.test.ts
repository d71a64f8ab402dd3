import assert from 'node:assert/strict'
import test from 'node:test'
import { newShop, passWindow, set, stage } from '../actions/fixtures/shop.ts'
import { countWaiting } from './queries.ts'

test('the count of what waits leaves out a write past its window, and names the first that runs out', async () => {
  const shop = await newShop()
  const { tenantId } = shop
  const { database } = set.house.database
  const [gone, sooner] = [
    (await stage('refund_order', { number: 'A-1' }, { tenant: shop })).body.actionId,
    (await stage('refund_order', { number: 'A-2' }, { tenant: shop })).body.actionId,
  ]
  await stage('refund_order', { number: 'A-3' }, { tenant: shop })
  await database.run(passWindow, { tenantId, actionId: gone })
  await database.script(
    `update actions set expires_at = now() + interval '1 minute' where tenant_id = ${tenantId} and action_id = '${sooner}'`,
  )
  const count = async (most: number) => {
    const { count: many = assert.fail(), soonest = null } = (await database.one(countWaiting, { tenantId, most })) ?? {}
    return [many, soonest !== null && soonest.getTime() < Date.now() + 120_000]
  }
  assert.deepEqual(await count(10), [2, true])
  assert.deepEqual(await count(1), [1, true], 'counted no further than asked, from the first that runs out')
})
