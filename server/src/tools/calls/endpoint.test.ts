import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import { verifySignature } from '@tether/sdk'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint, type Seen } from '../../../testkit/scripted-endpoint.ts'

type CallAnswer = z.output<typeof contract.CallAnswer>
type Tested = z.output<typeof contract.EndpointTest>

const CATALOG = [
  {
    name: 'get_order',
    description: 'Looks up one order of the shop by its number.',
    is_write: false,
    parameters: { type: 'object' },
  },
]

let house: OpenHouse
let shop: NewTenant
let url: string
const endpoint = new ScriptedEndpoint()
before(async () => {
  house = await openHouse({
    settings: { 'ToolTransport:MaxResponseBytes': '2048' },
  })
  shop = await house.tenant()
  url = await endpoint.start()
  await house.ask('PUT', '/v1/endpoint', { key: shop.apiKey, body: { url } })
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

const ping = async (key = shop.apiKey) => {
  const reply = await house.ask<Tested>('POST', '/v1/endpoint/test', { key })
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

test('a test is one signed request that no tool answers to, and shows what was sent and what came back in full', async () => {
  const answer = `{"hello": ${'"x"'.padStart(1500)}}`
  const seen = endpoint.play((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'x-build': '7' }).end(answer),
  )
  const tested = await ping()
  assert.equal(seen.length, 1)
  const [{ headers, text, body }] = seen as [Seen]
  const verified = await verifySignature({
    secret: shop.signingSecret,
    headers: headers as Record<string, string>,
    body: text,
  })
  assert.ok(verified.ok)
  assert.deepEqual(
    [body.type, body.tool, body.arguments, body.is_write, body.mode, body.action_id],
    ['endpoint_test', 'test.ping', {}, false, 'read', null],
  )
  assert.equal(tested.request?.body, text, 'the exact bytes that were signed')
  for (const [name, value] of Object.entries(tested.request?.headers ?? {}))
    assert.equal(headers[name.toLowerCase()], value, name)
  assert.equal(Object.keys(tested.request?.headers ?? {}).length, 5)
  assert.equal(body.request_id, tested.request?.requestId)
  assert.equal(tested.answer?.body, answer)
  assert.equal(tested.answer?.headers['x-build'], '7')
  assert.deepEqual([tested.ok, tested.status, tested.signature, tested.signatureHints], [true, 'ok', 'accepted', []])
  assert.match(tested.message, /answered 200/)
})

test('nothing of a test is a call: no telemetry and no tool of that name could exist', async () => {
  endpoint.play((_request, response) => response.end())
  assert.equal((await ping()).ok, true)
  const registered = await house.ask('PUT', '/v1/tools', {
    key: shop.apiKey,
    body: [{ ...CATALOG[0], name: 'test.ping' }],
  })
  assert.equal(registered.status, 400)
})

test('a refused signature comes with what may have caused it', async () => {
  const refuseIt = (date?: string) =>
    endpoint.play((_request, response) =>
      response.writeHead(401, date === undefined ? {} : { date }).end('bad signature'),
    )
  refuseIt()
  const plain = await ping()
  assert.deepEqual([plain.ok, plain.signature, plain.answer?.body], [false, 'refused', 'bad signature'])
  assert.match(plain.message, /answered 401.*signatureHints/)
  assert.match(plain.signatureHints.join('\n'), /whsec_.*exact bytes.*proxy/s)
  assert.doesNotMatch(plain.signatureHints.join('\n'), /clock|rotated in/)
  assert.ok(!JSON.stringify(plain).includes(shop.signingSecret))

  refuseIt(new Date(Date.now() - 3_600_000).toUTCString())
  assert.match((await ping()).signatureHints[0] ?? '', /clock says .* and ours says .*300 seconds/)

  const other = await house.tenant()
  await house.ask('PUT', '/v1/endpoint', { key: other.apiKey, body: { url } })
  await house.ask('POST', '/v1/account/signing-secret/rotate', { key: other.apiKey, body: {} })
  refuseIt()
  assert.match((await ping(other.apiKey)).signatureHints[0] ?? '', /rotated in the last 24 hours/)
})

test('an answer that does not tell says so', async () => {
  endpoint.play((_request, response) => response.writeHead(404).end('{"message":"no such tool"}'))
  const unknown = await ping()
  assert.deepEqual([unknown.ok, unknown.status, unknown.signature], [false, 'endpoint_error', 'unknown'])
  assert.match(unknown.message, /404.*test\.ping.*endpoint_test/)
  endpoint.play((_request, response) => response.end('<html>'))
  assert.equal((await ping()).status, 'endpoint_error')
  endpoint.play((_request, response) => response.end(`"${'x'.repeat(5000)}"`))
  assert.deepEqual([(await ping()).status, (await ping()).answer], ['response_too_large', null])
})

test('what never answers has its time, and is told from what refuses', async () => {
  await using hasty = await openHouse({ settings: { 'ToolTransport:TimeoutSeconds': '3' } })
  const other = await hasty.tenant()
  await hasty.ask('PUT', '/v1/endpoint', { key: other.apiKey, body: { url } })
  const seen = endpoint.play(() => undefined)
  const late = (await hasty.ask<Tested>('POST', '/v1/endpoint/test', { key: other.apiKey })).body
  assert.deepEqual([late.status, late.answer, late.signatureHints, seen.length], ['timeout', null, [], 1])
})

test('without an endpoint nothing is sent', async () => {
  const bare = await house.tenant()
  const tested = await ping(bare.apiKey)
  assert.deepEqual([tested.status, tested.request, tested.answer], ['not_configured', null, null])
  assert.match(tested.message, /PUT \/v1\/endpoint/)
})

test('an endpoint of the operator’s own network is set and called when the operator has listed it', async () => {
  await using strict = await openHouse({
    settings: { 'ToolTransport:AllowPrivateNetworkEndpoint': 'false', 'Outbound:AllowedPrivate': '127.0.0.1' },
  })
  const { apiKey: key } = await strict.tenant()
  await strict.ask('PUT', '/v1/tools', { key, body: CATALOG })
  assert.equal((await strict.ask('PUT', '/v1/endpoint', { key, body: { url } })).body.configured, true)
  const webhook = { url: url.replace('127.0.0.1', '127.0.0.2') }
  assert.equal((await strict.ask('PUT', '/v1/events/webhook', { key, body: webhook })).error?.code, 'invalid_endpoint')
  assert.equal((await strict.ask('PUT', '/v1/events/webhook', { key, body: { url } })).status, 200)
  endpoint.play((_request, response) => response.end('{"state":"paid"}'))
  const reply = await strict.ask<CallAnswer>('POST', '/v1/tools/get_order/call', { key, body: {} })
  assert.equal(reply.body.status, 'ok')
})
