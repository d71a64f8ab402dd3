// A write that begins to wait calls the duty that tells people of it. The workers' clock stands still: they look only when called.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { movableClock } from '../../../testkit/clock.ts'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { until } from '../../../testkit/until.ts'
import { statement } from '../../kernel/db/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({
    settings: { 'Mail:Transport': 'console', 'Mail:From': 'Tether <no-reply@tether.example>' },
  })
})
after(() => house.close())

const waiting = statement<{ count: number }, { tenantId: number }>(
  'test.notices_due',
  'select count(*)::int as count from notices_due where tenant_id = $tenantId::int',
)

test('a staged write calls the duty of its notices', async () => {
  await using working = await openHouse({ beside: house, clock: movableClock() })
  const { apiKey: key, tenantId } = await working.tenant()
  const tool = { name: 'refund_order', description: 'Pays an order of the shop back.', is_write: true }
  await working.ask('PUT', '/v1/tools', { key, body: [tool] })
  await working.ask('PUT', '/v1/users', {
    key,
    body: [{ displayName: 'Ana', email: 'ana@shop.example', role: 'manager' }],
  })
  await working.ask('PUT', '/v1/policy', { key, body: { rules: [{ roles: ['manager'] }] } })
  working.app.startWork()
  // The duty looks once when it starts, and again when it begins to listen: neither may pass for a call.
  for (let turn = 1; turn <= 4; turn++) {
    const staged = await working.ask('POST', '/v1/actions', { key, body: { tool: 'refund_order', arguments: {} } })
    assert.equal(staged.status, 200, staged.text)
    const told = async () => (await house.database.database.one(waiting, { tenantId }))?.count === 0
    await until(told, `notice ${turn} is worked off`)
  }
})
