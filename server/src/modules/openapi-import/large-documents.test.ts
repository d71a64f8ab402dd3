// A document with more operations than a catalog may hold: it is drafted, so that a person can skip what no assistant needs.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { BASE, importCalls } from './fixtures/import-calls.ts'
import { openApiImport } from './module.ts'

let house: OpenHouse
const calls = importCalls(() => house)
before(async () => {
  house = await openHouse({ modules: [openApiImport] })
})
after(() => house.close())

const document = (operations: number) => ({
  openapi: '3.0.3',
  paths: Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [
      `/things/${at}`,
      {
        get: { operationId: `get_thing_${at}`, description: 'Reads one thing of many, by where it stands in a list.' },
      },
    ]),
  ),
})

test('what has more operations than a catalog may hold is drafted whole, and imported once enough are skipped', async () => {
  const { apiKey } = await house.tenant()
  const large = document(5_003)
  const draft = await calls.refused(apiKey, { document: large, baseUrl: BASE }, /^This is the draft/)
  const names = draft.body.operations?.map(({ name }) => name) ?? []
  assert.equal(names.length, 5_003)
  const all = Object.fromEntries(names.map((name) => [name, { is_write: false }]))
  const declare = { document: large, baseUrl: BASE }
  await calls.refused(apiKey, { ...declare, operations: all }, /5003 operations are declared.*at most 5000.*skip/)
  assert.equal((await calls.catalogOf(apiKey)).import, null)
  const few = { get_thing_7: { is_write: false }, get_thing_5002: { is_write: false } }
  await calls.refused(apiKey, { ...declare, operations: few }, /5001 operation\(s\) are not declared/)
  const { status, body, text } = await calls.send(apiKey, { ...declare, operations: few, skipUndeclared: true })
  assert.equal(status, 200, text.slice(0, 300))
  assert.deepEqual([body.imported, body.toolCount, body.skipped?.length], [true, 2, 5_001])
  assert.equal((await calls.register(apiKey, body.catalog)).status, 200)
})

test('what has more operations than can be drafted is refused in words', async () => {
  const { apiKey } = await house.tenant()
  await calls.refused(apiKey, { document: document(20_001), baseUrl: BASE }, /more than 20000 operations.*Cut it down/)
})
