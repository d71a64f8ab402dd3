// What a tenant that is being moved may still do, and that nothing of it is written behind a move.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { isMoving, statement, unlisted } from '../../foundation/db/index.ts'
import { COPIED, LEFT_BEHIND } from './checks.ts'
import { close, fence, silently, unfence } from './fence.ts'

let house: OpenHouse
let endpoint: ScriptedEndpoint
before(async () => {
  endpoint = new ScriptedEndpoint()
  house = await openHouse()
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

const db = () => house.database.database
const runner = '00000000-0000-4000-8000-000000000001'
const marking = (tenantId: number) => ({ db: db(), tenantId, runner, signal: new AbortController().signal })
const LIMIT = { mostMs: 10_000 }

const tablesWithoutFence = statement<{ name: string }>(
  'test.tables_without_fence',
  `select c.relname::text as name from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'moving_refused' and g.tgenabled = 'O')`,
)

test('every table of a tenant is fenced, and is copied, but for what is not logged', async () => {
  const unfenced = async () => (await db().rows(tablesWithoutFence)).map(({ name }) => name).sort()
  assert.deepEqual(await unfenced(), LEFT_BEHIND)
  await db().script('create table strays (tenant_id int, id int, primary key (tenant_id, id))')
  try {
    assert.deepEqual(await unfenced(), [...LEFT_BEHIND, 'strays'].sort())
  } finally {
    await db().script('drop table strays')
  }
  assert.ok(LEFT_BEHIND.every((table) => !COPIED.includes(table)) && COPIED.includes('audit_events'))
})

const TOOL = {
  name: 'refund_order',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: {} },
  is_write: true,
}
const USER = { 'x-service-user-id': '7' }

async function openShop() {
  const shop = await house.tenant()
  const key = shop.apiKey
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
  await house.ask('PUT', '/v1/tools', { key, body: [TOOL] })
  const stage = () =>
    house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body: { tool: TOOL.name, arguments: {} } })
  const confirm = (actionId: string) =>
    house.ask('POST', `/v1/actions/${actionId}/confirm`, { key, body: {}, headers: USER })
  return { ...shop, stage, confirm }
}

test('while it closes, writes are staged and none begins to execute', async () => {
  const shop = await openShop()
  const other = await openShop()
  const staged = await shop.stage()
  await close(marking(shop.tenantId), LIMIT)
  assert.equal((await shop.stage()).status, 200)
  const refused = await shop.confirm(staged.body.actionId)
  assert.deepEqual(
    [refused.status, refused.error?.code, refused.headers['retry-after']],
    [503, 'workspace_moving', '1'],
  )
  assert.equal((await other.confirm((await other.stage()).body.actionId)).status, 200)
  await unfence(db(), shop.tenantId, runner)
  assert.equal((await shop.confirm(staged.body.actionId)).status, 200)
})

const touch = (table: string) =>
  unlisted<unknown, { tenantId: number }>(
    `test.touch_${table}`,
    `update ${table} set tenant_id = tenant_id where tenant_id = $tenantId::int`,
  )

test('while it leaves, nothing of it is read or written, by a request or behind it, and others notice nothing', async () => {
  const shop = await openShop()
  const other = await openShop()
  await shop.confirm((await shop.stage()).body.actionId)
  await close(marking(shop.tenantId), LIMIT)
  await fence(marking(shop.tenantId), LIMIT)
  for (const refused of [await shop.stage(), await house.ask('GET', '/v1/account', { key: shop.apiKey })]) {
    assert.deepEqual([refused.status, refused.error?.code], [503, 'workspace_moving'])
  }
  const held = ['tenants', 'keys', 'actions', 'catalogs', 'account_events']
  for (const table of held) {
    await assert.rejects(db().run(touch(table), { tenantId: shop.tenantId }), isMoving, table)
  }
  // Whoever sends events passes over its rows, instead of failing for everybody whose rows it takes with them.
  assert.equal(await db().run(touch('outbox'), { tenantId: shop.tenantId }), 0)
  assert.equal((await other.stage()).status, 200)
  await unfence(db(), shop.tenantId, '00000000-0000-4000-8000-000000000002')
  assert.equal((await shop.stage()).status, 503, 'another run lifts no fence that it has not set')
  await unfence(db(), shop.tenantId, runner)
  assert.equal((await shop.stage()).status, 200)
})

test('a move waits for a transaction that began to write before the fence', {
  skip: process.env.TEST_DATABASE_URL === undefined,
}, async () => {
  const shop = await openShop()
  await shop.stage()
  await close(marking(shop.tenantId), LIMIT)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: wrote, resolve: hasWritten } = Promise.withResolvers<void>()
  const writing = db().transaction(async (tx) => {
    await tx.run(touch('keys'), { tenantId: shop.tenantId })
    hasWritten()
    await mayEnd
  })
  await wrote
  await assert.rejects(fence(marking(shop.tenantId), { mostMs: 300 }), /has been writing for more than 0.3 s/)
  end()
  await writing
  await unfence(db(), shop.tenantId, runner)
  await silently(db(), async (tx) => {
    await tx.run(touch('keys'), { tenantId: shop.tenantId })
  })
})
