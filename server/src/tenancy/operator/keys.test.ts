import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const byOperator = (method: string, path: string, body?: unknown) =>
  house.ask<{ key: string; prefix: string }>(method, path, { key: house.operatorKey, body })
const worksAs = async (key: string) => (await house.ask('GET', '/v1/account', { key })).status

const rename = statement<unknown, { tenantId: number; from: string; to: string }>(
  'operator_test.rename',
  'update keys set prefix = $to::text where tenant_id = $tenantId::int and prefix = $from::text',
)

test('the operator revokes any key of any workspace, the last secret one too, and the account is told by whom', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const other = await house.tenant()
  const prefix = apiKey.slice(0, 12)
  assert.equal((await byOperator('DELETE', `/v1/keys/${prefix}`)).status, 200)
  assert.equal(await worksAs(apiKey), 401)
  assert.equal(await worksAs(other.apiKey), 200)
  assert.equal((await byOperator('DELETE', `/v1/keys/${prefix}`)).error?.code, 'unknown_key')
  const issued = await byOperator('POST', '/v1/keys', { tenantId, label: 'Recovered' })
  const { body } = await house.ask<{ events: { type: string; keyPrefix: string; detail: string }[] }>(
    'GET',
    '/v1/account/events',
    { key: issued.body.key },
  )
  const revoked = body.events.find(({ type }) => type === 'key.revoked')
  assert.equal(revoked?.keyPrefix, prefix)
  assert.match(revoked?.detail ?? '', /by the operator/)
})

test('a prefix that two workspaces hold revokes nothing until the operator says which is meant', async () => {
  const [one, two] = [await house.tenant(), await house.tenant()]
  const prefix = one.apiKey.slice(0, 12)
  await house.database.database.run(rename, { tenantId: two.tenantId, from: two.apiKey.slice(0, 12), to: prefix })
  assert.equal((await byOperator('DELETE', `/v1/keys/${prefix}`)).error?.code, 'ambiguous_prefix')
  assert.equal(await worksAs(one.apiKey), 200)
  assert.equal((await byOperator('DELETE', `/v1/keys/${prefix}?tenantId=${two.tenantId}`)).status, 200)
  assert.equal(await worksAs(one.apiKey), 200)
  assert.equal(await worksAs(two.apiKey), 401)
})

test('a key with a plan is issued with it, or nothing changes at all', async () => {
  await using small = await openHouse({ settings: { 'Account:MaxLiveKeys': '2' } })
  const { tenantId } = await small.tenant()
  const operator = { key: small.operatorKey }
  const issue = (plan: string) => small.ask('POST', '/v1/keys', { ...operator, body: { tenantId, plan } })
  const now = async () => {
    const { body } = await small.ask('GET', `/v1/tenants/${tenantId}`, operator)
    return [body.plan, body.liveKeys]
  }
  assert.equal((await issue('Starter')).status, 200)
  assert.deepEqual(await now(), ['Starter', 2])
  const full = await issue('Growth')
  assert.deepEqual([full.status, full.error?.code], [409, 'key_limit_reached'])
  assert.deepEqual(await now(), ['Starter', 2])
  const nobody = await small.ask('POST', '/v1/keys', { ...operator, body: { tenantId: 999_999, plan: 'Growth' } })
  assert.equal(nobody.error?.code, 'tenant_not_found')
})

test('the account’s events tell a key of the operator’s from one of its own', async () => {
  const shop = await house.tenant()
  const { body: own } = await house.ask<{ prefix: string }>('POST', '/v1/account/keys', {
    key: shop.apiKey,
    body: { kind: 'agent' },
  })
  const { body: given } = await house.ask<{ prefix: string }>('POST', '/v1/keys', {
    key: house.operatorKey,
    body: { tenantId: shop.tenantId, kind: 'agent' },
  })
  await house.ask('POST', `/v1/tenants/${shop.tenantId}/provider`, { key: house.operatorKey, body: {} })
  const { body } = await house.ask<{ events: { type: string; keyPrefix: string; detail: string }[] }>(
    'GET',
    '/v1/account/events',
    { key: shop.apiKey },
  )
  const issued = body.events.filter(({ type }) => type === 'key.issued')
  const detailOf = (prefix: string) => issued.find(({ keyPrefix }) => keyPrefix === prefix)?.detail
  assert.deepEqual([detailOf(own.prefix), detailOf(given.prefix)], ['agent', 'agent, by the operator'])
  assert.ok(issued.some(({ detail }) => detail === 'provider, by the operator'))
})
