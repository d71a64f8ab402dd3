import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

const tool = { name: 'get_order', description: 'Looks up one order, for the tests.', is_write: false }

/** As a catalog may stand that was registered before half a character was refused. */
const halve = statement<unknown, { tenantId: number }>(
  'test.halve_domain',
  String.raw`update catalogs set tools = replace(tools, '"orders"', '"\ud800"') where tenant_id = $tenantId::int`,
)
const logged = statement<{ tenantId: number; domain: string }, { tenantIds: readonly number[] }>(
  'test.logged_domains',
  `select tenant_id as "tenantId", domain from tool_calls where tenant_id = any ($tenantIds::int[]) order by tenant_id`,
)

test('a domain that no database can store loses no row, and nobody else’s', async () => {
  await using house = await openHouse()
  const { database } = house.database
  const tenants = [await house.tenant(), await house.tenant()]
  for (const { apiKey: key } of tenants) {
    const { status } = await house.ask('PUT', '/v1/tools', { key, body: [{ ...tool, domain: 'orders' }] })
    assert.equal(status, 200)
  }
  const [odd] = tenants
  await database.run(halve, { tenantId: odd?.tenantId ?? 0 })
  for (const { apiKey: key } of tenants)
    await house.ask('POST', '/v1/tools/get_order/call', { key, body: { arguments: {} } })
  await house.app.flush()
  const tenantIds = tenants.map(({ tenantId }) => tenantId)
  assert.deepEqual(
    (await database.rows(logged, { tenantIds })).map(({ domain }) => domain),
    ['\ufffd', 'orders'],
  )
})

test('a catalog is refused whose domain is half a character', async () => {
  await using house = await openHouse()
  const { apiKey: key } = await house.tenant()
  const { status, text } = await house.ask('PUT', '/v1/tools', { key, body: [{ ...tool, domain: '\ud800' }] })
  assert.equal(status, 400, text)
  assert.match(text, /half of a surrogate pair/)
})
