import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'

type Body<Schema extends z.ZodType> = z.output<Schema>
type KeyList = Body<typeof contract.KeyList>
type IssuedKey = Body<typeof contract.IssuedKey>
type Events = Body<typeof contract.AccountEvents>

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const eventsOf = async (key: string, limit?: string) =>
  (await house.ask<Events>('GET', `/v1/account/events${limit === undefined ? '' : `?limit=${limit}`}`, { key })).body
    .events

test('a workspace reads its own account', async () => {
  const { apiKey, tenantId } = await house.tenant('Corner Shop')
  const { status, body } = await house.ask<Body<typeof contract.Account>>('GET', '/v1/account', { key: apiKey })
  assert.equal(status, 200)
  const { createdAt, ...rest } = body
  assert.deepEqual(rest, {
    tenantId,
    name: 'Corner Shop',
    plan: 'free',
    selfServe: false,
    emailConfirmed: true,
    customerTokenKeyIssued: false,
  })
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
})

test('a key is shown once, and afterwards only by its prefix', async () => {
  const { apiKey } = await house.tenant()
  const { body: issued } = await house.ask<IssuedKey>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'agent', label: 'Helper' },
  })
  assert.match(issued.key, /^tag_[0-9a-f]{48}$/)
  assert.equal(issued.prefix, issued.key.slice(0, 12))
  const list = await house.ask<KeyList>('GET', '/v1/account/keys', { key: apiKey })
  assert.deepEqual(
    list.body.keys.map(({ kind, label }) => [kind, label]),
    [
      ['agent', 'Helper'],
      ['secret', null],
    ],
  )
  assert.equal(list.body.count, 2)
  assert.ok(!list.text.includes(issued.key))
  assert.ok(!list.text.includes(apiKey))
})

test('a CI key that may replace documents is a kind of its own, and reads itself', async () => {
  const { apiKey } = await house.tenant()
  const { body } = await house.ask<IssuedKey>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'ci', allowReplace: true },
  })
  assert.equal(body.kind, 'ci_replace')
  assert.match(body.key, /^tci_/)
  const self = await house.ask('GET', '/v1/account/keys/self', { key: body.key })
  assert.equal(self.body.prefix, body.prefix)
  const wrong = await house.ask('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'agent', allowReplace: true },
  })
  assert.equal(wrong.error?.code, 'invalid_request')
})

test('what is no kind is refused, and so is a body of another shape', async () => {
  const { apiKey } = await house.tenant()
  const issue = (body: unknown) => house.ask('POST', '/v1/account/keys', { key: apiKey, body })
  for (const kind of ['action', 'provider', 'sandbox', 'ci_replace', 'Secret', '']) {
    assert.equal((await issue({ kind })).error?.code, 'unknown_kind', kind)
  }
  const shape = await issue({ kind: 3 })
  assert.equal(shape.error?.code, 'unknown_kind')
  assert.match(shape.error?.message ?? '', /`kind` must be string/)
  assert.match((await issue({ label: 'x' })).error?.message ?? '', /`kind` is missing/)
})

test('rotation replaces a key in one moment and keeps kind and label', async () => {
  const { apiKey, keyPrefix } = await house.tenant()
  const rotated = await house.ask<IssuedKey & { revokedPrefix: string }>(
    'POST',
    `/v1/account/keys/${keyPrefix}/rotate`,
    { key: apiKey },
  )
  assert.equal(rotated.body.revokedPrefix, keyPrefix)
  assert.equal(rotated.body.kind, 'secret')
  assert.equal((await house.ask('GET', '/v1/account', { key: apiKey })).error?.code, 'invalid_api_key')
  assert.equal((await house.ask('GET', '/v1/account', { key: rotated.body.key })).status, 200)
  const again = await house.ask('POST', `/v1/account/keys/${keyPrefix}/rotate`, { key: rotated.body.key })
  assert.equal(again.error?.code, 'unknown_key')
})

test('the only live secret key cannot be revoked; any other can, at once', async () => {
  const { apiKey, keyPrefix } = await house.tenant()
  const last = await house.ask('DELETE', `/v1/account/keys/${keyPrefix}`, { key: apiKey })
  assert.equal(last.error?.code, 'last_secret_key')
  const { body: second } = await house.ask<IssuedKey>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'secret' },
  })
  const gone = await house.ask('DELETE', `/v1/account/keys/${keyPrefix}`, { key: apiKey })
  assert.deepEqual(gone.body, { revoked: true, prefix: keyPrefix })
  assert.equal((await house.ask('GET', '/v1/account', { key: apiKey })).status, 401)
  assert.equal(
    (await house.ask('DELETE', `/v1/account/keys/${keyPrefix}`, { key: second.key })).error?.code,
    'unknown_key',
  )
  for (const odd of ['tth_00000000', 'x', '%F0%9F%92%A9', 'tpv_00000000']) {
    assert.equal(
      (await house.ask('DELETE', `/v1/account/keys/${odd}`, { key: second.key })).error?.code,
      'unknown_key',
      odd,
    )
  }
})

test('the provider key stands in the list and can be revoked there, and is rotated nowhere', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const granted = await house.ask<{ key: string; prefix: string }>('POST', `/v1/tenants/${tenantId}/provider`, {
    key: house.operatorKey,
    body: { label: 'Agency' },
  })
  const { key, prefix } = granted.body
  const list = await house.ask<KeyList>('GET', '/v1/account/keys', { key: apiKey })
  const listed = list.body.keys.find((each) => each.prefix === prefix)
  assert.deepEqual([listed?.kind, listed?.label, listed?.revokedAt], ['provider', 'Agency', null])
  const rotated = await house.ask('POST', `/v1/account/keys/${prefix}/rotate`, { key: apiKey })
  assert.deepEqual([rotated.status, rotated.error?.code], [404, 'unknown_key'])
  assert.equal((await house.ask('GET', '/v1/account', { key })).error?.code, 'insufficient_scope')
  assert.equal((await house.ask('DELETE', `/v1/account/keys/${prefix}`, { key: apiKey })).status, 200)
  assert.equal((await house.ask('GET', '/v1/account', { key })).error?.code, 'invalid_api_key')
})

test('a key of one workspace is unknown to another', async () => {
  const [one, other] = [await house.tenant(), await house.tenant()]
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const) {
    const reply = await house.ask(method, `/v1/account/keys/${one.keyPrefix}${path}`, { key: other.apiKey })
    assert.equal(reply.error?.code, 'unknown_key')
  }
  assert.equal((await house.ask('GET', '/v1/account', { key: one.apiKey })).status, 200)
})

test('after a compromise every key of every kind is dead, and what replaces them is shown once', async () => {
  const { apiKey, tenantId, signingSecret } = await house.tenant()
  const keys = await Promise.all(
    (['secret', 'agent', 'publishable', 'action', 'provider', 'inbox', 'sandbox', 'ci'] as const).map((kind) =>
      house.key(tenantId, kind),
    ),
  )
  await house.ask('POST', '/v1/account/customer-token-key', { key: apiKey })
  const { body } = await house.ask<Body<typeof contract.Compromise>>('POST', '/v1/account/compromise', {
    key: apiKey,
    body: { rotateSigningSecret: true },
  })
  assert.equal(body.revokedKeys, keys.length + 1)
  assert.match(body.customerTokenKey ?? '', /^tck_[0-9a-f]{48}$/)
  assert.match(body.signingSecret ?? '', /^whsec_/)
  assert.notEqual(body.signingSecret, signingSecret)
  for (const key of [apiKey, ...keys])
    assert.equal((await house.ask('GET', '/v1/account', { key })).error?.code, 'invalid_api_key')
  assert.equal((await house.ask('GET', '/v1/account', { key: body.apiKey })).status, 200)
  const types = (await eventsOf(body.apiKey)).map(({ type }) => type)
  assert.deepEqual(types.slice(0, 3).sort(), [
    'account.compromise',
    'customer_token_key.issued',
    'signing_secret.rotated',
  ])
})

test('a compromise without the flag, and without a body, leaves the signing secret alone', async () => {
  const { apiKey } = await house.tenant()
  const { body } = await house.ask<Body<typeof contract.Compromise>>('POST', '/v1/account/compromise', { key: apiKey })
  assert.equal(body.signingSecret, null)
  assert.equal(body.customerTokenKey, null)
})

test('the account tells what happened to it, newest first, and never a secret', async () => {
  const { apiKey } = await house.tenant()
  const token = await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', { key: apiKey })
  const secret = await house.ask<{ signingSecret: string }>('POST', '/v1/account/signing-secret/rotate', {
    key: apiKey,
  })
  await house.ask('PUT', '/v1/account/intent', { key: apiKey, body: { intent: 'answers' } })
  const { body: key } = await house.ask<IssuedKey>('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'inbox' } })
  await house.ask('DELETE', `/v1/account/keys/${key.prefix}`, { key: apiKey })
  const events = await eventsOf(apiKey)
  assert.deepEqual(
    events.map(({ type, keyPrefix }) => [type, keyPrefix]),
    [
      ['key.revoked', key.prefix],
      ['key.issued', key.prefix],
      ['intent.changed', null],
      ['signing_secret.rotated', null],
      ['customer_token_key.issued', null],
      ['key.issued', apiKey.slice(0, 12)],
    ],
  )
  const text = JSON.stringify(events)
  for (const hidden of [apiKey, key.key, token.body.customerTokenKey, secret.body.signingSecret])
    assert.ok(!text.includes(hidden))
  assert.equal((await eventsOf(apiKey, '2')).length, 2)
  assert.equal((await eventsOf(apiKey, '-5')).length, 1)
  assert.equal((await eventsOf(apiKey, '99999')).length, 6)
  const bad = await house.ask('GET', '/v1/account/events?limit=many', { key: apiKey })
  assert.equal(bad.error?.code, 'invalid_request')
  assert.match(bad.error?.message ?? '', /limit/)
})

test('an intent that is none is refused', async () => {
  const { apiKey } = await house.tenant()
  const reply = await house.ask('PUT', '/v1/account/intent', { key: apiKey, body: { intent: 'world domination' } })
  assert.equal(reply.error?.code, 'invalid_intent')
})

test('the address is confirmed from the start, stays so where none is confirmed, and asking again says so', async () => {
  const made = await house.ask<{ apiKey: string }>('POST', '/v1/tenants', {
    key: house.operatorKey,
    body: { name: 'Mail Shop', email: 'owner@shop.example' },
  })
  const key = made.body.apiKey
  const read = await house.ask('GET', '/v1/account/confirmation', { key })
  assert.equal(read.body.email, 'owner@shop.example')
  assert.equal(read.body.confirmed, true)
  assert.equal((await house.ask('POST', '/v1/account/confirmation', { key })).error?.code, 'already_confirmed')
  const moved = await house.ask('POST', '/v1/account/confirmation', { key, body: { email: 'new@shop.example' } })
  assert.deepEqual([moved.status, moved.body.confirmed, moved.body.sent], [202, true, false])
  assert.equal((await house.ask('GET', '/v1/account/confirmation', { key })).body.email, 'new@shop.example')
})

test('deleting asks for the exact name, and then nothing is left but a tombstone', async () => {
  const { apiKey, tenantId } = await house.tenant('Gone Shop')
  for (const confirm of [undefined, 'gone shop', 'Gone Shop ', '']) {
    const reply = await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm } })
    assert.equal(reply.error?.code, 'confirmation_required')
  }
  const silent = await house.ask('DELETE', '/v1/account', { key: apiKey })
  assert.equal(silent.error?.code, 'confirmation_required')
  const bySilentOperator = await house.ask('DELETE', `/v1/tenants/${tenantId}`, { key: house.operatorKey })
  assert.equal(bySilentOperator.error?.code, 'confirmation_required')
  const deleted = await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm: 'Gone Shop' } })
  assert.deepEqual(deleted.body, { deleted: true, tenantId })
  assert.equal((await house.ask('GET', '/v1/account', { key: apiKey })).error?.code, 'invalid_api_key')
  assert.equal(
    (await house.ask('GET', `/v1/tenants/${tenantId}`, { key: house.operatorKey })).error?.code,
    'tenant_not_found',
  )
})
