import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

const MEBIBYTE = 1024 * 1024

let house: OpenHouse
before(async () => {
  house = await openHouse({ settings: { 'Catalog:KeepBytes': String(32 * MEBIBYTE) } })
})
after(() => house.close())

const rowsOf = statement<{ version: number; bytes: number | null; hash: string | null }, { tenantId: number }>(
  'test.catalog_rows',
  `select version, octet_length(tools) as bytes, hash from catalogs where tenant_id = $tenantId::int order by version`,
)
const rows = ({ tenantId }: NewTenant) => house.database.database.rows(rowsOf, { tenantId })
const held = async (tenant: NewTenant) =>
  (await rows(tenant)).filter(({ bytes }) => bytes !== null).map(({ version }) => version)

const catalog = (name: string, characters = 10) => [
  { name, description: `Looks something up in the shop. ${'x'.repeat(characters)}`, is_write: false },
]
const put = async (tenant: NewTenant, body: unknown) => {
  const answer = await house.ask<{ version: number }>('PUT', '/v1/tools', { key: tenant.apiKey, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.version
}
const named = async (tenant: NewTenant) => {
  const { body } = await house.ask<{ tools: { name: string }[] }>('GET', '/v1/tools', { key: tenant.apiKey })
  return body.tools.map(({ name }) => name)
}
const call = async (tenant: NewTenant, name: string) =>
  (await house.ask<{ status: string }>('POST', `/v1/tools/${name}/call`, { key: tenant.apiKey, body: {} })).body.status

test('the same document again is a version without a copy, and serves its tools', async () => {
  const [tenant, other] = [await house.tenant(), await house.tenant()]
  for (const [turn, name] of ['get_order', 'get_stock', 'get_order', 'get_order'].entries())
    assert.equal(await put(tenant, catalog(name)), turn + 1)
  assert.deepEqual(await held(tenant), [1, 2])
  const [first, second, third, fourth] = (await rows(tenant)).map(({ hash }) => hash)
  assert.match(first ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual([third, fourth, first === second], [first, first, false])
  assert.deepEqual(await named(tenant), ['get_order'])
  assert.deepEqual([await call(tenant, 'get_order'), await call(tenant, 'get_stock')], ['not_configured', undefined])
  await put(other, catalog('get_order'))
  assert.deepEqual(await held(other), [1], 'a document of one workspace is nothing to another')
})

test('documents of old versions go once they are past what is kept, and their rows stay with the hash', async () => {
  const [tenant, other] = [await house.tenant(), await house.tenant()]
  await put(other, catalog('get_order', 7 * MEBIBYTE))
  for (let turn = 1; turn <= 6; turn++) await put(tenant, catalog(`get_order_${turn}`, 7 * MEBIBYTE))
  assert.deepEqual(await held(tenant), [3, 4, 5, 6])
  const all = await rows(tenant)
  assert.deepEqual([all.length, new Set(all.map(({ hash }) => hash)).size], [6, 6])
  assert.deepEqual(await named(tenant), ['get_order_6'])
  assert.deepEqual(await held(other), [1])
  assert.equal(await put(tenant, catalog('get_order_1', 7 * MEBIBYTE)), 7)
  assert.deepEqual(await held(tenant), [4, 5, 6, 7], 'a document that went is stored again')
  assert.deepEqual(await named(tenant), ['get_order_1'])
})

test('the document that the newest version shares with an old one stays', async () => {
  const tenant = await house.tenant()
  const large = catalog('get_order', 7 * MEBIBYTE)
  await put(tenant, large)
  for (let turn = 1; turn <= 5; turn++) {
    await put(tenant, catalog(`get_stock_${turn}`, 7 * MEBIBYTE))
    await put(tenant, large)
    assert.deepEqual(await named(tenant), ['get_order'])
    assert.equal(await call(tenant, 'get_order'), 'not_configured')
  }
})

test('however registrations meet, the newest version has its document', async () => {
  const tenant = await house.tenant()
  const documents = Array.from({ length: 6 }, (_, at) => catalog(`get_order_${at}`, 6 * MEBIBYTE))
  for (let round = 0; round < 3; round++) {
    await Promise.all(documents.map((document) => put(tenant, document)))
    assert.equal((await named(tenant)).length, 1)
  }
})

const forgetHash = statement<unknown, { tenantId: number }>(
  'test.forget_hash',
  'update catalogs set hash = null where tenant_id = $tenantId::int',
)

test('a version that was stored before there were hashes is served', async () => {
  const tenant = await house.tenant()
  await put(tenant, catalog('get_order'))
  await house.database.database.run(forgetHash, { tenantId: tenant.tenantId })
  assert.deepEqual(await named(tenant), ['get_order'])
  assert.equal(await put(tenant, catalog('get_order')), 2)
  assert.deepEqual(await held(tenant), [1, 2])
})
