import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { statement } from '../../kernel/db/index.ts'

let house: OpenHouse
const endpoint = new ScriptedEndpoint()
before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: 'Does something in the shop, for the tests of calls.',
  is_write: false,
  parameters: { type: 'object', properties: { quantity: { type: 'integer' } } },
  ...more,
})

const notedRows = statement<
  { tool: string; domain: string; surface: string; status: string; attempts: number },
  { tenantId: number }
>(
  'test.noted_rows',
  `select tool, domain, surface, status, attempts from tool_calls
    where tenant_id = $tenantId::int and attempts = 0`,
)

test('what was not called, and why, leaves a row too', async () => {
  const tenant = await house.tenant()
  const paid = { tool: 'get_order', arguments: {}, check: { path: 'state', equals: 'paid' } }
  const write = tool('refund_order', { is_write: true, domain: 'money', precondition: paid })
  const catalog = [tool('get_order'), tool('get_own_orders', { requires_customer: true }), write]
  await house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: catalog })
  await house.ask('PUT', '/v1/endpoint', { key: tenant.apiKey, body: { url: await endpoint.start() } })
  const use = (name: string, given: unknown = {}) =>
    house.ask('POST', `/v1/tools/${name}/call`, { key: tenant.apiKey, body: { arguments: given } })
  endpoint.play((_request, response) => response.end('{"state":"open"}'))
  await use(`no_${'x'.repeat(100)}`)
  await use('get_own_orders')
  await use('get_order', { quantity: 'two' })
  await use('refund_order')
  const body = { tool: 'refund_order', arguments: {} }
  await house.ask('POST', '/v1/actions', { key: tenant.apiKey, body })
  endpoint.play((_request, response) => void response.writeHead(404).end())
  await house.ask('POST', '/v1/actions', { key: tenant.apiKey, body })
  const refused = await house.ask('POST', '/v1/actions', { key: tenant.apiKey, body: { tool: '\ud800 odd' } })
  assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'])
  await house.ask('POST', '/v1/actions', { key: tenant.apiKey, body: { tool: 'odd name' } })
  await house.app.flush()
  const rows = await house.database.database.rows(notedRows, { tenantId: tenant.tenantId })
  assert.deepEqual(rows.map((row) => [row.tool, row.domain, row.surface, row.status].join()).sort(), [
    'get_order,general,direct,failed',
    'get_own_orders,general,direct,customer_required',
    `no_${'x'.repeat(61)},general,direct,unknown_tool`,
    'odd name,general,direct,unknown_tool',
    'refund_order,money,direct,precondition_error',
    'refund_order,money,direct,precondition_failed',
    'refund_order,money,direct,precondition_failed',
  ])
})
