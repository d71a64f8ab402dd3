// A workspace whose server is on a developer's machine: the service calls itself, and a listener takes it from there.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { verifySignature } from '@tether/sdk'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { listenTo } from '../../../testkit/statements.ts'
import { listening } from './module.ts'

const CATALOG = [
  { name: 'get_order', description: 'Looks up one order of the shop by its number.', is_write: false },
  { name: 'refund_order', description: 'Pays the whole price of one order back to the card.', is_write: true },
]
const LISTENER = 'laptop-of-ana'

type Taken = {
  epoch: string
  displaced: boolean
  requests: { number: number; headers: Record<string, string>; body: string }[]
}

let house: OpenHouse
let shop: NewTenant
let address: string
before(async () => {
  house = await openHouse({ modules: [listening] })
  shop = await house.tenant()
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = house.app.server.server.address() as AddressInfo
  address = `http://127.0.0.1:${port}/v1/listening/${shop.tenantId}/deliveries`
  const { status, text } = await house.ask('PUT', '/v1/endpoint', { key: shop.apiKey, body: { url: address } })
  assert.equal(status, 200, text)
  await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body: CATALOG })
})
after(() => house.close())

const take = async (more: object = {}) =>
  (
    await house.ask<Taken>('POST', '/v1/listening/requests', {
      key: shop.apiKey,
      body: { listener: LISTENER, ...more },
    })
  ).body
const answer = (epoch: string, number: number, said: object) =>
  house.ask<{ taken: number }>('POST', '/v1/listening/answers', {
    key: shop.apiKey,
    body: { listener: LISTENER, epoch, answers: [{ number, ...said }] },
  })
const call = () =>
  house.ask<{ status: string; result: unknown; lastStatus?: string }>('POST', '/v1/tools/get_order/call', {
    key: shop.apiKey,
    body: { arguments: { number: 'A-1', ზარი: 'გამარჯობა' } },
  })

test('a call arrives as it is signed, and is answered by the machine', async () => {
  const { epoch } = await take()
  const calling = call()
  const { requests } = await take({ epoch, waitSeconds: 25 })
  const [{ number, headers, body } = assert.fail('nothing came')] = requests
  const verified = await verifySignature({ secret: shop.signingSecret, headers, body })
  assert.ok(verified.ok, JSON.stringify(verified))
  assert.match(headers['webhook-signature'] ?? '', /^v1,/)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(body).arguments, { number: 'A-1', ზარი: 'გამარჯობა' })
  assert.deepEqual((await answer(epoch, number, { status: 200, body: '{"state": "paid"}' })).body, { taken: 1 })
  const { body: said } = await calling
  assert.deepEqual([said.status, said.result], ['ok', { state: 'paid' }])
})

test('an event goes the same way, by itself and when it is sent as a test', async () => {
  const { epoch } = await take()
  const testing = house.ask<{ delivery: { delivered: boolean } }>('POST', '/v1/events/test', { key: shop.apiKey })
  const { requests } = await take({ epoch, waitSeconds: 25 })
  const [{ number, headers, body } = assert.fail('nothing came')] = requests
  assert.deepEqual([JSON.parse(body).event, headers['x-service-delivery-attempt']], ['test.ping', '1'])
  await answer(epoch, number, { status: 204 })
  assert.equal((await testing).body.delivery.delivered, true)
})

test('of a write that nobody took it is certain that nothing was applied: it waits again', async () => {
  const other = await house.tenant()
  const url = address.replace(`/${shop.tenantId}/`, `/${other.tenantId}/`)
  await house.ask('PUT', '/v1/endpoint', { key: other.apiKey, body: { url } })
  await house.ask('PUT', '/v1/tools', { key: other.apiKey, body: CATALOG })
  const ask = (path: string, body: object) =>
    house.ask<{ actionId: string; status: string; errorMessage: string }>('POST', path, {
      key: other.apiKey,
      headers: { 'x-service-user-id': '7' },
      body,
    })
  const { actionId } = (await ask('/v1/actions', { tool: 'refund_order', arguments: {} })).body
  const said = (await ask(`/v1/actions/${actionId}/confirm`, {})).body
  assert.equal(said.status, 'FailedRetryable', JSON.stringify(said))
  assert.equal(
    (await house.ask<{ status: string }>('GET', `/v1/actions/${actionId}`, { key: other.apiKey })).body.status,
    'pending',
  )
})

test('nobody but this service hands anything on, not even with the secret of another workspace', async () => {
  const { epoch } = await take()
  const other = await house.tenant()
  const body = '{"type":"event"}'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signedBy = (secret: string, at = timestamp) => ({
    'content-type': 'application/json',
    'x-service-timestamp': at,
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
  })
  for (const headers of [
    { 'content-type': 'application/json' },
    signedBy(other.signingSecret),
    signedBy(shop.signingSecret, String(Number(timestamp) - 301)),
    { ...signedBy(shop.signingSecret), 'x-service-signature': 'sha256=x' },
  ]) {
    const refused = await fetch(address, { method: 'POST', headers, body })
    const { error } = (await refused.json()) as { error: { code: string } }
    assert.deepEqual([refused.status, error.code], [401, 'invalid_signature'])
  }
  for (const path of [address.replace(/\/\d+\//, '/999999/'), address.replace(/\/\d+\//, '/x/')])
    assert.equal((await fetch(path, { method: 'POST', headers: signedBy(shop.signingSecret), body })).status, 401)
  assert.deepEqual((await take({ epoch })).requests, [])
})

test('another workspace’s key takes nothing of it', async () => {
  const { epoch } = await take()
  const calling = call()
  const { requests } = await take({ epoch, waitSeconds: 25 })
  const other = await house.tenant()
  const body = { listener: LISTENER, epoch }
  const theirs = await house.ask<Taken>('POST', '/v1/listening/requests', { key: other.apiKey, body })
  assert.deepEqual(theirs.body.requests, [])
  const number = requests[0]?.number ?? 0
  const said = await house.ask('POST', '/v1/listening/answers', {
    key: other.apiKey,
    body: { ...body, answers: [{ number, status: 200, body: '{"forged": true}' }] },
  })
  assert.deepEqual(said.body, { taken: 0 })
  await answer(epoch, number, { status: 404, body: '{"status": "not_found", "message": "None."}' })
  assert.equal((await calling).body.status, 'endpoint_error')
})

const signed = (secret: string, body: string) => {
  const at = String(Math.floor(Date.now() / 1000))
  const signature = `sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
  return { 'content-type': 'application/json', 'x-service-timestamp': at, 'x-service-signature': signature }
}

test('what a proxy adds on the way here, such as the secret of a relay, is handed to nobody', async () => {
  const { epoch } = await take()
  const delivering = fetch(address, {
    method: 'POST',
    body: '{}',
    headers: {
      ...signed(shop.signingSecret, '{}'),
      'webhook-id': 'evt_1',
      'x-service-idempotency-key': 'evt_1',
      'x-service-relay': 'the secret of the deployment’s relay'.replace('’', ''),
      'x-service-visitor': '203.0.113.7',
      'webhook-proxy-token': 'secret',
    },
  })
  const { requests } = await take({ epoch, waitSeconds: 25 })
  const [{ number, headers } = assert.fail('nothing came')] = requests
  await answer(epoch, number, { status: 204 })
  assert.equal((await delivering).status, 204)
  assert.deepEqual(Object.keys(headers).toSorted(), [
    'content-type',
    'user-agent',
    'webhook-id',
    'x-service-idempotency-key',
    'x-service-signature',
    'x-service-timestamp',
  ])
})

test('a content type that no header can hold is refused, and the call still waits for its answer', async () => {
  const { epoch } = await take()
  const calling = call()
  const { requests } = await take({ epoch, waitSeconds: 25 })
  const number = requests[0]?.number ?? 0
  for (const type of ['text/plain\r\nset-cookie: a=b', 'ტექსტი', 'a\u0000b']) {
    const { status, error } = await answer(epoch, number, { status: 200, type, body: '{}' })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], type)
  }
  await answer(epoch, number, { status: 200, body: '{"state": "paid"}' })
  assert.equal((await calling).body.status, 'ok')
})

test('whoever signs with nobody’s secret has little looked up, and the workspace’s own is counted for it', async (t) => {
  const counting = await openHouse({
    modules: [listening],
    settings: { 'RateLimit:AnonymousPerMinute': '2', 'RateLimit:ControlPerMinute': '5' },
  })
  t.after(() => counting.close())
  const { tenantId, signingSecret } = await counting.tenant()
  let looks = 0
  listenTo(counting, (name) => {
    if (name === 'tenants.read_secrets') looks++
  })
  // Each instance counts for itself where they share no Redis, so that all of it goes to one.
  const sent = (secret: string, to: number, remoteAddress: string) =>
    counting.app.server.inject({
      method: 'POST',
      url: `/v1/listening/${to}/deliveries`,
      payload: '{}',
      headers: signed(secret, '{}'),
      remoteAddress,
    })
  const strangers: number[] = []
  for (let at = 0; at < 60; at++)
    strangers.push((await sent('whsec_nobody', tenantId + (at % 3), '198.51.100.7')).statusCode)
  assert.deepEqual([strangers.slice(0, 2), new Set(strangers.slice(2))], [[401, 401], new Set([429])])
  assert.equal(looks, 20, 'what is refused unseen asks the database nothing')
  // Nobody listens, which is no reason to be asked as often as they like.
  const own: string[] = []
  for (let at = 0; at < 7; at++) {
    const { payload } = await sent(signingSecret, tenantId, '203.0.113.9')
    own.push(payload.includes('rate_limited') ? 'counted' : 'nobody')
  }
  assert.deepEqual(own, ['nobody', 'nobody', 'nobody', 'nobody', 'nobody', 'counted', 'counted'])
})

test('a number that the service cannot have counted is refused in words', async () => {
  const { epoch } = await take()
  const received = { listener: LISTENER, epoch, received: 2 ** 31 }
  const asked = await house.ask('POST', '/v1/listening/requests', { key: shop.apiKey, body: received })
  const said = await answer(epoch, 2 ** 31, { status: 200 })
  for (const { status, error } of [asked, said]) assert.deepEqual([status, error?.code], [400, 'invalid_request'])
})
