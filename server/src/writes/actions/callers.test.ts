// The verbs as callers without HTTP use them: pages, MCP and bulk decisions read typed results, and say who decides and whence.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openMetrics } from '../../kernel/metrics/index.ts'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Actor, Context } from '../../tenancy/context/index.ts'
import { openCalls } from '../../tools/calls/index.ts'
import { openCatalogs } from '../../tools/catalog/index.ts'
import { ruleList } from '../writes/index.ts'
import { confirm } from './confirm/confirm.ts'
import { answering, endpoint, executions, set, staged, trailOf } from './fixtures/shop.ts'
import { noFaults } from './index.ts'
import { findAction } from './queries.ts'
import { reconcile } from './reconcile.ts'
import { reject } from './reject.ts'
import type { ActionRooms } from './rooms.ts'
import { useTool } from './use-tool.ts'

type Caller = (ctx: Context, rooms: ActionRooms) => Promise<unknown>
/** What the next request to the page does: a handler is where a page, too, gets its context. */
let page: Caller = async () => null
const PAGE: Route = route({
  method: 'POST',
  path: '/test/page',
  reach: SECRET_ONLY,
  lane: 'none',
  group: 'Test',
  summary: 'A page that calls verbs',
  answers: { 200: { schema: z.unknown() } },
  handle: async (ctx) => {
    const rooms = {
      catalogs: openCatalogs(ctx),
      calls: openCalls({ ...ctx, metrics: openMetrics() }, async () => null, {
        addressOf: async () => null,
        send: () => Promise.reject(new Error('no upstream here')),
      }),
      prohibition: ruleList,
      faults: noFaults,
    }
    const body = await page(ctx, rooms)
    await rooms.calls.flush()
    return { status: 200, body }
  },
})

// Opened by the first test: the hooks of two files do not wait for each other.
let opened: Promise<OpenHouse> | undefined
const pages = (): Promise<OpenHouse> => (opened ??= openHouse({ beside: set.house, moreRoutes: [PAGE] }))
after(async () => (await opened)?.close())

async function onPage<Result>(caller: (ctx: Context, rooms: ActionRooms) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  page = async (ctx, rooms) => {
    result = { value: await caller(ctx, rooms) }
    return null
  }
  const reply = await (await pages()).ask('POST', '/test/page', { key: set.shop.apiKey, body: {} })
  assert.equal(reply.status, 200, reply.text)
  return result?.value ?? assert.fail('the page was not called')
}

const NINO: Actor = { by: 'key', userId: 9, role: 'manager' }
const as = (ctx: Context, actor: Actor): Context => ({ ...ctx, asking: { ...ctx.asking, actor } })
const yes = (
  actionId: string,
  more: { payloadHash?: string; confirmKey?: string; acknowledgeHighRisk?: boolean } = {},
) => ({
  actionId,
  acknowledgeHighRisk: false,
  confirmKey: null,
  payloadHash: null,
  source: 'inbox',
  ...more,
})
const trail = (actionId: string) => set.house.database.database.rows(trailOf, { tenantId: set.shop.tenantId, actionId })

test('several decisions in one request each come to a result of their own, by the same person and from the same place', async () => {
  const seen = answering({ state: 'paid' })
  const [run, risky, stale, declined] = await Promise.all([
    staged('refund_order'),
    staged('delete_order'),
    staged('refund_order', { number: 'A-2' }),
    staged('refund_order', { number: 'A-3' }),
  ])
  const results = await onPage(async (given, rooms) => {
    const ctx = as(given, NINO)
    return [
      await confirm(ctx, rooms, yes(run.actionId)),
      await confirm(ctx, rooms, yes(risky.actionId)),
      await confirm(ctx, rooms, yes(stale.actionId, { payloadHash: 'a'.repeat(64) })),
      await reject(ctx, { actionId: declined.actionId, reason: 'Too late', source: 'inbox' }),
      await confirm(ctx, rooms, yes('no-action')),
      await reconcile(ctx, rooms, { actionId: run.actionId, source: 'inbox', sendToNewEndpoint: false, said: null }),
    ]
  })
  assert.deepEqual(
    results.map(({ conclusion, action }) => [conclusion.status, conclusion.errorCode, action?.state ?? null]),
    [
      ['Executed', null, 'executed'],
      ['GuardRejected', 'AI_ACTION_REQUIRES_CONFIRMATION', 'pending'],
      ['Conflict', 'CONFLICT', 'pending'],
      ['Rejected', 'action_rejected', 'rejected'],
      ['NotFound', 'PENDING_ACTION_NOT_FOUND', null],
      ['Conflict', 'ACTION_NOT_INDETERMINATE', 'executed'],
    ],
  )
  assert.equal(executions(seen).length, 1)
  assert.deepEqual(executions(seen)[0]?.body.user, { id: 9, role: 'manager' })
  assert.deepEqual(
    (await trail(run.actionId)).map(({ event, userId, source }) => [event, userId, source]),
    [
      ['proposed', 0, 'POST /v1/actions'],
      ['approved', 9, 'inbox'],
      ['executed', 9, 'inbox'],
    ],
  )
  assert.deepEqual(
    (await trail(declined.actionId)).map(({ event, userId, source, reason }) => [event, userId, source, reason]),
    [
      ['proposed', 0, 'POST /v1/actions', null],
      ['rejected', 9, 'inbox', 'Too late'],
    ],
  )
})

test('a result carries the action as it then stands, for whoever shows it', async () => {
  answering({ state: 'refunded' })
  const { actionId } = await staged('refund_verified')
  const [waiting, done] = await onPage(async (ctx, rooms) => {
    const shown = await ctx.db.one(findAction, { tenantId: ctx.asking.tenantId, actionId })
    const { payloadHash } = shown ?? assert.fail('it is not listed')
    return [shown, await confirm(as(ctx, NINO), rooms, yes(actionId, { payloadHash }))]
  })
  assert.deepEqual([waiting?.arguments, waiting?.summary], ['{"number":"A-1"}', 'Refund verified (number: A-1)'])
  assert.equal(done.conclusion.status, 'Executed')
  assert.equal(done.action?.verificationStatus, 'verified')
  assert.equal(done.action?.result?.toString(), '{"done":true}')
})

test('a token decides its own action and no other, whichever verb is called with it', async () => {
  const seen = answering({})
  const [own, other] = [await staged('refund_order'), await staged('refund_order', { number: 'A-9' })]
  const token: Actor = { by: 'token', actionId: own.actionId, userId: 9, personId: 0, role: 'api' }
  const status = await onPage(async (given, rooms) => {
    const ctx = as(given, token)
    const refused = { name: 'Refusal', code: 'insufficient_scope' }
    await assert.rejects(confirm(ctx, rooms, yes(other.actionId)), refused)
    await assert.rejects(reject(ctx, { actionId: other.actionId, reason: null, source: 'inbox' }), refused)
    await assert.rejects(
      reconcile(ctx, rooms, { actionId: other.actionId, source: 'inbox', sendToNewEndpoint: false, said: null }),
      refused,
    )
    assert.equal(seen.length, 0)
    const { conclusion } = await confirm(ctx, rooms, yes(own.actionId.toUpperCase()))
    return conclusion.status
  })
  assert.equal(status, 'Executed')
  assert.deepEqual(
    (await trail(other.actionId)).map(({ event }) => event),
    ['proposed'],
  )
})

test('a read that its caller gave a time to says that it took longer', async () => {
  const time = new AbortController()
  // Its time is over when the call is under way.
  const never = endpoint.play(() => time.abort(new DOMException('The time is over.', 'TimeoutError')))
  const result = await onPage(async (ctx, { calls, catalogs }) => {
    const tool = (await catalogs.of(ctx)).find('get_order') ?? assert.fail('there is no such tool')
    return await calls.read(ctx, { tool, arguments: {}, surface: 'test' }, time.signal)
  })
  assert.equal(never.length, 1)
  assert.deepEqual([result.status, result.status !== 'ok' && result.lastStatus], ['timeout', null])
  assert.match(result.status === 'ok' ? '' : result.message, /no answer came in the time/i)
})

test('a tool that is used by name is called, staged, or not used, and the result says which', async () => {
  const seen = answering({ state: 'paid' })
  const ask = (tool: string, given: unknown = { number: 'A-1' }, stageKeys: string[] = []) =>
    onPage((ctx, rooms) => {
      const signal = AbortSignal.timeout(60_000)
      const request = { tool, arguments: given, stageKeys, source: 'POST /mcp', surface: 'mcp', signal }
      return useTool(as(ctx, NINO), rooms, request)
    })
  const read = await ask('get_order')
  assert.ok(read.kind === 'called' && read.result.status === 'ok')
  assert.deepEqual(read.result.value, { state: 'paid' })
  assert.deepEqual(seen[0]?.body.user, { id: 9, role: 'manager' })
  const write = await ask('refund_order', { number: 'A-7' }, ['once'])
  assert.ok(write.kind === 'staged')
  assert.deepEqual([write.tool.name, write.arguments], ['refund_order', { number: 'A-7' }])
  const again = await ask('refund_order', { number: 'A-7' }, ['once'])
  assert.ok(again.kind === 'staged' && again.actionId === write.actionId)
  assert.deepEqual(
    (await trail(write.actionId)).map(({ event, userId, source }) => [event, userId, source]),
    [['proposed', 9, 'POST /mcp']],
  )
  for (const [kind, tool, given] of [
    ['unknown_tool', 'no_such_tool', {}],
    ['invalid_request', 'get_order', { number: 5 }],
    ['customer_required', 'own_refund', { number: 'A-1' }],
    ['precondition_failed', 'refund_checked', { number: 'A-1' }],
  ] as const) {
    if (kind === 'precondition_failed') answering({ state: 'sent' })
    assert.equal((await ask(tool, given)).kind, kind)
  }
  await assert.rejects(ask('refund_order', { number: 'A-8' }, ['once', 'twice']))
})
