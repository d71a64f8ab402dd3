import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import type { NewTenant } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { answering, confirm, type Listed, newShop, set, stage, staged } from '../actions/fixtures/shop.ts'
import { listActions } from './queries.ts'

const MEBIBYTE = 1024 * 1024

const page = async (tenant: NewTenant, query: string) => {
  const { status, body, text } = await set.house.ask<Listed>('GET', `/v1/actions?${query}`, { key: tenant.apiKey })
  assert.equal(status, 200, text)
  assert.equal(body.count, body.actions.length)
  return { bytes: Buffer.byteLength(text), ids: body.actions.map(({ actionId }) => actionId), next: body.nextBefore }
}

async function allPages(tenant: NewTenant, query: string) {
  const pages = [await page(tenant, query)]
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    assert.ok(pages.length < 30, 'the pages end')
    pages.push(await page(tenant, `${query}&before=${next}`))
  }
  return pages
}

const stageMany = statement<unknown, { tenantId: number; many: number; argumentsText: string; rationale: string }>(
  'test.stage_many',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, rationale, arguments, payload_hash, risk, state,
                        idempotency_key, created_at, expires_at)
   select $tenantId::int, gen_random_uuid(), 'refund_order', 'general', 'Refund order', 'Refund order', $rationale::text,
          $argumentsText::text, repeat('a', 64), 'low', 'pending', 'act_' || n, now() + (n / 3) * interval '1 microsecond',
          now() + interval '1 day'
     from generate_series(1, $many::int) n`,
)
const stored = async (many: number, bytes: number, rationale = '') => {
  const tenant = await newShop()
  const { tenantId } = tenant
  const argumentsText = JSON.stringify({ number: 'x'.repeat(bytes) })
  await set.house.database.database.run(stageMany, { tenantId, many, argumentsText, rationale })
  return tenant
}

test('a page of the list ends at 4 MiB, and the pages together have each action once', async () => {
  const tenant = await stored(40, 250_000)
  const pages = await allPages(tenant, 'limit=200')
  assert.deepEqual(
    pages.map(({ ids }) => ids.length),
    [16, 16, 8],
  )
  for (const { bytes } of pages) assert.ok(bytes <= 4 * MEBIBYTE, `${bytes} bytes`)
  assert.equal(new Set(pages.flatMap(({ ids }) => ids)).size, 40)
  assert.deepEqual((await page(tenant, 'limit=40')).ids, pages[0]?.ids, 'the newest first')
})

test('what the rest of an action takes is counted as it is written, with its escapes', async () => {
  const tenant = await stored(200, 10_000, '\u0001'.repeat(2_000))
  const pages = await allPages(tenant, 'limit=200')
  for (const { bytes } of pages) assert.ok(bytes <= 4 * MEBIBYTE, `${bytes} bytes`)
  assert.equal(pages.length, 2)
})

test('an action that is larger than a page has a page of its own', async () => {
  const tenant = await stored(3, 5 * MEBIBYTE)
  assert.deepEqual(
    (await allPages(tenant, 'limit=200')).map(({ ids }) => ids.length),
    [1, 1, 1],
  )
})

test('pages of any length have the same actions in the same order, and null after the last', async () => {
  const tenant = await stored(12, 10)
  const { ids } = await page(tenant, 'limit=200')
  for (const limit of [1, 5, 6, 12]) {
    const pages = await allPages(tenant, `limit=${limit}&tool=refund_order`)
    assert.deepEqual(
      pages.flatMap((each) => each.ids),
      ids,
    )
    assert.equal(pages.length, Math.ceil(12 / limit), 'also where a page is exactly full')
  }
})

test('the place in the list stays when its action has been decided since', async () => {
  const tenant = await newShop()
  for (const number of ['1', '2', '3']) await stage('refund_order', { number }, { tenant })
  const first = await page(tenant, 'limit=2')
  await set.house.ask('POST', `/v1/actions/${first.next}/reject`, {
    key: tenant.apiKey,
    headers: { 'x-service-user-id': '7' },
  })
  const rest = await page(tenant, `limit=2&before=${first.next}`)
  assert.deepEqual([rest.ids.length, rest.next], [1, null])
})

test('a place that is nobody’s, or somebody else’s, is refused by name', async () => {
  const [tenant, other] = [await newShop(), await newShop()]
  const foreign = (await stage('refund_order', { number: '1' }, { tenant: other })).body.actionId
  for (const before of ['x', '', randomUUID(), foreign]) {
    const { status, error } = await set.house.ask('GET', `/v1/actions?before=${before}`, { key: tenant.apiKey })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], before)
    assert.match(error?.message ?? '', /`before`/)
  }
})

test('a page of the list does not carry what the endpoints answered', async () => {
  answering({}, 200, { done: 'x'.repeat(1000) })
  const { actionId } = await staged('refund_order', { number: 'long' })
  assert.equal((await confirm(actionId)).body.status, 'Executed')
  const rows = await set.house.database.database.rows(listActions, {
    tenantId: set.shop.tenantId,
    states: ['executed'],
    tool: null,
    scopeId: null,
    before: null,
    most: 50,
    mostBytes: 100_000,
  })
  assert.deepEqual([...new Set(rows.map(({ result }) => result))], [null])
})
