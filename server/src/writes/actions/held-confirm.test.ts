// A confirm that is held at the read of its precondition while what it was judged by changes: nothing is run.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { NewTenant } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { statement } from '../../kernel/db/index.ts'
import { CATALOG, confirm, endpoint, executions, newShop, outcome, set, stage } from './fixtures/shop.ts'
import { ONE_AT_A_TIME, untilWaiting } from './fixtures/waiting.ts'

const moved = new ScriptedEndpoint()
after(() => moved.stop())

type Change = (tenant: NewTenant) => Promise<unknown>

const ask = ({ apiKey: key }: NewTenant, method: string, path: string, body?: unknown) =>
  set.house.ask(method, path, { key, ...(body === undefined ? {} : { body }) })
/** The catalog with `refund_checked` as this makes it; without it where this makes nothing. */
const catalogWith =
  (change: (tool: (typeof CATALOG)[number]) => unknown): Change =>
  (tenant) =>
    ask(
      tenant,
      'PUT',
      '/v1/tools',
      CATALOG.flatMap((tool) => (tool.name === 'refund_checked' ? (change(tool) ?? []) : tool)),
    )
const rules =
  (rule: object): Change =>
  (tenant) =>
    ask(tenant, 'PUT', '/v1/policy', { rules: [rule] })

const expireKey = statement<unknown, { tenantId: number; keyPrefix: string }>(
  'test.expire_asking_key',
  'update keys set expires_at = now() where tenant_id = $tenantId::int and prefix = $keyPrefix::text',
)

const CHANGES: Record<string, Change> = {
  'its risk is raised to what two people approve': catalogWith((tool) => ({ ...tool, risk: 'high' })),
  'its tool is removed': catalogWith(() => undefined),
  'its precondition is another': catalogWith((tool) => ({
    ...tool,
    precondition: {
      tool: 'get_order',
      arguments: { number: { from: 'number' } },
      check: { path: 'state', equals: 'open' },
    },
  })),
  'the endpoint is cleared': (tenant) => ask(tenant, 'PUT', '/v1/endpoint', { url: null }),
  'the endpoint moves': async (tenant) => ask(tenant, 'PUT', '/v1/endpoint', { url: await moved.start() }),
  'the signing secret is rotated': (tenant) => ask(tenant, 'POST', '/v1/account/signing-secret/rotate'),
  'the policy asks for two': rules({ roles: ['manager'], approvers: 2 }),
  'the policy is deleted': (tenant) => ask(tenant, 'DELETE', '/v1/policy'),
  'somebody else gets another role': (tenant) => ask(tenant, 'PUT', '/v1/users', [{ userId: 2, role: 'clerk' }]),
  'the account is compromised': (tenant) => ask(tenant, 'POST', '/v1/account/compromise'),
  'its key is revoked by the operator': ({ keyPrefix, tenantId }) =>
    set.house.ask('DELETE', `/v1/keys/${keyPrefix}?tenantId=${tenantId}`, { key: set.house.operatorKey }),
  'its key expires': ({ keyPrefix, tenantId }) => set.house.database.database.run(expireKey, { keyPrefix, tenantId }),
}

/** Two managers, either of whom may approve what is not of high risk. */
async function guardedShop(): Promise<NewTenant> {
  const tenant = await newShop()
  const people = [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' }))
  await ask(tenant, 'PUT', '/v1/users', people)
  await ask(tenant, 'PUT', '/v1/policy', {
    rules: [{ risk: ['high'], roles: ['manager'], approvers: 2 }, { roles: ['manager'] }],
  })
  return tenant
}

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a confirm during whose read ${what} runs nothing, and says Conflict`, async () => {
    const tenant = await guardedShop()
    const elsewhere = moved.play((_request, response) => void response.end('{"done":true}'))
    let reading = 0
    const seen = endpoint.play((request, response) => {
      if (request.body.mode !== 'read') return void response.end('{"done":true}')
      reading += 1
      // The first read is that of the staging.
      if (reading === 1) return void response.end('{"state":"paid"}')
      void change(tenant).then(() => response.end('{"state":"paid"}'))
    })
    const { body } = await stage('refund_checked', { number: 'A' }, { tenant })
    const reply = await confirm(body.actionId, undefined, { 'x-service-user-id': '1' }, tenant.apiKey)
    assert.deepEqual(outcome(reply), [400, 'Conflict', 'CONFLICT'])
    assert.match(reply.body.errorMessage ?? '', /while this was being decided\. Nothing was run/)
    assert.deepEqual([executions(seen).length, elsewhere.length], [0, 0])
  })
}

test('a read that fails under a catalog that is no longer in force ends nothing', async () => {
  const tenant = await guardedShop()
  let reading = 0
  endpoint.play((request, response) => {
    if (request.body.mode !== 'read') return void response.end('{"done":true}')
    reading += 1
    if (reading !== 2) return void response.end('{"state":"paid"}')
    void CHANGES['its risk is raised to what two people approve']?.(tenant).then(() => response.end('{"state":"open"}'))
  })
  const { body } = await stage('refund_checked', { number: 'A' }, { tenant })
  const as = (userId: number) =>
    confirm(body.actionId, { acknowledgeHighRisk: true }, { 'x-service-user-id': String(userId) }, tenant.apiKey)
  assert.deepEqual(outcome(await as(1)), [400, 'Conflict', 'CONFLICT'])
  assert.deepEqual(outcome(await as(1)), [202, 'AwaitingApprovers', 'awaiting_approvers'])
  assert.deepEqual(outcome(await as(2)), [200, 'Executed', null])
})

test('a staging during whose read its key is revoked stages nothing, and mints no token', async () => {
  const tenant = await newShop()
  endpoint.play((_request, response) => {
    void ask(tenant, 'POST', '/v1/account/compromise').then(() => response.end('{"state":"paid"}'))
  })
  const { body, error } = await stage('refund_checked', { number: 'A' }, { tenant })
  assert.deepEqual([error?.code, body.actionId], ['invalid_api_key', undefined])
})

test('a staging during whose read another key is revoked goes on', async () => {
  const tenant = await newShop()
  const other = await set.house.ask<{ prefix: string }>('POST', '/v1/account/keys', {
    key: tenant.apiKey,
    body: { kind: 'agent' },
  })
  endpoint.play((_request, response) => {
    void ask(tenant, 'DELETE', `/v1/account/keys/${other.body.prefix}`).then(() => response.end('{"state":"paid"}'))
  })
  assert.equal((await stage('refund_checked', { number: 'A' }, { tenant })).body.status, 'preview')
})

const lockTrail = statement<unknown, { tenantId: number }>(
  'test.lock_trail',
  'select last_id from audit_heads where tenant_id = $tenantId::int for update',
)
const livingKeys = statement<{ kind: string }, { tenantId: number }>(
  'test.living_keys',
  'select kind from keys where tenant_id = $tenantId::int and revoked_at is null',
)

test('a token that is minted while an account is compromised is revoked with the rest', async (t) => {
  const { database } = set.house.database
  if (database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
  const tenant = await newShop()
  endpoint.play((_request, response) => void response.end('{"state":"paid"}'))
  await stage('refund_order', { number: 'A' }, { tenant })
  const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The staging has minted its token, and waits for its place in the trail.
  const holding = database.transaction(async (tx) => {
    await tx.one(lockTrail, { tenantId: tenant.tenantId })
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  const staging = stage('refund_order', { number: 'B' }, { tenant })
  await untilWaiting(database, 1)
  let over = false
  const compromised = ask(tenant, 'POST', '/v1/account/compromise').finally(() => {
    over = true
  })
  await untilWaiting(database, 2, () => over)
  gate.resolve()
  await Promise.all([holding, staging, compromised])
  assert.deepEqual(await database.rows(livingKeys, { tenantId: tenant.tenantId }), [{ kind: 'secret' }])
})
