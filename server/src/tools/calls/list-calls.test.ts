// The list of calls: its pages, its filters, and the status that each call left.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { unlisted } from '../../kernel/db/index.ts'

type Calls = z.output<typeof contract.CallRecords>

let house: OpenHouse
const endpoint = new ScriptedEndpoint()
before(async () => {
  house = await openHouse({
    settings: {
      'ToolTransport:MaxAttempts': '1',
      'ToolTransport:TimeoutSeconds': '1',
      'ToolTransport:MaxResponseBytes': '2048',
    },
  })
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

/** Calls in this order: get_order, list_orders, get_order, …; every third failed. */
const insertCalls = unlisted<unknown, { tenantId: number; count: number }>(
  'test.insert_many_calls',
  `insert into tool_calls (tenant_id, at, request_id, tool, domain, surface, status, attempts, duration_ms)
   select $tenantId::int, now(), 'req_' || n, case n % 2 when 1 then 'get_order' else 'list_orders' end, 'general', 'web',
          case n % 3 when 0 then 'failed' else 'ok' end, 1, 5
     from generate_series(1, $count::int) n`,
)
const list = async (key: string, query = '') => (await house.ask<Calls>('GET', `/v1/calls${query}`, { key })).body
const numbersOf = ({ calls }: Calls) => calls.map(({ requestId }) => Number(requestId.replace('req_', '')))
const countdown = (from: number, to = 1) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

async function twoWorkspaces(count: number) {
  const [own, other] = [await house.tenant(), await house.tenant()]
  for (const { tenantId } of [other, own, other]) await house.database.database.run(insertCalls, { tenantId, count })
  return own.apiKey
}

test('the pages of the calls hold every call of the workspace once, newest first', async () => {
  const key = await twoWorkspaces(7)
  const pages: number[][] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = await list(key, `?limit=3${before === undefined ? '' : `&before=${before}`}`)
    assert.equal(page.count, page.calls.length)
    pages.push(numbersOf(page))
    assert.ok(pages.length <= 3, `a page too many: ${JSON.stringify(pages)}`)
    before = page.nextBefore
  }
  assert.deepEqual(pages, [[7, 6, 5], [4, 3, 2], [1]])
})

test('a page that ends with the last call names no next one, and a page without a limit holds fifty', async () => {
  const key = await twoWorkspaces(51)
  const all = await list(key, '?limit=51')
  assert.deepEqual([numbersOf(all), all.nextBefore], [countdown(51), null])
  const preset = await list(key)
  assert.deepEqual(numbersOf(preset), countdown(51, 2))
  assert.equal(preset.nextBefore, preset.calls.at(-1)?.callId)
})

test('calls are filtered by tool and by status, and both filters combine', async () => {
  const key = await twoWorkspaces(12)
  assert.deepEqual(numbersOf(await list(key, '?tool=get_order')), [11, 9, 7, 5, 3, 1])
  assert.deepEqual(numbersOf(await list(key, '?status=failed')), [12, 9, 6, 3])
  assert.deepEqual(numbersOf(await list(key, '?tool=get_order&status=failed')), [9, 3])
  const first = await list(key, '?status=failed&limit=2')
  assert.deepEqual(numbersOf(await list(key, `?status=failed&limit=2&before=${first.nextBefore}`)), [6, 3])
  assert.deepEqual(await list(key, '?tool=unknown'), { calls: [], count: 0, nextBefore: null })
})

test('with one attempt a read ends with that attempt’s own status, and so does its record', async () => {
  const { apiKey: key } = await house.tenant()
  const tool = { name: 'get_order', description: 'Looks up one order by its number.', is_write: false }
  await house.ask('PUT', '/v1/tools', { key, body: [tool] })
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
  const cases: readonly [script: Parameters<typeof endpoint.play>[0], status: string, httpStatus: number | null][] = [
    [(_request, response) => response.end('{}'), 'ok', 200],
    [(_request, response) => response.writeHead(503).end(), 'endpoint_error', 503],
    [(_request, response) => response.writeHead(409).end('{"status":"in_flight"}'), 'in_flight', 409],
    [(_request, response) => response.end(JSON.stringify('x'.repeat(5_000))), 'response_too_large', 200],
    [(_request, response) => response.socket?.destroy(), 'unreachable', null],
    [() => {}, 'timeout', null],
  ]
  for (const [script, status] of cases) {
    const seen = endpoint.play(script)
    const { body } = await house.ask('POST', '/v1/tools/get_order/call', { key, body: { arguments: {} } })
    assert.deepEqual([body.status, body.lastStatus, seen.length], [status, undefined, 1])
    assert.doesNotMatch(String(body.message), /Tried/)
  }
  await house.app.flush()
  const { calls } = await list(key)
  assert.deepEqual(
    calls.map((call) => [call.status, call.httpStatus, call.attempts]).reverse(),
    cases.map(([, status, httpStatus]) => [status, httpStatus, 1]),
  )
})
