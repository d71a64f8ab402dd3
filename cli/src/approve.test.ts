// `tether approve` on a write that can no longer be approved.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openService, set, tether } from './fixtures/binary.ts'

openService()

const REFUND = {
  name: 'refund_order',
  description: 'Pays the whole price of one order back to the card that paid it.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
}
const USER = { TETHER_USER_ID: '7' }

test('a write whose endpoint moved is not approved, and the command says why before it asks', async () => {
  const { apiKey: key } = set.shop
  await set.house.ask('PUT', '/v1/tools', { key, body: [REFUND] })
  const staged = await tether(['stage', 'refund_order', 'number=A-7'], { env: USER })
  const endpoint = await set.house.ask<{ url: string }>('GET', '/v1/endpoint', { key })
  const setEndpoint = (url: string) => set.house.ask('PUT', '/v1/endpoint', { key, body: { url } })
  await setEndpoint(`${endpoint.body.url}?moved=1`)
  try {
    const refused = await tether(['approve', staged.out.trim(), '--yes', '--acknowledge'], { env: USER })
    assert.deepEqual([refused.code, refused.out], [1, ''], refused.err)
    assert.match(refused.err, /goes to +http:\/\/127[\s\S]*another address than the one it was staged for/)
  } finally {
    await setEndpoint(endpoint.body.url)
  }
})
