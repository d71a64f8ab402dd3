import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import { mintCustomerToken, verifySignature } from '@tether/sdk'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type Script, ScriptedEndpoint, type Seen } from '../../../testkit/scripted-endpoint.ts'
import { statement } from '../../kernel/db/index.ts'

type CallAnswer = z.output<typeof contract.CallAnswer>
const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: 'Looks something up in the shop, for the tests of calls.',
  is_write: false,
  parameters: { type: 'object', properties: { number: { type: 'string' }, amount: { type: 'number' } } },
  ...more,
})
const CATALOG = [
  tool('get_order'),
  tool('get_own_orders', { requires_customer: true }),
  tool('list_orders', { result: { pick: ['orders.number'], max_items: 2 } }),
  tool('strict_order', {
    parameters: { type: 'object', properties: { quantity: { type: 'integer' } }, required: ['quantity'] },
  }),
]

let house: OpenHouse
let shop: NewTenant
const endpoint = new ScriptedEndpoint()
before(async () => {
  house = await openHouse({
    settings: { 'ToolTransport:TimeoutSeconds': '4', 'ToolTransport:MaxResponseBytes': '2048' },
  })
  shop = await house.tenant()
  await register(shop, CATALOG)
  await house.ask('PUT', '/v1/endpoint', { key: shop.apiKey, body: { url: await endpoint.start() } })
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

const register = (tenant: NewTenant, catalog: unknown) =>
  house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: catalog })
const call = (name: string, given: unknown = {}, headers: Record<string, string> = {}) =>
  house.ask<CallAnswer>('POST', `/v1/tools/${name}/call`, { key: shop.apiKey, body: { arguments: given }, headers })

test('a read reaches the endpoint signed, and its answer comes back as the endpoint wrote it', async () => {
  const seen = endpoint.play((_request, response) =>
    response.end('{"total": 9007199254740993, "price":1.10,  "b":1,"a":2}'),
  )
  const reply = await call(
    'get_order',
    { number: 'A-1' },
    { 'x-service-scope-id': '5', 'x-service-user-id': '8', 'x-service-user-role': 'clerk' },
  )
  assert.equal(reply.status, 200)
  assert.equal(reply.body.status, 'ok')
  assert.ok(reply.text.includes('{"total": 9007199254740993, "price":1.10,  "b":1,"a":2}'), reply.text)
  const [{ headers, text, body }] = seen as [Seen]
  assert.deepEqual(
    await verifySignature({ secret: shop.signingSecret, headers: headers as Record<string, string>, body: text }).then(
      ({ ok }) => ok,
    ),
    true,
  )
  const { request_id, occurred_at, ...rest } = body
  assert.equal(headers['x-service-idempotency-key'], request_id)
  assert.match(String(occurred_at), /^\d{4}-.*Z$/)
  assert.deepEqual(rest, {
    type: 'tool_call',
    mode: 'read',
    tool: 'get_order',
    arguments: { number: 'A-1' },
    is_write: false,
    tenant: { organization_id: shop.tenantId, scope_id: 5 },
    user: { id: 8, role: 'clerk' },
    customer: null,
    session_id: null,
    action_id: null,
  })
})

test('a number travels to the endpoint with every digit that it came with', async () => {
  const seen = endpoint.play((_request, response) => response.end('{}'))
  await house.ask('POST', '/v1/tools/get_order/call', {
    key: shop.apiKey,
    raw: '{"arguments":{"amount":9007199254740993.10}}',
    headers: { 'content-type': 'application/json' },
  })
  assert.ok(seen[0]?.text.includes('"amount":9007199254740993.10'), seen[0]?.text)
})

test('in the day after a rotation, the old secret and the new one both verify', async () => {
  const rotating = await house.tenant()
  await register(rotating, CATALOG)
  await house.ask('PUT', '/v1/endpoint', {
    key: rotating.apiKey,
    body: { url: (await house.ask<{ url: string }>('GET', '/v1/endpoint', { key: shop.apiKey })).body.url },
  })
  const { body } = await house.ask<{ signingSecret: string }>('POST', '/v1/account/signing-secret/rotate', {
    key: rotating.apiKey,
  })
  const seen = endpoint.play((_request, response) => response.end('{}'))
  await house.ask('POST', '/v1/tools/get_order/call', { key: rotating.apiKey, body: {} })
  const { headers, text } = seen[0] as Seen
  for (const secret of [body.signingSecret, rotating.signingSecret]) {
    assert.equal((await verifySignature({ secret, headers: headers as Record<string, string>, body: text })).ok, true)
  }
  assert.equal(
    (await verifySignature({ secret: shop.signingSecret, headers: headers as Record<string, string>, body: text })).ok,
    false,
  )
})

test('arguments that do not fit are refused in words that a model can act on, and nothing is called', async () => {
  const seen = endpoint.play((_request, response) => response.end('{}'))
  const wrong = await call('strict_order', { quantity: 'two' })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.error?.code, 'invalid_request')
  assert.match(wrong.error?.message ?? '', /`quantity`.*integer/)
  assert.match((await call('strict_order')).error?.message ?? '', /quantity/)
  assert.equal(seen.length, 0)
})

test('unknown tools and other tenants’ tools are unknown', async () => {
  assert.equal((await call('no_such_tool')).error?.code, 'unknown_tool')
  const other = await house.tenant()
  const foreign = await house.ask('POST', '/v1/tools/get_order/call', { key: other.apiKey, body: {} })
  assert.equal(foreign.error?.code, 'unknown_tool')
})

test('without an endpoint nothing is called, and the answer says how to set one', async () => {
  const bare = await house.tenant()
  await register(bare, CATALOG)
  const reply = await house.ask<CallAnswer>('POST', '/v1/tools/get_order/call', { key: bare.apiKey, body: {} })
  assert.equal(reply.body.status, 'not_configured')
  assert.match(reply.body.message ?? '', /No tool endpoint is configured.*PUT \/v1\/endpoint/)
})

test('a read is tried again on the statuses named, under one request id, and no more often than allowed', async () => {
  for (const status of [408, 429, 502, 503, 504]) {
    const seen = endpoint.play((_request, response, turn) => {
      response.statusCode = turn < 3 ? status : 200
      response.end('{"turn":3}')
    })
    const reply = await call('get_order')
    assert.equal(reply.body.status, 'ok', String(status))
    assert.equal(seen.length, 3)
    assert.equal(new Set(seen.map(({ body }) => body.request_id)).size, 1)
  }
  const spent = endpoint.play((_request, response) => {
    response.statusCode = 503
    response.end()
  })
  const failed = await call('get_order')
  assert.deepEqual([failed.body.status, failed.body.lastStatus, spent.length], ['failed', 'endpoint_error', 3])
})

test('a status that is no hiccup is not tried again', async () => {
  for (const status of [400, 401, 404, 409, 422, 500, 501, 302]) {
    const seen = endpoint.play((_request, response) => {
      response.statusCode = status
      response.setHeader('location', 'http://169.254.169.254/')
      response.end('{"error":"x"}')
    })
    const reply = await call('get_order')
    assert.equal(reply.body.status, 'endpoint_error', String(status))
    assert.match(reply.body.message ?? '', new RegExp(String(status)))
    assert.equal(reply.body.result, null)
    assert.equal(seen.length, 1)
  }
})

test('an endpoint that holds the idempotency key already is told apart, and not asked again', async () => {
  const seen = endpoint.play((_request, response) => response.writeHead(409).end('{"status": "in_flight"}'))
  const { body } = await call('get_order')
  assert.equal(body.status, 'in_flight')
  assert.match(body.message ?? '', /holds this idempotency key/)
  assert.equal(seen.length, 1)
  endpoint.play((_request, response) => response.writeHead(409).end('{"status": "sold_out"}'))
  assert.equal((await call('get_order')).body.status, 'endpoint_error')
})

test('Retry-After that asks for too long ends the tries, and the status is that of the one that was made', async () => {
  const seen = endpoint.play((_request, response) => {
    response.statusCode = 429
    response.setHeader('retry-after', '3600')
    response.end()
  })
  const reply = await call('get_order')
  assert.deepEqual([reply.body.status, reply.body.lastStatus, seen.length], ['endpoint_error', undefined, 1])
  assert.match(reply.body.message ?? '', /answered 429\. .*another try in 3600 s/)
})

const answers: readonly [what: string, script: Script, status: string, lastStatus?: string][] = [
  ['hangs', () => {}, 'failed', 'timeout'],
  ['closes the connection', (_request, response) => response.socket?.destroy(), 'failed', 'unreachable'],
  ['sends too much', (_request, response) => response.end(JSON.stringify('x'.repeat(5000))), 'response_too_large'],
  ['sends no JSON', (_request, response) => response.end('<html>'), 'endpoint_error'],
  ['sends half a JSON', (_request, response) => response.end('{"a":'), 'endpoint_error'],
  [
    'sends bytes that are not UTF-8',
    (_request, response) => response.end(Buffer.from([0x22, 0xff, 0x22])),
    'endpoint_error',
  ],
  [
    'closes in the middle of its body',
    (_request, response) => {
      response.setHeader('content-length', '100')
      response.write('{"a":1')
      setTimeout(() => response.socket?.destroy(), 20)
    },
    'failed',
    'unreachable',
  ],
  [
    'drips for ever',
    (_request, response) => {
      response.write('[')
      const drip = setInterval(() => response.write('1,'), 50)
      response.on('close', () => clearInterval(drip))
    },
    'failed',
    'timeout',
  ],
]
for (const [what, script, status, lastStatus] of answers) {
  test(`an endpoint that ${what} is ${status}${lastStatus === undefined ? '' : ` (${lastStatus})`}`, async () => {
    endpoint.play(script)
    const { body } = await call('get_order')
    assert.deepEqual([body.status, body.lastStatus, body.result], [status, lastStatus, null])
    assert.ok((body.message ?? '').length > 10)
  })
}

test('an empty 2xx is a result of nothing', async () => {
  endpoint.play((_request, response) => {
    response.statusCode = 204
    response.end()
  })
  assert.deepEqual((await call('get_order')).body.result, null)
  assert.equal((await call('get_order')).body.status, 'ok')
})

test('a result is trimmed as the tool says, with a word about what was left out', async () => {
  endpoint.play((_request, response) =>
    response.end(JSON.stringify({ orders: [1, 2, 3, 4].map((number) => ({ number, secret: 'x' })), pages: 9 })),
  )
  const { body } = await call('list_orders')
  assert.deepEqual(body.result, { orders: [{ number: 1 }, { number: 2 }] })
  assert.match(body.notice ?? '', /2 of 4/)
  assert.match(body.notice ?? '', /pages/)
})

test('a tool for customers is called for a verified one only', async () => {
  const seen = endpoint.play((_request, response) => response.end('{}'))
  const without = await call('get_own_orders')
  assert.equal(without.status, 403)
  assert.equal(without.body.status, 'customer_required')
  assert.equal(seen.length, 0)
  const issued = await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: shop.apiKey,
  })
  const key = issued.body.customerTokenKey
  const token = await mintCustomerToken({ key, tenantId: shop.tenantId, customerId: 'cus_1' })
  const reply = await call('get_own_orders', {}, { 'x-service-customer-token': token })
  assert.equal(reply.body.status, 'ok')
  assert.deepEqual(seen[0]?.body.customer, { id: 'cus_1' })
  const refused = async (bad: string) => (await call('get_own_orders', {}, { 'x-service-customer-token': bad })).error
  assert.equal((await refused('x'))?.reason, 'malformed')
  assert.equal(
    (await refused(await mintCustomerToken({ key, tenantId: shop.tenantId + 1, customerId: 'c' })))?.reason,
    'wrong_tenant',
  )
  assert.equal(
    (await refused(await mintCustomerToken({ key: `${key}0`, tenantId: shop.tenantId, customerId: 'c' })))?.reason,
    'invalid_signature',
  )
  await house.ask('POST', '/v1/account/customer-token-key', { key: shop.apiKey })
  assert.equal((await refused(token))?.reason, 'invalid_signature', 'a rotated key refuses the old tokens at once')
})

test('a person’s own token for the API is looked at for its shape only', async () => {
  const refused = async (value: string) => (await call('get_order', {}, { 'x-service-upstream-token': value })).error
  assert.deepEqual([(await refused(''))?.code, (await refused(''))?.reason], ['invalid_upstream_token', 'empty'])
  assert.equal((await refused('x'.repeat(4001)))?.reason, 'too_long')
  assert.equal((await refused('a b'))?.reason, 'invalid_characters')
})

test('an endpoint is set, cleared, and refused with the words of the guard; a bad one changes nothing', async () => {
  await using strict = await openHouse({
    settings: { 'ToolTransport:AllowInsecureEndpoint': 'false', 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  const { apiKey: key } = await strict.tenant()
  const put = (body: unknown) => strict.ask('PUT', '/v1/endpoint', { key, body })
  assert.deepEqual((await put({ url: ' https://93.184.216.34/tools ' })).body, {
    configured: true,
    url: 'https://93.184.216.34/tools',
    signingSecretIssued: true,
  })
  for (const [url, words] of [
    ['http://93.184.216.34/', /Endpoint must use HTTPS\./],
    ['tools', /Endpoint is not an absolute URL\./],
    ['https://127.0.0.1/', /private/i],
    ['https://169.254.169.254/latest', /private|not/i],
    ['https://user:pass@93.184.216.34/', /user name|password|credential/i],
  ] as const) {
    const reply = await put({ url })
    assert.equal(reply.error?.code, 'invalid_endpoint', url)
    assert.match(reply.error?.message ?? '', words)
  }
  assert.equal((await put({})).error?.code, 'invalid_request')
  assert.equal((await put({ url: 5 })).error?.code, 'invalid_request')
  assert.equal((await strict.ask('GET', '/v1/endpoint', { key })).body.url, 'https://93.184.216.34/tools')
  for (const empty of ['', '  ', null]) {
    assert.deepEqual((await put({ url: empty })).body, { configured: false, url: null, signingSecretIssued: true })
  }
})

test('an address that turned private after it was set is not called', async () => {
  await using strict = await openHouse({
    settings: { 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  const tenant = await strict.tenant()
  await strict.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: CATALOG })
  const seen = endpoint.play((_request, response) => response.end('{}'))
  const url = (await house.ask<{ url: string }>('GET', '/v1/endpoint', { key: shop.apiKey })).body.url
  await strict.database.database.run(forceEndpoint, { tenantId: tenant.tenantId, url })
  const reply = await strict.ask<CallAnswer>('POST', '/v1/tools/get_order/call', { key: tenant.apiKey, body: {} })
  assert.equal(reply.body.status, 'invalid_endpoint')
  assert.equal(seen.length, 0)
})

const forceEndpoint = statement<unknown, { tenantId: number; url: string }>(
  'test.force_endpoint',
  'update tenants set endpoint_url = $url::text where tenant_id = $tenantId::int',
)
const breakSecret = statement<unknown, { tenantId: number }>(
  'test.break_secret',
  `update tenants set signing_secret = 'enc:v1:00000000:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    where tenant_id = $tenantId::int`,
)
const callRows = statement<
  { tool: string; status: string; attempts: number; http: number | null },
  { tenantId: number }
>(
  'test.call_rows',
  'select tool, status, attempts, http_status as http from tool_calls where tenant_id = $tenantId::int order by http_status, attempts',
)

test('a secret that does not open stops the call before the endpoint is contacted', async () => {
  const broken = await house.tenant()
  await register(broken, CATALOG)
  const url = (await house.ask<{ url: string }>('GET', '/v1/endpoint', { key: shop.apiKey })).body.url
  await house.ask('PUT', '/v1/endpoint', { key: broken.apiKey, body: { url } })
  await house.database.database.run(breakSecret, { tenantId: broken.tenantId })
  const seen = endpoint.play((_request, response) => response.end('{}'))
  const reply = await house.ask<CallAnswer>('POST', '/v1/tools/get_order/call', { key: broken.apiKey, body: {} })
  assert.equal(reply.body.status, 'failed')
  assert.match(reply.body.message ?? '', /stored secret could not be decrypted/)
  assert.equal(seen.length, 0)

  // A rotation is the way out: the lost secret would only have signed beside the new one.
  const rotated = await house.ask<{ signingSecret: string }>('POST', '/v1/account/signing-secret/rotate', {
    key: broken.apiKey,
  })
  const again = await house.ask<CallAnswer>('POST', '/v1/tools/get_order/call', { key: broken.apiKey, body: {} })
  assert.equal(again.body.status, 'ok', again.text)
  const { headers, text } = seen[0] as Seen
  const proof = { headers: headers as Record<string, string>, body: text }
  assert.equal((await verifySignature({ secret: rotated.body.signingSecret, ...proof })).ok, true)
})

test('every call leaves one row of telemetry, without arguments and results', async () => {
  const tenant = await house.tenant()
  await register(tenant, CATALOG)
  const url = (await house.ask<{ url: string }>('GET', '/v1/endpoint', { key: shop.apiKey })).body.url
  await house.ask('PUT', '/v1/endpoint', { key: tenant.apiKey, body: { url } })
  endpoint.play((_request, response, turn) => {
    response.statusCode = turn === 2 ? 503 : turn === 4 ? 404 : 200
    response.end('{}')
  })
  for (let turn = 0; turn < 3; turn++)
    await house.ask('POST', '/v1/tools/get_order/call', { key: tenant.apiKey, body: {} })
  await house.app.flush()
  assert.deepEqual(await house.database.database.rows(callRows, { tenantId: tenant.tenantId }), [
    { tool: 'get_order', status: 'ok', attempts: 1, http: 200 },
    { tool: 'get_order', status: 'ok', attempts: 2, http: 200 },
    { tool: 'get_order', status: 'endpoint_error', attempts: 1, http: 404 },
  ])
})
