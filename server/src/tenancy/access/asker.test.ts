// What is issued on the word of a key that has been revoked, and who is asking after a wait in line.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse, testSettings } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { Refusal, type RequestHead } from '../../kernel/http/index.ts'
import type { Limiter } from '../limits/index.ts'
import { compromise, rotateSigningSecret, setCustomerTokenKey } from '../tenants/index.ts'
import { openGate } from './gate.ts'
import { openIdentify } from './identify.ts'
import { type Asker, issueKey, rotateKey, widgetKey } from './keys.ts'
import { openLastUsed } from './last-used.ts'
import { SECRET_ONLY } from './route.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const revoke = ({ tenantId, keyPrefix }: NewTenant) =>
  house.ask('DELETE', `/v1/keys/${keyPrefix}?tenantId=${tenantId}`, { key: house.operatorKey })

const everything = statement<{ secrets: string }, { tenantId: number }>(
  'test.everything_issued',
  `select jsonb_build_array(t.signing_secret, t.customer_token_key,
            (select jsonb_agg(k order by k.prefix) from keys k where k.tenant_id = $tenantId::int),
            (select count(*) from account_events e where e.tenant_id = $tenantId::int))::text as secrets
     from tenants t where t.tenant_id = $tenantId::int`,
)

const ISSUES: Record<string, (asker: Asker, other: string) => Promise<unknown>> = {
  'a key': (asker) => issueKey(house.app.house, asker, { kind: 'secret', label: null }),
  'a key in place of another': (asker, other) => rotateKey(house.app.house, asker, other),
  'a key for the widget': (asker) => widgetKey(house.app.house, asker),
  'everything anew': (asker) => compromise(house.app.house, asker, true),
  'a customer-token key': (asker) => setCustomerTokenKey(house.app.house, asker),
  'a signing secret': (asker) => rotateSigningSecret(house.app.house, asker),
}
for (const [what, issues] of Object.entries(ISSUES)) {
  test(`a key that is revoked issues nothing: ${what}`, async () => {
    const tenant = await house.tenant()
    const { tenantId, keyPrefix: askingKey } = tenant
    const { prefix } = await issueKey(house.app.house, { tenantId, askingKey }, { kind: 'agent', label: null })
    await revoke(tenant)
    const before = await house.database.database.one(everything, { tenantId })
    await assert.rejects(issues({ tenantId, askingKey }, prefix), (error) => {
      return error instanceof Refusal && error.code === 'invalid_api_key' && /nothing was issued/.test(error.message)
    })
    assert.deepEqual(await house.database.database.one(everything, { tenantId }), before)
  })
}

test('whoever waits in line is looked at again when their turn comes', async () => {
  const tenant = await house.tenant()
  const settings = testSettings({ 'RateLimit:QueueLimit': '5', 'Operator:ApiKey': house.operatorKey })
  const parts = { ...house.app.house, settings }
  const arrived = Promise.withResolvers<void>()
  const turn = Promise.withResolvers<void>()
  const limiter = {
    async takeAll() {
      arrived.resolve()
      await turn.promise
      return { admitted: true, limit: 5, remaining: 1, resetSeconds: 1 }
    },
  } as unknown as Limiter
  const gate = openGate({ house: parts, identify: openIdentify(parts, openLastUsed(parts)), limiter })
  const head = {
    requestId: 'req_1',
    headers: { 'x-api-key': tenant.apiKey },
    socketAddress: '127.0.0.1',
    valuesOf: () => [],
  }
  const admitted = gate.admit({ reach: SECRET_ONLY, lane: 'control' }, head as unknown as RequestHead, {
    headers: {},
    logged: {},
  })
  await arrived.promise
  await revoke(tenant)
  turn.resolve()
  await assert.rejects(admitted, (error) => error instanceof Refusal && error.code === 'invalid_api_key')
})
