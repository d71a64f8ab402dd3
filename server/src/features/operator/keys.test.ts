import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'

test('a key with a plan is issued with it, or nothing changes at all', async () => {
  await using house = await openHouse({ settings: { 'Account:MaxLiveKeys': '2' } })
  const { tenantId } = await house.tenant()
  const operator = { key: house.operatorKey }
  const issue = (plan: string) => house.ask('POST', '/v1/keys', { ...operator, body: { tenantId, plan } })
  const now = async () => {
    const { body } = await house.ask('GET', `/v1/tenants/${tenantId}`, operator)
    return [body.plan, body.liveKeys]
  }
  assert.equal((await issue('Starter')).status, 200)
  assert.deepEqual(await now(), ['Starter', 2])
  const full = await issue('Growth')
  assert.deepEqual([full.status, full.error?.code], [409, 'key_limit_reached'])
  assert.deepEqual(await now(), ['Starter', 2])
  const nobody = await house.ask('POST', '/v1/keys', { ...operator, body: { tenantId: 999_999, plan: 'Growth' } })
  assert.equal(nobody.error?.code, 'tenant_not_found')
})
