import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

type Catalog = z.output<typeof contract.Catalog>
type Registered = z.output<typeof contract.Registered> | z.output<typeof contract.NotRegistered>

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const read = { name: 'get_order', description: 'Looks up one order by its number, for a test.', is_write: false }
const write = {
  name: 'refund_order',
  description: 'Pays an order back, for a test of registration.',
  is_write: true,
  risk: 'high',
}

const put = (key: string, body: unknown) => house.ask<Registered>('PUT', '/v1/tools', { key, body })
const get = (key: string) => house.ask<Catalog>('GET', '/v1/tools', { key })

test('a tenant that never registered has version 0 and no tools', async () => {
  const { apiKey } = await house.tenant()
  assert.deepEqual((await get(apiKey)).body, {
    version: 0,
    tools: [],
    toolCount: 0,
    writeToolCount: 0,
    registeredAt: null,
    import: null,
  })
})

test('a catalog is stored whole and comes back unmodified, whatever else it holds', async () => {
  const { apiKey } = await house.tenant()
  const raw =
    '[{"name":"get_order","description":"Looks up one order by its number, for a test.","is_write":false,"x-own":{"n":9007199254740993,"e":1e400,"price":1.10,"text":"ქართული \\ud83d\\ude00"}}]'
  const registered = await house.ask<Registered>('PUT', '/v1/tools', {
    key: apiKey,
    raw,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(registered.status, 200)
  const { text } = await get(apiKey)
  for (const part of ['9007199254740993', '1e400', '1.1', 'ქართული 😀'])
    assert.ok(text.includes(part), `${part} in ${text}`)
})

test('each registration is a version; a refused one says everything and changes nothing', async () => {
  const { apiKey } = await house.tenant()
  assert.deepEqual((await put(apiKey, [read])).body, {
    registered: true,
    version: 1,
    toolCount: 1,
    writeToolCount: 0,
    warnings: [],
  })
  assert.deepEqual((await put(apiKey, [read, write])).body, {
    registered: true,
    version: 2,
    toolCount: 2,
    writeToolCount: 1,
    warnings: [],
  })
  const refused = await put(apiKey, [{ ...read, description: '' }, { ...write, name: 'Bad Name' }, read, read])
  assert.equal(refused.status, 400)
  assert.ok(refused.body.registered === false)
  assert.match(refused.body.error, /no description, so the model would call them at random/)
  assert.match(refused.body.error, /names must match/)
  assert.match(refused.body.error, /declared more than once/)
  for (const body of [{}, 'tools', 5, null]) {
    const reply = await put(apiKey, body)
    assert.ok(reply.status === 400 && reply.body.registered === false, JSON.stringify(body))
  }
  const { body } = await get(apiKey)
  assert.equal(body.version, 2)
  assert.equal(body.tools.length, 2)
})

test('registrations that come at once get a version each', async () => {
  const { apiKey } = await house.tenant()
  const replies = await Promise.all(Array.from({ length: 20 }, () => put(apiKey, [read])))
  const versions = replies.map(({ body }) => (body.registered ? body.version : 0)).sort((one, other) => one - other)
  assert.deepEqual(
    versions,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

test('validation answers as registration would, and registers nothing', async () => {
  const { apiKey } = await house.tenant()
  const valid = await house.ask<z.output<typeof contract.Valid>>('POST', '/v1/tools/validate', {
    key: apiKey,
    body: [write],
  })
  assert.deepEqual(valid.body.tools, [
    {
      name: 'refund_order',
      domain: 'general',
      isWrite: true,
      risk: 'high',
      requiresScope: false,
      surfaces: { chat: true, agent: true },
    },
  ])
  const wrong = await house.ask('POST', '/v1/tools/validate', { key: apiKey, body: [{ ...read, risk: 'high' }] })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.body.valid, false)
  assert.match(String(wrong.body.error), /declared a risk level but not declared a write/)
  assert.equal((await get(apiKey)).body.version, 0)
})

const breakCatalog = statement<unknown, { tenantId: number }>(
  'test.break_catalog',
  'update catalogs set tools = \'[{"name":\' where tenant_id = $tenantId::int',
)

test('a stored catalog that does not parse serves no tools and leaves one line in the log', async () => {
  const { apiKey, tenantId } = await house.tenant()
  await put(apiKey, [read])
  await house.database.database.run(breakCatalog, { tenantId })
  const before = house.logged.length
  for (let turn = 0; turn < 2; turn++) {
    const reply = await house.ask('POST', '/v1/tools/get_order/call', { key: apiKey, body: {} })
    assert.equal(reply.error?.code, 'unknown_tool')
  }
  const lines = house.logged.slice(before).filter((line) => line.includes('cannot be read'))
  assert.equal(lines.length, 1)
})

test('registers a catalog of a workspace that had MCP servers before the module that calls them was removed', async () => {
  const { apiKey, tenantId } = await house.tenant()
  await house.database.database.script(`update tenants set upstreams_version = 3 where tenant_id = ${tenantId}`)
  assert.equal((await put(apiKey, [read])).status, 200)
})
