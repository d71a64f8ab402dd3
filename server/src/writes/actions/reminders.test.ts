import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { statement } from '../../kernel/db/index.ts'
import { remindAll } from '../reminders/index.ts'
import { CATALOG, newShop, set, stage } from './fixtures/shop.ts'

const passHalf = statement<unknown, { tenantId: number }>(
  'test.pass_half',
  `update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')}
    where tenant_id = $tenantId::int`,
)

test('at half the window the tenant is told again, once, where its policy asks for it', async () => {
  const { database } = set.house.database
  const [asking, silent] = [await newShop(), await newShop()]
  for (const [tenant, remindAtHalf] of [
    [asking, true],
    [silent, false],
  ] as const) {
    await set.house.ask('PUT', '/v1/policy', {
      key: tenant.apiKey,
      body: { rules: [{ roles: ['manager'] }], remindAtHalf },
    })
    await stage('refund_order', { number: 'A' }, { tenant })
  }
  assert.equal(await remindAll(set.house.app.house), 0, 'not before half the window')
  for (const tenant of [asking, silent]) await database.run(passHalf, { tenantId: tenant.tenantId })
  assert.equal(await remindAll(set.house.app.house), 1)
  assert.equal(await remindAll(set.house.app.house), 0)
})

const toldOf = statement<{ event: string }, { tenantId: number }>(
  'test.reminders_told_of',
  'select event from outbox where tenant_id = $tenantId::int order by 1',
)

test('at each moment of AI:Approvals:RemindAt a waiting write is told of again; one reminder is enough for several', async () => {
  await using house = await openHouse({ settings: { 'AI:Approvals:RemindAt': '0.9, 0.25,0.5,0.5' } })
  const [asking, silent] = [await house.tenant(), await house.tenant()]
  for (const { apiKey: key } of [asking, silent]) {
    await house.ask('PUT', '/v1/tools', { key, body: CATALOG })
    const body = { tool: 'refund_order', arguments: { number: 'A' } }
    assert.equal((await house.ask('POST', '/v1/actions', { key, body })).status, 200)
  }
  // The same moment twice, from the deployment and from the policy, is one moment.
  const policy = { rules: [{ roles: ['manager'] }], remindAtHalf: true }
  await house.ask('PUT', '/v1/policy', { key: asking.apiKey, body: policy })
  const { database } = house.database
  const reminded = async (minutes: number) => {
    await database.script(
      `update actions set ${setBack('created_at', `${minutes} minutes`)},
              ${setBack('expires_at', `${minutes} minutes`)}, ${setBack('reminded_at', `${minutes} minutes`)}`,
    )
    return [await remindAll(house.app.house), await remindAll(house.app.house)]
  }
  const hour = 60
  assert.deepEqual(await reminded(5 * hour), [0, 0])
  assert.deepEqual(await reminded(2 * hour), [2, 0], 'a quarter of the day has passed')
  assert.deepEqual(await reminded(4 * hour), [0, 0])
  assert.deepEqual(await reminded(11 * hour), [2, 0], 'half of it, and nine tenths')
  assert.deepEqual(await reminded(2 * hour - 10), [0, 0])
  for (const { tenantId } of [asking, silent]) {
    const events = (await database.rows(toldOf, { tenantId })).map(({ event }) => event)
    assert.deepEqual(events, ['action.pending', 'action.reminder', 'action.reminder'])
  }
})

test('a policy with a number that no column holds keeps nobody from being reminded', async () => {
  const tenant = await newShop()
  const policy = '{"rules": [{"minValue": 1e200000, "roles": ["manager"]}], "remindAtHalf": true}'
  const headers = { 'content-type': 'application/json' }
  assert.equal((await set.house.ask('PUT', '/v1/policy', { key: tenant.apiKey, headers, raw: policy })).status, 200)
  await stage('refund_order', { number: 'A' }, { tenant })
  await set.house.database.database.run(passHalf, { tenantId: tenant.tenantId })
  assert.equal(await remindAll(set.house.app.house), 1)
})
