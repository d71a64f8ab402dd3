// A provider makes businesses, sees them and leaves them; and whoever is no provider any longer does nothing of that.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openProvider, withdraw } from '../../../testkit/providers.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { providers } from './module.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [openApiImport, providers] })
})
after(() => house.close())

type BusinessList = z.output<typeof contract.BusinessList>
type Keys = z.output<typeof contract.KeyList>

const account = async (key: string) => (await house.ask('GET', '/v1/account', { key })).body
const operator = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  house.ask<Body>(method, path, { key: house.operatorKey, ...(body === undefined ? {} : { body }) })
const setsEmail = unlisted<unknown, { tenantId: number }>(
  'test.unconfirm_business',
  `update tenants set email_confirmed_at = null, self_serve = true where tenant_id = $tenantId::int`,
)

test('a business is confirmed from the start, not self-serve, and works at once with the key that is shown once', async () => {
  const provider = await openProvider(house)
  const { tenantId, apiKey, keyPrefix, signingSecret, ...rest } = await provider.business({
    name: ' Tea House ',
    plan: 'Starter',
    email: 'owner@tea.example',
  })
  assert.deepEqual(rest, { name: 'Tea House', plan: 'Starter', configuration: [], refused: [] })
  assert.match(apiKey, /^tth_[0-9a-f]{48}$/)
  assert.equal(keyPrefix, apiKey.slice(0, 12))
  assert.match(signingSecret, /^whsec_/)
  const seen = await account(apiKey)
  assert.deepEqual([seen.tenantId, seen.selfServe, seen.emailConfirmed, seen.plan], [tenantId, false, true, 'Starter'])
  const origins = await house.ask('PUT', '/v1/origins', { key: apiKey, body: { origins: ['https://tea.example.com'] } })
  assert.deepEqual(origins.body, { origins: ['https://tea.example.com'], held: [] })
})

test('a business that cannot be is refused, and none is made', async () => {
  const provider = await openProvider(house)
  for (const [body, code] of [
    [{}, 'invalid_name'],
    [{ name: 'x' }, 'invalid_name'],
    [{ name: 'Shop', email: 'nobody' }, 'invalid_email'],
    [{ name: 'Shop', plan: 'Diamond' }, 'invalid_request'],
    [{ name: 'Shop', configuration: ['credentials'] }, 'invalid_request'],
  ] as const) {
    const { status, error } = await provider.ask('POST', 'tenants', body)
    assert.deepEqual([status, error?.code], [400, code])
  }
  assert.equal((await provider.ask('GET', 'tenants')).body.count, 0)
})

test('a provider whose own address is unconfirmed makes no business, and is told where a link comes from', async () => {
  const provider = await openProvider(house)
  await house.database.database.run(setsEmail, { tenantId: provider.tenantId })
  const { status, error, body } = await provider.ask('POST', 'tenants', { name: 'Shop' })
  assert.deepEqual([status, error?.code, error?.reason], [403, 'email_unconfirmed', 'child_tenant'])
  assert.deepEqual((body as { error: { resend: object } }).error.resend, {
    method: 'POST',
    path: '/v1/account/confirmation',
  })
  assert.equal((await provider.ask('GET', 'tenants')).status, 200, 'what it has it goes on looking after')
})

test('the list is paged by id and counts keys and spend; one business reads as its entry does', async () => {
  const provider = await openProvider(house)
  const made = [await provider.business(), await provider.business({ name: 'Two' }), await provider.business()]
  await provider.ask('POST', `tenants/${made[1]?.tenantId}/keys`, { kind: 'agent' })
  const first = await provider.ask<BusinessList>('GET', 'tenants?limit=2')
  assert.deepEqual(
    [first.body.tenants.map(({ tenantId }) => tenantId), first.body.count, first.body.nextAfter],
    [[made[0]?.tenantId, made[1]?.tenantId], 2, made[1]?.tenantId],
  )
  const entry = first.body.tenants[1]
  assert.deepEqual(
    { ...entry, createdAt: '' },
    {
      ...{ tenantId: made[1]?.tenantId, name: 'Two', plan: 'free', createdAt: '', liveKeys: 2 },
      spend: { dailyUsd: 0, monthlyUsd: 0 },
    },
  )
  assert.deepEqual((await provider.ask('GET', `tenants/${made[1]?.tenantId}`)).body, entry)
  const last = await provider.ask<BusinessList>('GET', `tenants?limit=2&after=${first.body.nextAfter}`)
  assert.deepEqual(
    [last.body.tenants.map(({ tenantId }) => tenantId), last.body.nextAfter],
    [[made[2]?.tenantId], null],
  )
  assert.equal((await provider.ask<BusinessList>('GET', 'tenants?limit=0')).body.count, 1, 'clamped')
  assert.equal((await provider.ask('GET', 'tenants?limit=x')).error?.code, 'invalid_request')
})

test('deleting takes the exact name, and leaves nothing that could be asked for again', async () => {
  const provider = await openProvider(house)
  const { tenantId, apiKey } = await provider.business({ name: 'Tea House' })
  for (const body of [{}, { confirm: 'tea house' }]) {
    const { status, error } = await provider.ask('DELETE', `tenants/${tenantId}`, body)
    assert.deepEqual([status, error?.code], [400, 'confirmation_required'])
  }
  assert.equal((await house.ask('GET', '/v1/account', { key: apiKey })).status, 200)
  const gone = await provider.ask('DELETE', `tenants/${tenantId}`, { confirm: 'Tea House' })
  assert.deepEqual([gone.status, gone.body], [200, { deleted: true, tenantId }])
  assert.equal((await house.ask('GET', '/v1/account', { key: apiKey })).status, 401)
  for (const method of ['GET', 'DELETE'])
    assert.equal(
      (await provider.ask(method, `tenants/${tenantId}`, method === 'GET' ? undefined : { confirm: 'Tea House' })).error
        ?.code,
      'not_a_child_tenant',
    )
  assert.equal((await provider.ask('GET', 'tenants')).body.count, 0)
})

test('the keys of a business have the refusals of the account’s own, and the business is told who did it', async () => {
  await using small = await openHouse({ modules: [openApiImport, providers], settings: { 'Account:MaxLiveKeys': '3' } })
  const provider = await openProvider(small)
  const { tenantId, apiKey, keyPrefix } = await provider.business()
  const keys = (method: string, path = '', body?: unknown) =>
    provider.ask<{ key: string; prefix: string; error: { code: string } }>(
      method,
      `tenants/${tenantId}/keys${path}`,
      body,
    )
  const code = async (asked: ReturnType<typeof keys>) => (await asked).error?.code
  assert.equal(await code(keys('POST', '', { kind: 'provider' })), 'unknown_kind')
  assert.equal(await code(keys('POST', '', {})), 'unknown_kind')
  assert.equal(await code(keys('DELETE', `/${keyPrefix}`)), 'last_secret_key')
  assert.equal(await code(keys('DELETE', '/tag_00000000')), 'unknown_key')
  assert.equal(await code(keys('POST', '/tag_00000000/rotate')), 'unknown_key')
  const agent = await keys('POST', '', { kind: 'agent', label: 'Desk' })
  assert.equal(agent.status, 200)
  const rotated = await keys('POST', `/${agent.body.prefix}/rotate`)
  assert.deepEqual(
    [rotated.body.key.slice(0, 4), (rotated.body as unknown as { revokedPrefix: string }).revokedPrefix],
    ['tag_', agent.body.prefix],
  )
  assert.equal((await keys('POST', '', { kind: 'ci' })).status, 200)
  assert.equal(await code(keys('POST', '', { kind: 'ci' })), 'key_limit_reached')
  const listed = (await keys('GET')).body as unknown as Keys
  const own = (await small.ask<Keys>('GET', '/v1/account/keys', { key: apiKey })).body
  const prefixes = ({ keys: all }: Keys) =>
    all.map(({ prefix, kind, label, revokedAt }) => [prefix, kind, label, revokedAt])
  assert.deepEqual(prefixes(listed), prefixes(own))
  assert.equal(listed.count, 4)
  assert.deepEqual((await keys('DELETE', `/${rotated.body.prefix}`)).body, {
    revoked: true,
    prefix: rotated.body.prefix,
  })
  const { events } = (
    await small.ask<{ events: { type: string; detail: string }[] }>('GET', '/v1/account/events', { key: apiKey })
  ).body
  assert.deepEqual(
    events.map(({ type, detail }) => [type, detail]),
    [
      ['key.revoked', 'agent, by the provider'],
      ['key.issued', 'ci, by the provider'],
      ['key.rotated', `replaces ${agent.body.prefix}, by the provider`],
      ['key.issued', 'agent, by the provider'],
      ['key.issued', 'secret'],
    ],
  )
})

test('authority that is taken away is gone at once, for every key of it, also after a new grant; the businesses live on', async () => {
  const provider = await openProvider(house)
  const business = await provider.business()
  const inbox = (await provider.ask<{ key: string }>('POST', 'inbox-keys', {})).body.key
  assert.equal((await withdraw(house, provider.tenantId)).status, 200)
  const asks = async () => {
    const answers = []
    for (const [method, path, key] of [
      ['GET', '/v1/provider/tenants', provider.key],
      ['POST', '/v1/provider/tenants', provider.key],
      ['GET', `/v1/provider/tenants/${business.tenantId}`, provider.key],
      ['POST', '/v1/user-sessions/sign-in', provider.key],
      ['POST', '/v1/user-sessions/sign-in', inbox],
      ['POST', '/v1/user-sessions', inbox],
    ] as const) {
      const { status, error } = await house.ask(method, path, { key, ...(method === 'GET' ? {} : { body: {} }) })
      answers.push([status, error?.code])
    }
    return answers
  }
  const refused = Array.from({ length: 6 }, () => [403, 'not_a_provider'])
  assert.deepEqual(await asks(), refused)
  assert.equal((await account(business.apiKey)).tenantId, business.tenantId)
  const again = await operator<{ key: string }>('POST', `/v1/tenants/${provider.tenantId}/provider`, {})
  assert.equal(again.status, 200)
  assert.deepEqual(await asks(), refused, 'the old keys stay what they became')
  const list = await house.ask<BusinessList>('GET', '/v1/provider/tenants', { key: again.body.key })
  assert.deepEqual(
    list.body.tenants.map(({ tenantId }) => tenantId),
    [business.tenantId],
    'its businesses are its own again',
  )
  const { keys } = (await house.ask<Keys>('GET', '/v1/account/keys', { key: provider.apiKey })).body
  const old = keys.filter(({ prefix }) => [provider.key.slice(0, 12), inbox.slice(0, 12)].includes(prefix))
  assert.deepEqual(old.map(({ kind, revokedAt }) => [kind, revokedAt !== null]).toSorted(), [
    ['provider', true],
    ['provider_inbox', true],
  ])
})

test('a key that a newer grant replaced, or the account revoked, is simply not valid', async () => {
  const provider = await openProvider(house)
  const newer = await operator<{ key: string; prefix: string }>('POST', `/v1/tenants/${provider.tenantId}/provider`, {})
  assert.equal((await provider.ask('GET', 'tenants')).error?.code, 'invalid_api_key')
  await house.ask('DELETE', `/v1/account/keys/${newer.body.prefix}`, { key: provider.apiKey })
  const revoked = await house.ask('GET', '/v1/provider/tenants', { key: newer.body.key })
  assert.equal(revoked.error?.code, 'invalid_api_key')
})

test('a secret key does not reach the provider’s routes, nor a provider’s key those of a workspace', async () => {
  const provider = await openProvider(house)
  const secret = await house.ask('GET', '/v1/provider/tenants', { key: provider.apiKey })
  assert.deepEqual([secret.status, secret.error?.code], [403, 'insufficient_scope'])
  const other = await house.ask('GET', '/v1/account', { key: provider.key })
  assert.deepEqual([other.status, other.error?.code], [403, 'insufficient_scope'])
})

test('the operator sees whose business each tenant is, and moves it', async () => {
  const [one, two, plain] = [await openProvider(house), await openProvider(house), await house.tenant()]
  const { tenantId } = await one.business()
  const move = (id: number, providerId: number | null) => operator('PATCH', `/v1/tenants/${id}`, { providerId })
  const listed = async () => {
    const { body } = await operator<{ tenants: { tenantId: number; providerId: number | null }[] }>(
      'GET',
      `/v1/tenants?after=${tenantId - 1}&limit=1`,
    )
    return body.tenants[0]?.providerId
  }
  assert.equal(await listed(), one.tenantId)
  const moved = await move(tenantId, two.tenantId)
  assert.deepEqual([moved.status, moved.body.providerId], [200, two.tenantId])
  assert.equal((await one.ask('GET', `tenants/${tenantId}`)).error?.code, 'not_a_child_tenant')
  assert.equal((await two.ask('GET', `tenants/${tenantId}`)).status, 200)
  for (const target of [plain.tenantId, 2_000_000, tenantId]) {
    const { status, error } = await move(tenantId, target)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], `to ${target}`)
  }
  assert.equal((await move(one.tenantId, two.tenantId)).error?.code, 'provisioned_tenant')
  assert.equal((await move(2_000_000, two.tenantId)).error?.code, 'tenant_not_found')
  assert.equal(await listed(), two.tenantId)
  assert.equal((await operator('POST', `/v1/tenants/${tenantId}/provider`, {})).error?.code, 'provisioned_tenant')
  assert.equal((await move(tenantId, null)).body.providerId, null)
  assert.equal((await two.ask('GET', 'tenants')).body.count, 0)
  assert.equal(
    (await operator('POST', `/v1/tenants/${tenantId}/provider`, {})).status,
    200,
    'it is nobody’s any longer',
  )
})

test('a provider that is deleted leaves its businesses behind', async () => {
  const provider = await openProvider(house)
  const { tenantId, apiKey } = await provider.business()
  const gone = await house.ask('DELETE', '/v1/account', { key: provider.apiKey, body: { confirm: provider.name } })
  assert.equal(gone.status, 200)
  assert.equal((await account(apiKey)).tenantId, tenantId)
  assert.equal((await provider.ask('GET', 'tenants')).error?.code, 'invalid_api_key')
  const { body } = await operator('GET', `/v1/tenants/${tenantId}`)
  assert.equal(body.providerId, null)
  assert.equal(
    (await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm: 'Corner Shop' } })).status,
    200,
  )
})

test('a provider’s inbox keys are listed, count against its limit, and are revoked; they are rotated nowhere', async () => {
  await using small = await openHouse({ modules: [openApiImport, providers], settings: { 'Account:MaxLiveKeys': '2' } })
  const provider = await openProvider(small)
  const made = await provider.ask<{ key: string; prefix: string; kind: string; label: string }>('POST', 'inbox-keys', {
    label: 'Our desk',
  })
  assert.match(made.body.key, /^tib_[0-9a-f]{48}$/)
  assert.deepEqual([made.body.kind, made.body.label], ['provider_inbox', 'Our desk'])
  assert.equal((await provider.ask('POST', 'inbox-keys', {})).error?.code, 'key_limit_reached')
  const list = await provider.ask<Keys>('GET', 'inbox-keys')
  assert.deepEqual(
    list.body.keys.map(({ prefix }) => prefix),
    [made.body.prefix],
  )
  assert.equal(list.body.count, 1)
  const rotated = await small.ask('POST', `/v1/account/keys/${made.body.prefix}/rotate`, { key: provider.apiKey })
  assert.equal(rotated.error?.code, 'unknown_key')
  assert.equal((await provider.ask('DELETE', `inbox-keys/${provider.keyPrefix}`)).error?.code, 'unknown_key')
  assert.deepEqual((await provider.ask('DELETE', `inbox-keys/${made.body.prefix}`)).body, {
    revoked: true,
    prefix: made.body.prefix,
  })
  assert.equal((await provider.ask('DELETE', `inbox-keys/${made.body.prefix}`)).error?.code, 'unknown_key')
  const after = await small.ask('POST', '/v1/user-sessions/sign-in', {
    key: made.body.key,
    body: { email: 'a@b.example' },
  })
  assert.equal(after.error?.code, 'invalid_api_key')
})
