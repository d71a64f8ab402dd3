// A credential is given for one address, whatever is imported while it is on its way.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { changeImportedApi } from './change-api.ts'
import { placeImport } from './copy.ts'
import { BASE, importCalls } from './fixtures/import-calls.ts'
import { openApiImport } from './module.ts'

const ELSEWHERE = 'http://127.0.0.1:9010/api'

let house: OpenHouse
/** What happens between the moment when a caller is let in, and the change. */
let meanwhile: () => Promise<unknown> = async () => {}
const slowPatch = route({
  method: 'PATCH',
  path: '/test/api',
  reach: SECRET_ONLY,
  lane: 'none',
  group: 'Test',
  summary: 'A change that takes its time',
  body: z.unknown(),
  ownCheck: true,
  answers: { 200: { schema: z.unknown() } },
  handle: async (ctx, { body }) => {
    await meanwhile()
    return { status: 200, body: await changeImportedApi(ctx, body) }
  },
})
const slowImport = route({
  method: 'POST',
  path: '/test/import',
  reach: SECRET_ONLY,
  lane: 'none',
  group: 'Test',
  summary: 'An import that takes its time',
  answers: { 200: { schema: z.unknown() } },
  handle: async (ctx) => {
    await meanwhile()
    await placeImport(ctx, { baseUrl: BASE, userToken: 'ignore', source: null, toolCount: 1 })
    return { status: 200, body: {} }
  },
})
before(async () => {
  house = await openHouse({ modules: [openApiImport], moreRoutes: [slowPatch, slowImport] })
})
after(() => house.close())
const { importShop } = importCalls(() => house)
const change = (key: string, body: object) =>
  house.ask<{ kind: string; error?: string }>('PATCH', '/test/api', { key, body })
const imported = async (key: string) =>
  (await house.ask<{ import: { baseUrl: string } | null }>('GET', '/v1/tools', { key })).body.import

test('a credential that was sent for one address is not stored for the next', async () => {
  const { apiKey } = await house.tenant()
  await importShop(apiKey, { credential: 'for-the-first' })
  meanwhile = () => importShop(apiKey, { baseUrl: ELSEWHERE })
  const { body } = await change(apiKey, { credential: 'for-the-first-too' })
  assert.equal(body.kind, 'refused')
  assert.match(body.error ?? '', /another address/)
  assert.equal((await imported(apiKey))?.baseUrl, ELSEWHERE)
  meanwhile = async () => {}
  const again = await change(apiKey, { credential: 'for-the-second' })
  assert.equal(again.body.kind, 'changed')
})

test('a mode, and the end of a credential, are for wherever the API is', async () => {
  const { apiKey } = await house.tenant()
  await importShop(apiKey)
  for (const [body, baseUrl] of [
    [{ userToken: 'prefer' }, ELSEWHERE],
    [{ credential: '' }, BASE],
  ] as const) {
    meanwhile = () => importShop(apiKey, { baseUrl, credential: 'new' })
    assert.equal((await change(apiKey, body)).body.kind, 'changed')
  }
})

test('of two imports at once the address and the credential of one stand together', async () => {
  const { apiKey } = await house.tenant()
  meanwhile = async () => {}
  for (let turn = 0; turn < 10; turn++) {
    await Promise.all([
      importShop(apiKey, { baseUrl: 'http://127.0.0.1:9011/a', credential: `secret-${turn}` }),
      importShop(apiKey, { baseUrl: 'http://127.0.0.1:9012/b', credential: '' }),
    ])
    const { body } = await change(apiKey, { userToken: 'ignore' })
    const { baseUrl, credentialStored } = (body as unknown as { api: { baseUrl: string; credentialStored: boolean } })
      .api
    assert.equal(credentialStored, baseUrl.endsWith('/a'))
  }
})

const countImports = statement<{ count: number }, { tenantId: number }>(
  'test.count_imports',
  'select count(*)::int as count from imports where tenant_id = $tenantId::int',
)

for (const had of ['no import', 'an import']) {
  test(`an import of a workspace with ${had} that is deleted while it is read stores nothing`, async () => {
    const { tenantId, apiKey, name } = await house.tenant()
    if (had === 'an import') await importShop(apiKey)
    const { operatorKey: key } = house
    meanwhile = async () => {
      const deleted = await house.ask('DELETE', `/v1/tenants/${tenantId}`, { key, body: { confirm: name } })
      assert.equal(deleted.status, 200, deleted.text)
    }
    const { status, text } = await house.ask('POST', '/test/import', { key: apiKey })
    meanwhile = async () => {}
    assert.notEqual(status, 200, text)
    assert.equal((await house.database.database.one(countImports, { tenantId }))?.count, 0)
  })
}
