// A process dies, or sleeps past its lease, at every moment that matters, against every class of answer.
import assert from 'node:assert/strict'
import test, { after, before, type TestContext } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type Script, ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { statement } from '../../foundation/db/index.ts'
import { FAULT_POINTS, type FaultPoint, recoverAll } from './index.ts'
import type { State } from './states.ts'

type Confirmed = z.output<typeof contract.ConfirmAnswer>

const input = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const refunded = {
  tool: 'get_order',
  arguments: { number: { from: 'number' } },
  check: { path: 'state', equals: 'refunded' },
}
const write = { description: 'Gives the money of an order back, for these tests.', is_write: true, parameters: input }
const CATALOG = [
  { name: 'get_order', description: 'Looks up one order by its number.', is_write: false, parameters: input },
  { name: 'refund_order', ...write },
  { name: 'refund_verified', ...write, verify: refunded },
]

/** What the endpoint does with the first request of a key. Every later one it performs, unless it performed or refused. */
type First = {
  readonly status: number | 'silence' | 'reset'
  readonly text?: string
  /** The money moves. Then the endpoint's own claim of the key holds, whatever became of the answer. */
  readonly performs: boolean
}
type AnswerClass = First & {
  /** What a confirm that gets this answer leaves, by the specification's table. */
  readonly confirm: State
  /** The same for a reconcile. */
  readonly reconcile: State
}
const held = { confirm: 'indeterminate', reconcile: 'indeterminate' } as const
const again = { performs: false, confirm: 'pending', reconcile: 'indeterminate' } as const
const ANSWERS: Record<string, AnswerClass> = {
  '200': { status: 200, text: '{"done":true}', performs: true, confirm: 'executed', reconcile: 'executed' },
  '422': { status: 422, performs: false, confirm: 'failed', reconcile: 'failed' },
  '408': { status: 408, ...again },
  '429': { status: 429, ...again },
  '500': { status: 500, performs: false, ...held },
  '500 after performing': { status: 500, performs: true, ...held },
  silence: { status: 'silence', performs: false, ...held },
  'silence after performing': { status: 'silence', performs: true, ...held },
  'a reset': { status: 'reset', performs: false, ...held },
  'a reset after performing': { status: 'reset', performs: true, ...held },
  garbage: { status: 200, text: '<ok>', performs: false, ...held },
  'garbage after performing': { status: 200, text: '<ok>', performs: true, ...held },
}

/** Where a dead process leaves what it was confirming, once its lease has lapsed; undefined: as its answer settled it. */
const AFTER_DEATH: Record<FaultPoint, State | undefined> = {
  before_claim: 'pending',
  after_claim: 'indeterminate',
  before_send: 'indeterminate',
  before_outcome: 'indeterminate',
  after_outcome: undefined,
  after_verify: undefined,
}
const HAS_SENT: readonly FaultPoint[] = ['before_outcome', 'after_outcome', 'after_verify']

/** The tenant's side: what was asked for, and what was done, by idempotency key and by order. */
const firstAnswers = new Map<string, First[]>()
const sends = new Map<string, number>()
const keys = new Map<string, Set<unknown>>()
const performed = new Map<string, number>()
const refused = new Set<string>()

const ledger: Script = ({ body }, response) => {
  const number = String((body.arguments as { number: string }).number)
  const done = performed.has(number)
  if (body.mode === 'read') return void response.end(JSON.stringify({ state: done ? 'refunded' : 'paid' }))
  sends.set(number, (sends.get(number) ?? 0) + 1)
  keys.set(number, (keys.get(number) ?? new Set()).add(body.request_id))
  const first = firstAnswers.get(number)?.shift()
  if (first?.status === 422) refused.add(number)
  const performs = first === undefined ? !refused.has(number) : first.performs
  if (performs && !done) performed.set(number, (performed.get(number) ?? 0) + 1)
  const { status, text = '{}' } = first ?? { status: refused.has(number) ? 422 : 200, text: '{"replayed":true}' }
  if (status === 'reset') response.socket?.destroy()
  if (typeof status !== 'number') return
  response.statusCode = status
  response.end(text)
}

const endpoint = new ScriptedEndpoint()
let house: OpenHouse
let shop: NewTenant
before(async () => {
  house = await openHouse({ settings: { 'ToolTransport:TimeoutSeconds': '1.5', 'ToolTransport:MaxAttempts': '1' } })
  shop = await house.tenant()
  endpoint.play(ledger)
  const url = await endpoint.start()
  for (const [path, body] of [['/v1/tools', CATALOG] as const, ['/v1/endpoint', { url }] as const]) {
    assert.equal((await house.ask('PUT', path, { key: shop.apiKey, body })).status, 200)
  }
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

let orders = 0
async function staged(answers: readonly First[], tool = 'refund_order') {
  const number = `A-${orders++}`
  firstAnswers.set(number, [...answers])
  const { body } = await house.ask<{ actionId: string }>('POST', '/v1/actions', {
    key: shop.apiKey,
    body: { tool, arguments: { number } },
  })
  return { number, actionId: body.actionId }
}
type Order = Awaited<ReturnType<typeof staged>>

const decide = async (verb: string, { actionId }: Order, at = house) => {
  const reply = await at.ask<Confirmed>('POST', `/v1/actions/${actionId}/${verb}`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '7' },
  })
  return [reply.body.status, reply.body.errorCode]
}

const lapse = statement<unknown, [tenantId: number, actionId: string]>(
  'fault.lapse',
  `update actions set lease_until = now() - interval '1 second'
    where tenant_id = $1::int and action_id = $2::uuid and state = 'executing'`,
)
type Looked = { state: State; attempts: number; audit: string[]; told: string[]; everything: string }
const look = statement<Looked, [tenantId: number, actionId: string]>(
  'fault.look',
  `select a.state, a.attempts, to_jsonb(a)::text as everything,
          array(select event from audit_events e where e.tenant_id = $1::int and e.action_id = $2::uuid order by id) as audit,
          array(select event from outbox o where o.tenant_id = $1::int and o.action_id = $2::uuid order by outbox_id) as told
     from actions a where a.tenant_id = $1::int and a.action_id = $2::uuid`,
)
const record = async ({ actionId }: Order): Promise<Looked> =>
  (await house.database.database.one(look, [shop.tenantId, actionId])) ?? assert.fail('the action is gone')
const stateOf = async (order: Order): Promise<State> => (await record(order)).state

/** What the sweep does once the lease is over. On a server another sweep may be at the same row: then it is done soon. */
async function leaseLapses(order: Order) {
  await house.database.database.run(lapse, [shop.tenantId, order.actionId])
  for (let turn = 0; turn < 100; turn++) {
    await recoverAll(house.app.house)
    if ((await stateOf(order)) !== 'executing') return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the sweep did not take a lapsed action')
}

/** A second process on the same database, which stops at one point until it is told to go on, or for ever. */
async function openStopping(t: TestContext) {
  let stop: { point: FaultPoint; reached(): void; gate: Promise<void> } | undefined
  const at = async (point: FaultPoint) => {
    if (stop?.point !== point) return
    const { reached, gate } = stop
    stop = undefined
    reached()
    await gate
  }
  const stopping = await openHouse({ beside: house, faults: { at } })
  t.after(() => stopping.close())
  return {
    /** Runs a verb up to the point. */
    async until(point: FaultPoint, verb: string, order: Order) {
      const gate = Promise.withResolvers<void>()
      const arrived = Promise.withResolvers<void>()
      stop = { point, reached: arrived.resolve, gate: gate.promise }
      const reply = decide(verb, order, stopping)
      const passed = reply.then((said) => assert.fail(`it never came to ${point}, and said ${said}`))
      await Promise.race([arrived.promise, passed])
      passed.catch(() => {})
      return {
        async goesOn() {
          gate.resolve()
          return await reply
        },
      }
    },
  }
}

const isEnd = (state: State) => state === 'executed' || state === 'failed'

/** Decides on, as a person would, until the action has its end; gives the states on the way. */
async function seenToItsEnd(order: Order): Promise<State[]> {
  const states = [await stateOf(order)]
  for (let state = states[0]; state !== undefined && !isEnd(state) && states.length < 5; state = states.at(-1)) {
    await decide(state === 'pending' ? 'confirm' : 'reconcile', order)
    states.push(await stateOf(order))
  }
  return states
}

/** The same by the specification. */
function expectedStates(point: FaultPoint, answer: AnswerClass): State[] {
  const states = [AFTER_DEATH[point] ?? answer.confirm]
  for (let sent = HAS_SENT.includes(point) ? 1 : 0; ; sent++) {
    const state = states.at(-1)
    if (state === undefined || isEnd(state)) return states
    if (sent > 0) states.push(answer.status === 422 ? 'failed' : 'executed')
    else states.push(state === 'pending' ? answer.confirm : answer.reconcile)
  }
}

test('a process that dies anywhere leaves what the specification says, and nothing happens twice', {
  concurrency: true,
}, async (t) => {
  const atPoint = (point: FaultPoint) => async (t: TestContext) => {
    const dying = await openStopping(t)
    for (const [name, answer] of Object.entries(ANSWERS)) {
      await t.test(`it dies at ${point}, the endpoint answers ${name}`, async () => {
        const order = await staged([answer])
        await dying.until(point, 'confirm', order)
        assert.equal(sends.get(order.number) ?? 0, HAS_SENT.includes(point) ? 1 : 0)
        await leaseLapses(order)
        const expected = expectedStates(point, answer)
        assert.deepEqual(await seenToItsEnd(order), expected)
        const executed = expected.at(-1) === 'executed'
        assert.equal(performed.get(order.number) ?? 0, executed ? 1 : 0)
        assert.equal(keys.get(order.number)?.size, 1, 'every request carried the same key')
        const end = await record(order)
        assert.deepEqual(end.audit, ['proposed', executed ? 'executed' : 'failed'])
        assert.deepEqual(end.told, executed ? ['action.pending', 'action.executed'] : ['action.pending'])
        await assertNothingMoves(order)
      })
    }
  }
  await Promise.all(FAULT_POINTS.map((point) => t.test(point, atPoint(point))))
})

async function assertNothingMoves(order: Order) {
  const earlier = await record(order)
  const sent = sends.get(order.number)
  assert.deepEqual(await decide('confirm', order), ['NotFound', 'PENDING_ACTION_NOT_FOUND'])
  assert.deepEqual(await decide('reconcile', order), ['Conflict', 'ACTION_NOT_INDETERMINATE'])
  assert.deepEqual(await decide('reject', order), ['NotFound', 'PENDING_ACTION_NOT_FOUND'])
  await recoverAll(house.app.house)
  assert.deepEqual(await record(order), earlier)
  assert.equal(sends.get(order.number), sent)
}

// A late writer: it was thought dead, its lease lapsed and the sweep took its action, and then it goes on.
const OK = ANSWERS['200'] ?? assert.fail()
const REFUSED = ANSWERS['422'] ?? assert.fail()
const BUSY = ANSWERS['429'] ?? assert.fail()
const DROPPED = ANSWERS['a reset after performing'] ?? assert.fail()

async function overslept(t: TestContext, answers: readonly First[], point: FaultPoint = 'before_outcome') {
  const stopping = await openStopping(t)
  const order = await staged(answers)
  const late = await stopping.until(point, 'confirm', order)
  await leaseLapses(order)
  assert.equal(await stateOf(order), 'indeterminate')
  return { order, late }
}

test('a late writer settles its own claim once: what it heard is what happened', async (t) => {
  for (const [answer, said, state, told] of [
    [OK, ['Executed', null], 'executed', ['action.pending', 'action.executed']],
    [REFUSED, ['FailedTerminal', 'VALIDATION_ERROR'], 'failed', ['action.pending']],
  ] as const) {
    const { order, late } = await overslept(t, [answer])
    assert.deepEqual(await late.goesOn(), said)
    const settled = await record(order)
    assert.deepEqual([settled.state, settled.audit, settled.told], [state, ['proposed', state], told])
    await assertNothingMoves(order)
  }
})

test('a late writer changes nothing after a reconcile settled its claim, and says what stands', async (t) => {
  for (const [answer, said] of [
    [OK, ['Executed', null]],
    [REFUSED, ['FailedTerminal', 'VALIDATION_ERROR']],
  ] as const) {
    for (const point of ['after_claim', 'before_send', 'before_outcome'] as const) {
      const { order, late } = await overslept(t, [answer], point)
      assert.deepEqual(await decide('reconcile', order), said, point)
      const settled = await record(order)
      assert.deepEqual(await late.goesOn(), said, point)
      assert.deepEqual(await record(order), settled, point)
      assert.equal(performed.get(order.number) ?? 0, answer.performs ? 1 : 0)
      assert.equal(sends.get(order.number), 2)
      assert.equal(keys.get(order.number)?.size, 1)
    }
  }
})

test('a late writer that was told to come back leaves its action indeterminate, and says so', async (t) => {
  const { order, late } = await overslept(t, [BUSY])
  assert.deepEqual(await late.goesOn(), ['Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.equal(await stateOf(order), 'indeterminate')
})

test('a late writer that was told to come back does not ask for another confirm of what a reconcile executed', async (t) => {
  const { order, late } = await overslept(t, [BUSY])
  assert.deepEqual(await decide('reconcile', order), ['Executed', null])
  assert.deepEqual(await late.goesOn(), ['Executed', null])
})

test('the third attempt of a late writer does not fail what a reconcile may have performed', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([BUSY, BUSY, BUSY, DROPPED])
  for (let attempt = 1; attempt < 3; attempt++) assert.equal((await decide('confirm', order))[0], 'FailedRetryable')
  const late = await stopping.until('before_outcome', 'confirm', order)
  await leaseLapses(order)
  assert.deepEqual(await decide('reconcile', order), ['Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.equal(performed.get(order.number), 1)
  await late.goesOn()
  assert.deepEqual(await seenToItsEnd(order), ['indeterminate', 'executed'])
})

test('a late reconcile changes nothing after another one settled, and says what stands', async (t) => {
  for (const [second, said] of [
    [OK, ['Executed', null]],
    [REFUSED, ['FailedTerminal', 'VALIDATION_ERROR']],
  ] as const) {
    const stopping = await openStopping(t)
    const order = await staged([{ status: 500, performs: false }, { status: 503, performs: false }, second])
    await decide('confirm', order)
    const late = await stopping.until('before_outcome', 'reconcile', order)
    assert.deepEqual(await decide('reconcile', order), said)
    const settled = await record(order)
    assert.deepEqual(await late.goesOn(), said)
    assert.deepEqual(await record(order), settled)
  }
})

const nobodyReadsBack = statement<unknown, [tenantId: number, actionId: string]>(
  'test.nobody_reads_back',
  "update actions set verify_until = now() - interval '1 second' where tenant_id = $1::int and action_id = $2::uuid and verify_until is not null",
)

test('what a dead process executed and did not read back is unverified, once, and handed to a person', async (t) => {
  const dying = await openStopping(t)
  const order = await staged([OK], 'refund_verified')
  await dying.until('after_outcome', 'confirm', order)
  await recoverAll(house.app.house)
  assert.deepEqual((await record(order)).audit, ['proposed', 'executed'], 'not while somebody may still be reading')
  assert.equal(await house.database.database.run(nobodyReadsBack, [shop.tenantId, order.actionId]), 1)
  await recoverAll(house.app.house)
  await recoverAll(house.app.house)
  const { audit, told } = await record(order)
  assert.deepEqual(audit, ['proposed', 'executed', 'unverified'])
  assert.deepEqual(told.slice(-2), ['action.unverified', 'conversation.handoff'])
})
