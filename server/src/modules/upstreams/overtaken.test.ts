// A change of the catalog that keeps losing to other changes answers 409 after its last attempt.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { McpServer } from './fixtures/mcp-server.ts'
import { DECLARED, set, TOOLS } from './fixtures/shop.ts'

/** Another change comes between each time that this statement is about to write. Returns how often that was. */
function overtaken(t: TestContext, name: string): () => number {
  const { db } = set.house.app.house
  const { one } = db
  let times = 0
  const overtake: typeof one = async (statement, ...values) => {
    if (statement.name !== name) return await one(statement, ...values)
    times++
    return undefined
  }
  t.mock.method(db, 'one', overtake)
  return () => times
}

test('a change of the catalog that is overtaken each time is a conflict that says to try again', async (t) => {
  const { apiKey: key } = await set.house.tenant()
  const server = new McpServer(TOOLS)
  t.after(() => server.stop())
  const body = { url: await server.start(), ...DECLARED }
  assert.equal((await set.house.ask('PUT', '/v1/upstreams/kept', { key, body })).status, 200)
  const tools = [{ name: 'get_order', description: 'Looks up one order of the shop.', is_write: false }]
  const changes = [
    ['upstreams.place', () => set.house.ask('PUT', '/v1/upstreams/github', { key, body })],
    ['upstreams.remove', () => set.house.ask('DELETE', '/v1/upstreams/kept', { key })],
    ['catalog.insert', () => set.house.ask('PUT', '/v1/tools', { key, body: tools })],
  ] as const
  for (const [name, change] of changes) {
    const times = overtaken(t, name)
    const { status, error } = await change()
    t.mock.restoreAll()
    assert.deepEqual([status, error?.code, times()], [409, 'catalog_changed', 5], name)
    assert.match(error?.message ?? '', /Nothing was changed: send the request again\.$/)
  }
})
