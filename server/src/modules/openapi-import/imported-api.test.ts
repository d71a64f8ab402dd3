import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openKeyring } from '../../kernel/crypto/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { resealCredentials } from './credential.ts'
import { BASE, DECLARED, importCalls } from './fixtures/import-calls.ts'
import { SHOP } from './fixtures/shop.ts'
import { openApiImport } from './module.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [openApiImport] })
})
after(() => house.close())
const { send, importShop, patch, catalogOf } = importCalls(() => house)

const sealed = statement<{ credential: string | null }, { tenantId: number }>(
  'test.imported_credential',
  'select credential from imports where tenant_id = $tenantId::int',
)

test('a credential is sealed; a re-import keeps it and the mode, an empty one clears it, another host drops it', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const stored = async () => (await house.database.database.one(sealed, { tenantId }))?.credential
  const first = await importShop(apiKey, { credential: 'kept-sealed', userToken: 'prefer' })
  assert.deepEqual([first.body.userToken, first.body.credentialStored], ['prefer', true])
  const kept = await stored()
  assert.match(kept ?? '', /^enc:v1:/)
  const again = await importShop(apiKey, { baseUrl: `${BASE}/v2` })
  assert.deepEqual([again.body.userToken, again.body.credentialStored, again.body.notes?.length], ['prefer', true, 2])
  assert.equal(await stored(), kept)
  const elsewhere = await importShop(apiKey, { baseUrl: 'http://127.0.0.1:9010/api' })
  assert.equal(elsewhere.body.credentialStored, false)
  assert.equal(elsewhere.body.notes?.at(-1)?.code, 'credential_dropped')
  assert.equal(await stored(), null)
  const scheme = { scheme: 'header', name: 'X-Api-Key', value: 'kept-sealed' }
  assert.equal((await importShop(apiKey, { credential: scheme })).body.credentialStored, true)
  assert.match((await stored()) ?? '', /^enc:v1:/)
  assert.equal((await importShop(apiKey, { credential: '' })).body.credentialStored, false)
})

test('PATCH changes the credential and the mode, and takes nothing else', async () => {
  const { apiKey } = await house.tenant()
  const none = await patch(apiKey, { userToken: 'prefer' })
  assert.equal(none.status, 404)
  assert.match(String(none.body.error), /POST \/v1\/tools\/import/)
  await importShop(apiKey)
  for (const body of [
    {},
    [],
    { baseUrl: BASE },
    { userToken: 'prefer', more: 1 },
    { userToken: 'sometimes' },
    { userToken: null },
    { credential: 5 },
    { credential: {} },
    { credential: 'x'.repeat(4001) },
  ]) {
    const reply = await patch(apiKey, body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.equal(typeof reply.body.error, 'string')
  }
  const at = { baseUrl: BASE, userToken: 'ignore' }
  assert.deepEqual((await patch(apiKey, { credential: 'x'.repeat(4000) })).body, { ...at, credentialStored: true })
  assert.deepEqual((await patch(apiKey, { userToken: 'require' })).body, {
    ...at,
    userToken: 'require',
    credentialStored: true,
  })
  assert.deepEqual((await patch(apiKey, { credential: '', userToken: 'ignore' })).body, {
    ...at,
    credentialStored: false,
  })
})

test('refuses a credential in a header that the service writes itself', async () => {
  const { apiKey } = await house.tenant()
  await importShop(apiKey)
  const inHeader = (name: string) => ({ credential: { scheme: 'header', name, value: 'of-the-shop' } })
  for (const name of [
    'Cookie',
    'idempotency_key',
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Accept',
    'X-Service-Timestamp',
  ]) {
    for (const reply of [await patch(apiKey, inHeader(name)), await importShop(apiKey, inHeader(name))]) {
      assert.equal(reply.status, 400, name)
      assert.match(String(reply.body.error), new RegExp(`header ${name}, which the service writes itself`))
    }
  }
  for (const name of ['Authorization', 'X-Api-Key'])
    assert.equal((await patch(apiKey, inHeader(name))).status, 200, name)
})

test('a CI key drafts with a source and does nothing else', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const key = await house.key(tenantId, 'ci')
  const source = { kind: 'repository', commit: '0123abc', path: 'api/openapi.yaml', dirty: false }
  const base = { document: SHOP, baseUrl: BASE }
  const outOfReach = async (body: unknown, reason: string) => {
    const { status, error } = await send(key, body)
    assert.deepEqual([status, error?.code, error?.reason], [403, 'insufficient_scope', reason])
  }
  await outOfReach(base, 'ci_source_required')
  for (const more of [{ operations: DECLARED }, { operations: {} }, { credential: 'x' }, { skipUndeclared: true }])
    await outOfReach({ ...base, source, ...more }, 'ci_draft_only')
  const { status, body } = await send(key, { ...base, source })
  assert.deepEqual([status, body.imported, body.operations?.length, body.source], [400, false, 5, source])
  assert.equal((await patch(key, { credential: 'x' })).error?.reason, 'not_a_ci_route')
  assert.equal((await catalogOf(apiKey)).import, null)
})

test('an import of a tenant is gone with it', async () => {
  const { apiKey, tenantId, name } = await house.tenant('Gone Shop')
  await importShop(apiKey, { credential: 'x' })
  const { status } = await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm: name } })
  assert.equal(status, 200)
  assert.equal(await house.database.database.one(sealed, { tenantId }), undefined)
})

test('a rotated encryption key takes the credential along, and nothing but a second import writes it', async () => {
  const { apiKey, tenantId } = await house.tenant()
  await send(apiKey, { document: SHOP, baseUrl: BASE, credential: 'of-the-draft' })
  assert.equal(await house.database.database.one(sealed, { tenantId }), undefined)
  await importShop(apiKey, { credential: 'sealed-again' })
  const before = (await house.database.database.one(sealed, { tenantId }))?.credential ?? ''
  const { db, log, keyring } = house.app.house
  const { key } = house.settings.encryption
  const next = openKeyring({ key: randomBytes(32).toString('base64'), previous: [key] })
  const { resealed, unreadable } = await resealCredentials({ db, log, keyring: next })
  assert.ok(resealed >= 1 && unreadable === 0)
  const after = (await house.database.database.one(sealed, { tenantId }))?.credential ?? ''
  assert.notEqual(after, before)
  const place = { table: 'imports', column: 'credential', tenantId, row: tenantId }
  assert.equal(next.open(after, place), '"sealed-again"')
  assert.throws(() => keyring.open(after, place))
  assert.throws(() => next.open(after, { ...place, tenantId: tenantId + 1, row: tenantId + 1 }))
})
