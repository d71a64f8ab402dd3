// A turn whose read is called at an imported API with the signed-in person's own token.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { PretendApi } from '../../../testkit/pretend-api.ts'
import { openApiImport } from '../../modules/openapi-import/module.ts'

const TOKEN = 'own-token-of-the-signed-in-person'
const READ = {
  name: 'get_order',
  description: 'Looks up one order by its number.',
  is_write: false,
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
  http: { method: 'GET', path: '/orders/{number}', arguments: { number: { in: 'path', name: 'number' } } },
}
const DOCUMENT = { openapi: '3.1.0', paths: { '/orders': { get: { operationId: 'list_orders', responses: {} } } } }

const api = new PretendApi()
const model = playedModel()
const house = await openHouse({ modules: [openApiImport], model, log: 'debug' })
after(async () => {
  await house.close()
  await api.stop()
})

type Turn = { readonly blocks: unknown; readonly meta: { readonly toolCalls: { tool: string; status: string }[] } }

async function shop(userToken: string) {
  const { apiKey: key } = await house.tenant()
  const document = { document: DOCUMENT, baseUrl: await api.start(), operations: { list_orders: { is_write: false } } }
  const imported = await house.ask('POST', '/v1/tools/import', { key, body: { ...document, userToken } })
  assert.equal(imported.status, 200, imported.text)
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: [READ] })).status, 200)
  return async (headers: Record<string, string>) => {
    model.play([{ call: 'get_order', with: { number: 'A-1' } }], ['There it is.'])
    return await house.ask<Turn>('POST', '/v1/chat', { key, body: { prompt: 'Where is order A-1?' }, headers })
  }
}

test('the token of whoever is signed in goes to the API, and to nobody else', async () => {
  const ask = await shop('require')
  const seen = api.answering(200, { state: 'on its way', echoed: TOKEN })
  const { status, body, text } = await ask({ 'x-service-upstream-token': TOKEN })
  assert.deepEqual([status, body.meta.toolCalls.map((one) => one.status)], [200, ['ok']], text)
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    [`Bearer ${TOKEN}`],
  )
  const told = JSON.stringify(model.requests)
  assert.ok(told.includes('on its way') && !told.includes(TOKEN), told)
  assert.ok(!text.includes(TOKEN) && !house.logged.join('').includes(TOKEN))
})

test('without one the API is not called, and the model is told what is missing', async () => {
  const ask = await shop('require')
  const seen = api.answering(200)
  const { body, text } = await ask({})
  assert.deepEqual([body.meta.toolCalls.map((one) => one.status), seen.length], [['user_token_required'], 0], text)
  assert.match(JSON.stringify(model.requests.at(-1)), /user_token_required.*Ask the visitor to sign in/)
})

test('a token of one turn is gone with it, and one that is not wanted stays here', async () => {
  const ask = await shop('prefer')
  const seen = api.answering(200)
  await ask({ 'x-service-upstream-token': TOKEN })
  await ask({})
  const ignored = await shop('ignore')
  await ignored({ 'x-service-upstream-token': TOKEN })
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    [`Bearer ${TOKEN}`, undefined, undefined],
  )
  const refused = await ask({ 'x-service-upstream-token': 'two words' })
  assert.deepEqual(
    [refused.status, refused.error?.code, refused.error?.reason],
    [400, 'invalid_upstream_token', 'invalid_characters'],
  )
})
