import assert from 'node:assert/strict'
import test from 'node:test'
import { newShop, set, stage } from './fixtures/shop.ts'
import { findOwn } from './queries.ts'

test('a key finds what it staged, but for the customer that it speaks for now', async () => {
  const shop = await newShop()
  const { tenantId, keyPrefix: askingKey } = shop
  const { database } = set.house.database
  const { actionId } = (await stage('refund_order', { number: 'A-1' }, { tenant: shop })).body
  const isFound = async (subject: string | null, asking = askingKey) =>
    (await database.one(findOwn, { tenantId, actionId, askingKey: asking, subject })) !== undefined
  assert.deepEqual(
    [await isFound(null), await isFound('customer-1')],
    [true, true],
    'a write that concerns no customer',
  )
  await database.script(
    `update actions set subject = 'customer-1' where tenant_id = ${tenantId} and action_id = '${actionId}'`,
  )
  assert.deepEqual(
    [
      await isFound('customer-1'),
      await isFound('customer-2'),
      await isFound(null),
      await isFound('customer-1', 'tth_0ther000'),
    ],
    [true, false, false, false],
  )
})
