import assert from 'node:assert/strict'
import test from 'node:test'
import { statement } from '../../../kernel/db/index.ts'
import { ask, customer, newShop, openTalk, talk } from '../fixtures/talk.ts'

openTalk({ price: { inputMicros: 1_000_000, outputMicros: 1_000_000 } })

const leftOf = statement<{ left: number }, { tenantId: number }>(
  'test.left_of_tenant',
  `select ((select count(*) from sessions where tenant_id = $tenantId::int)
         + (select count(*) from exchanges where tenant_id = $tenantId::int)
         + (select count(*) from feedback where tenant_id = $tenantId::int)
         + (select count(*) from turn_records where tenant_id = $tenantId::int)
         + (select count(*) from usage_rows where tenant_id = $tenantId::int)
         + (select count(*) from spend where tenant_id = $tenantId::int)
         + (select count(*) from spend_holds where tenant_id = $tenantId::int)
         + (select count(*) from turn_quotas where tenant_id = $tenantId::int))::int as left`,
)

test('a workspace that is deleted leaves nothing of its conversations, not even what was still waiting to be written', async () => {
  const shop = await newShop('free')
  const { house, model } = talk
  await house.ask('PATCH', `/v1/tenants/${shop.tenantId}`, {
    key: house.operatorKey,
    body: { budget: { dailyCapUsd: 100 } },
  })
  model.play(['Hello.', { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } }])
  const said = await ask({ prompt: 'Hi' }, { key: shop.apiKey, headers: await customer('nino', shop) })
  const { sessionId, requestId } = said.body
  const body = { sessionId, requestId, rating: 'up' }
  await house.ask('POST', '/v1/chat/feedback', { key: shop.apiKey, body, headers: await customer('nino', shop) })
  const left = async () => (await house.database.database.one(leftOf, { tenantId: shop.tenantId }))?.left
  await house.app.flush()
  assert.ok(((await left()) ?? 0) >= 7)
  // One more, whose rows are still in the queue.
  await ask({ prompt: 'Hi' }, { key: shop.apiKey })
  await house.ask('DELETE', '/v1/account', { key: shop.apiKey, body: { confirm: shop.name } })
  await house.app.flush()
  assert.equal(await left(), 0)
})

test('deleting a customer leaves the conversation of a person whose userId is the same text', async () => {
  const { house, shop, model } = talk
  const key = shop.apiKey
  model.play(['Hello.'])
  const { sessionId: ofPerson } = (await ask({ prompt: 'Hi' }, { headers: { 'x-service-user-id': '4711' } })).body
  const { sessionId: ofCustomer } = (await ask({ prompt: 'Hi' }, { headers: await customer('4711') })).body
  assert.equal((await house.ask('DELETE', '/v1/customers/4711', { key })).status, 200)
  const statusOf = async (sessionId: string | null | undefined) =>
    (await house.ask('GET', `/v1/conversations/${sessionId}`, { key })).status
  assert.deepEqual([await statusOf(ofPerson), await statusOf(ofCustomer)], [200, 404])
})
