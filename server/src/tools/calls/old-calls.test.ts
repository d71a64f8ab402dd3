import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'

const insertCalls = unlisted<unknown, { tenantId: number; many: number; days: number }>(
  'test.insert_calls',
  `insert into tool_calls (tenant_id, at, request_id, tool, domain, surface, status, attempts, duration_ms)
   select $tenantId::int, now() - make_interval(hours => (24 * $days::float8)::int), 'req_' || n, 'get_order', 'general', 'web', 'ok', 1, 5
     from generate_series(1, $many::int) n`,
)
const countCalls = unlisted<{ calls: number }, { tenantId: number }>(
  'test.count_calls',
  'select count(*)::int as calls from tool_calls where tenant_id = $tenantId::int',
)

test('the telemetry of a call is forgotten when it is older than it is kept, of every workspace, however much there is', async () => {
  await using house = await openHouse({ settings: { 'ToolTransport:CallDays': '10' } })
  const db = house.database.database
  const [busy, quiet] = [await house.tenant(), await house.tenant()]
  await db.run(insertCalls, { tenantId: busy.tenantId, many: 2_500, days: 11 })
  await db.run(insertCalls, { tenantId: busy.tenantId, many: 7, days: 9 })
  await db.run(insertCalls, { tenantId: quiet.tenantId, many: 1, days: 12 })
  const duty = house.app.duties.find(({ name }) => name === 'calls.forget')
  assert.equal(await duty?.work(AbortSignal.timeout(30_000)), 2_501)
  const left = async (tenantId: number) => (await db.one(countCalls, { tenantId }))?.calls
  assert.deepEqual([await left(busy.tenantId), await left(quiet.tenantId)], [7, 0])
  assert.equal(await duty?.work(AbortSignal.timeout(30_000)), 0)
})
