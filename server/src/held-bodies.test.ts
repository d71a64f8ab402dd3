// A request whose head came before something changed, and whose body came after it: it is served as it stands then.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { mintCustomerToken } from '@tether/sdk'
import { type Held, hold } from '../testkit/held-request.ts'
import { type NewTenant, type OpenHouse, openHouse } from '../testkit/house.ts'
import { ScriptedEndpoint } from '../testkit/scripted-endpoint.ts'
import { MODULES } from './modules.ts'

const endpoint = new ScriptedEndpoint()
const moved = new ScriptedEndpoint()
let house: OpenHouse
let port: number
before(async () => {
  house = await openHouse({ modules: MODULES })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (house.app.server.server.address() as AddressInfo).port
})
after(async () => {
  await house.close()
  await endpoint.stop()
  await moved.stop()
})

const ask = ({ apiKey: key }: NewTenant, method: string, path: string, body?: unknown) =>
  house.ask(method, path, { key, ...(body === undefined ? {} : { body }) })

type Sent = {
  readonly method?: string
  readonly path: string
  readonly key: string
  readonly body: unknown
  readonly headers?: Record<string, string>
}

/** Sends the head and one byte, and returns when the gate has looked the key up. */
async function letIn({ method = 'POST', path, key, body, headers = {} }: Sent): Promise<Held> {
  const held = await hold({ port, method, path, body: JSON.stringify(body), headers: { 'x-api-key': key, ...headers } })
  const arrived = once(house.app.server.server, 'request')
  await held.sendHead(1)
  await arrived
  // A look of our own that begins after the gate's, and so ends after it.
  await house.ask('GET', '/v1/account', { key })
  return held
}

const TOOL = {
  name: 'refund_order',
  description: 'Gives the money of an order back, for these tests.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}

async function shop(): Promise<NewTenant & { readonly actionId: string }> {
  const tenant = await house.tenant()
  await ask(tenant, 'PUT', '/v1/tools', [TOOL])
  await ask(tenant, 'PUT', '/v1/endpoint', { url: await endpoint.start() })
  await ask(
    tenant,
    'PUT',
    '/v1/users',
    [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: userId === 1 ? 'clerk' : 'manager' })),
  )
  await ask(tenant, 'PUT', '/v1/policy', { rules: [{ risk: ['high'], roles: ['manager'], approvers: 2 }] })
  const { body } = await ask(tenant, 'POST', '/v1/actions', { tool: 'refund_order', arguments: { number: 'A' } })
  return { ...tenant, actionId: String(body.actionId) }
}

const codeOf = (body: unknown) => (body as { error?: { code: string } }).error?.code

test('a key that is revoked before the body is there mints nothing: the owner’s compromise is the last word', async () => {
  for (const [path, body] of [
    ['/v1/account/keys', { kind: 'secret' }],
    ['/v1/account/compromise', { rotateSigningSecret: true }],
    ['/v1/embed', { language: 'en' }],
  ] as const) {
    const tenant = await house.tenant()
    const stolen = await letIn({ path, key: tenant.apiKey, body })
    const { body: owner } = await ask(tenant, 'POST', '/v1/account/compromise')
    const { status, body: answer } = await stolen.sendRest()
    assert.deepEqual([status, codeOf(answer)], [401, 'invalid_api_key'], path)
    const { body: left } = await house.ask<{ keys: { prefix: string; revokedAt: string | null }[] }>(
      'GET',
      '/v1/account/keys',
      {
        key: String(owner.apiKey),
      },
    )
    assert.deepEqual(
      left.keys.filter(({ revokedAt }) => revokedAt === null).map(({ prefix }) => prefix),
      [owner.keyPrefix],
      path,
    )
  }
})

const HELD: Record<
  string,
  { change(tenant: NewTenant): Promise<unknown>; said: readonly [number, string | undefined] }
> = {
  'its risk was raised to two managers': {
    change: (tenant) => ask(tenant, 'PUT', '/v1/tools', [{ ...TOOL, risk: 'high' }]),
    said: [403, 'ApprovalForbidden'],
  },
  'its tool was removed': {
    change: (tenant) => ask(tenant, 'PUT', '/v1/tools', [{ ...TOOL, name: 'another_tool' }]),
    said: [400, 'HandlerMissing'],
  },
  'the policy asked for a manager': {
    change: (tenant) => ask(tenant, 'PUT', '/v1/policy', { rules: [{ roles: ['manager'] }] }),
    said: [403, 'ApprovalForbidden'],
  },
  'the endpoint was cleared': {
    change: (tenant) => ask(tenant, 'PUT', '/v1/endpoint', { url: null }),
    said: [400, 'FailedRetryable'],
  },
  'every key was revoked': {
    change: (tenant) => ask(tenant, 'POST', '/v1/account/compromise'),
    said: [401, undefined],
  },
}
for (const [what, { change, said }] of Object.entries(HELD)) {
  test(`a confirm whose body comes after ${what} runs nothing`, async () => {
    const seen = endpoint.play((_request, response) => void response.end('{"done":true}'))
    const tenant = await shop()
    const path = `/v1/actions/${tenant.actionId}/confirm`
    const held = await letIn({
      path,
      key: tenant.apiKey,
      body: { acknowledgeHighRisk: true },
      headers: { 'x-service-user-id': '1' },
    })
    await change(tenant)
    const { status, body } = await held.sendRest()
    assert.deepEqual([status, (body as { status?: string }).status], said)
    assert.equal(seen.length, 0)
  })
}

test('a confirm whose body comes after the endpoint moved is sent to neither address', async () => {
  const old = endpoint.play((_request, response) => void response.end('{"done":true}'))
  const now = moved.play((_request, response) => void response.end('{"done":true}'))
  const tenant = await shop()
  const path = `/v1/actions/${tenant.actionId}/confirm`
  const held = await letIn({ path, key: tenant.apiKey, body: {}, headers: { 'x-service-user-id': '1' } })
  await ask(tenant, 'PUT', '/v1/endpoint', { url: await moved.start() })
  assert.equal(((await held.sendRest()).body as { status: string }).status, 'GuardForbidden')
  assert.deepEqual([old.length, now.length], [0, 0])
})

test('a page whose origin is taken off the list before its body is there is not answered', async () => {
  const tenant = await shop()
  const origin = 'https://shop.com'
  await ask(tenant, 'PUT', '/v1/origins', { origins: [origin] })
  const { body } = await ask(tenant, 'POST', '/v1/account/keys', { kind: 'publishable' })
  const held = await letIn({ path: '/v1/chat', key: String(body.key), body: { prompt: 'Hello' }, headers: { origin } })
  await ask(tenant, 'PUT', '/v1/origins', { origins: [] })
  const { status, body: answer } = await held.sendRest()
  assert.deepEqual([status, codeOf(answer)], [403, 'origin_not_allowed'])
})

test('a customer token that is worthless by the time of the body acts for nobody', async () => {
  const tenant = await shop()
  const { body } = await ask(tenant, 'POST', '/v1/account/customer-token-key')
  const key = String(body.customerTokenKey)
  const token = await mintCustomerToken({ key, tenantId: tenant.tenantId, customerId: 'c-1' })
  const held = await letIn({
    path: '/v1/actions',
    key: tenant.apiKey,
    body: { tool: 'refund_order', arguments: { number: 'A' } },
    headers: { 'x-service-customer-token': token },
  })
  await ask(tenant, 'POST', '/v1/account/customer-token-key')
  const { status, body: answer } = await held.sendRest()
  assert.deepEqual([status, codeOf(answer)], [401, 'invalid_customer_token'])
})
