// A late writer was thought dead: its lease lapsed, the sweep took its action, and then it goes on. And whoever lost a race.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { statement } from '../../kernel/db/index.ts'
import {
  ANSWERS,
  type Answered,
  assertNothingMoves,
  decide,
  holdNextRead,
  keys,
  leaseLapses,
  type Order,
  openStopping,
  performed,
  record,
  seenToItsEnd,
  sends,
  set,
  staged,
  stateOf,
} from './fixtures/stopping.ts'
import { type FaultPoint, recoverAll } from './index.ts'

const OK = ANSWERS['200'] ?? assert.fail()
const REFUSED = ANSWERS['422'] ?? assert.fail()
const BUSY = ANSWERS['429'] ?? assert.fail()
const DROPPED = ANSWERS['a reset after performing'] ?? assert.fail()

async function overslept(t: TestContext, answers: readonly Answered[], point: FaultPoint = 'before_outcome') {
  const stopping = await openStopping(t)
  const order = await staged(answers)
  const late = await stopping.until(point, 'confirm', order)
  await leaseLapses(order)
  assert.equal(await stateOf(order), 'indeterminate')
  return { order, late }
}

test('a late writer settles its own claim once: what it heard is what happened', async (t) => {
  for (const [answer, said, state, announced] of [
    [OK, ['Executed', null], 'executed', ['action.pending', 'action.executed']],
    [REFUSED, ['FailedTerminal', 'VALIDATION_ERROR'], 'failed', ['action.pending']],
  ] as const) {
    const { order, late } = await overslept(t, [answer])
    assert.deepEqual(await late.goesOn(), said)
    const settled = await record(order)
    assert.deepEqual(
      [settled.state, settled.audit, settled.announced],
      [state, ['proposed', 'approved', state], announced],
    )
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
    await leaseLapses(order)
    assert.deepEqual(await decide('reconcile', order), said)
    const settled = await record(order)
    assert.deepEqual(await late.goesOn(), said)
    assert.deepEqual(await record(order), settled)
  }
})

test('of two reconciles at once one asks the endpoint, and the other hears that it is being asked', async (t) => {
  const stopping = await openStopping(t)
  for (const point of ['after_claim', 'before_send', 'before_outcome'] as const) {
    const order = await staged([DROPPED])
    await decide('confirm', order)
    const asking = await stopping.until(point, 'reconcile', order)
    const sent = sends.get(order.number)
    assert.deepEqual(await decide('reconcile', order), ['Conflict', 'ACTION_ALREADY_IN_PROGRESS'], point)
    assert.equal(sends.get(order.number), sent, 'nothing was called')
    assert.deepEqual(await asking.goesOn(), ['Executed', null], point)
    await assertNothingMoves(order)
  }
  const many = await staged([DROPPED])
  await decide('confirm', many)
  const said = await Promise.all(Array.from({ length: 5 }, (_, index) => decide('reconcile', many, set.house, index)))
  assert.equal(said.filter(([status]) => status === 'Executed').length, 1)
  assert.ok(said.every(([status]) => status === 'Executed' || status === 'Conflict'))
  assert.equal(sends.get(many.number), 2)
})

test('a reconcile that heard nothing lets the next one ask at once; one whose process died, when its lease is over', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([DROPPED, DROPPED, DROPPED])
  await decide('confirm', order)
  assert.deepEqual(await decide('reconcile', order), ['Indeterminate', 'EXECUTION_INDETERMINATE'])
  await stopping.until('before_send', 'reconcile', order)
  assert.deepEqual(await decide('reconcile', order), ['Conflict', 'ACTION_ALREADY_IN_PROGRESS'])
  await leaseLapses(order)
  assert.deepEqual(await decide('reconcile', order), ['Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.deepEqual(await decide('reconcile', order), ['Executed', null])
  assert.equal(performed.get(order.number), 1)
})

test('a no that was heard before another one asked settles nothing while that one asks', async (t) => {
  const stopping = await openStopping(t)
  const unsaid = { status: 500, performs: false }
  for (const verb of ['confirm', 'reconcile']) {
    // An endpoint that forgets its refusals: the second one performs.
    const order = await staged(verb === 'confirm' ? [REFUSED, OK] : [unsaid, REFUSED, OK])
    if (verb === 'reconcile') await decide('confirm', order)
    const late = await stopping.until('before_outcome', verb, order)
    await leaseLapses(order)
    const other = await openStopping(t)
    const asking = await other.until('before_outcome', 'reconcile', order)
    assert.deepEqual(await late.goesOn(), ['Indeterminate', 'EXECUTION_INDETERMINATE'], verb)
    assert.deepEqual(await asking.goesOn(), ['Executed', null], verb)
    assert.deepEqual([await stateOf(order), performed.get(order.number)], ['executed', 1])
  }
})

const nobodyReadsBack = statement<unknown, { tenantId: number; actionId: string }>(
  'test.nobody_reads_back',
  `update actions set verify_until = now() - interval '1 second'
    where tenant_id = $tenantId::int and action_id = $actionId::uuid and verify_until is not null`,
)

test('what a dead process executed and did not read back is unverified, once, and handed to a person', async (t) => {
  const dying = await openStopping(t)
  const order = await staged([OK], 'refund_verified')
  await dying.until('after_outcome', 'confirm', order)
  await recoverAll(set.house.app.house)
  assert.deepEqual(
    (await record(order)).audit,
    ['proposed', 'approved', 'executed'],
    'not while somebody may still be reading',
  )
  assert.equal(
    await set.house.database.database.run(nobodyReadsBack, {
      tenantId: order.tenant.tenantId,
      actionId: order.actionId,
    }),
    1,
  )
  await recoverAll(set.house.app.house)
  await recoverAll(set.house.app.house)
  const { audit, announced } = await record(order)
  assert.deepEqual(audit, ['proposed', 'approved', 'executed', 'unverified'])
  assert.deepEqual(announced.slice(-2), ['action.unverified', 'conversation.handoff'])
})

// Under a policy: whose yes another confirm has overtaken.
const approvalsOf = statement<{ event: string }, { tenantId: number; actionId: string }>(
  'fault.approvals_of',
  `select event || ' ' || user_id as event from audit_events
    where tenant_id = $tenantId::int and action_id = $actionId::uuid order by id`,
)
const approvals = async ({ tenant, actionId }: Order): Promise<string[]> =>
  (await set.house.database.database.rows(approvalsOf, { tenantId: tenant.tenantId, actionId })).map(
    ({ event }) => event,
  )

test('a person whose two confirms were overtaken is superseded once', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([OK], 'refund_order', set.strict)
  const overtaken = [
    await stopping.until('before_claim', 'confirm', order, 2),
    await stopping.until('before_claim', 'confirm', order, 2),
  ]
  assert.deepEqual(await decide('confirm', order), ['Executed', null])
  for (const { goesOn } of overtaken) assert.deepEqual(await goesOn(), ['Conflict', 'ACTION_ALREADY_IN_PROGRESS'])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 2', 'approved 1', 'executed 1', 'superseded 2'])
})

test('a person whose two confirms race does not supersede themselves', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([OK], 'refund_order', set.strict)
  const second = await stopping.until('before_claim', 'confirm', order)
  const first = await stopping.until('before_outcome', 'confirm', order)
  assert.deepEqual(await second.goesOn(), ['Conflict', 'ACTION_ALREADY_IN_PROGRESS'])
  assert.deepEqual(await first.goesOn(), ['Executed', null])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 1', 'executed 1'])
})

test('a yes that lost to an indeterminate execution is superseded when that one is settled', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([DROPPED], 'refund_order', set.strict)
  const overtaken = await stopping.until('before_claim', 'confirm', order, 2)
  assert.deepEqual(await decide('confirm', order), ['Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.deepEqual(await overtaken.goesOn(), ['NotFound', 'PENDING_ACTION_NOT_FOUND'])
  assert.deepEqual(await decide('reconcile', order), ['Executed', null])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 2', 'approved 1', 'executed 1', 'superseded 2'])
})

test('a yes whose precondition the winner has changed is superseded too', async () => {
  const order = await staged([OK], 'refund_paid', set.strict)
  const read = holdNextRead(order.number)
  const overtaken = decide('confirm', order, set.house, 2)
  await read.arrived
  assert.deepEqual(await decide('confirm', order), ['Executed', null])
  read.letGo()
  assert.deepEqual(await overtaken, ['Conflict', 'ACTION_ALREADY_IN_PROGRESS'])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 2', 'approved 1', 'executed 1', 'superseded 2'])
})

test('a policy that changes under a yes has it asked again, and nobody is superseded', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([OK], 'refund_order', set.strict)
  const late = await stopping.until('before_claim', 'confirm', order)
  await set.house.ask('PUT', '/v1/policy', { key: set.strict.apiKey, body: { rules: [{ roles: ['manager'] }] } })
  assert.deepEqual(await late.goesOn(), ['Conflict', 'CONFLICT'])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 1'])
  assert.deepEqual(await decide('confirm', order), ['Executed', null])
})

test('whoever approved and is somebody else by the time of the claim, approves nothing', async (t) => {
  const stopping = await openStopping(t)
  const put = (path: string, body: unknown) => set.house.ask('PUT', path, { key: set.strict.apiKey, body })
  const person = (userId: number, more: object) => put('/v1/users', [{ userId, ...more }])
  await put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  t.after(() => put('/v1/policy', { rules: [{ roles: ['manager'] }] }))
  for (const [userId, more, said] of [
    [2, { active: false }, ['AwaitingApprovers', 'awaiting_approvers']],
    [2, { role: 'clerk' }, ['AwaitingApprovers', 'awaiting_approvers']],
    [1, { active: false }, ['ApproverUnknown', 'approver_unknown']],
  ] as const) {
    const order = await staged([OK], 'refund_order', set.strict)
    await decide('confirm', order, set.house, 2)
    const late = await stopping.until('before_claim', 'confirm', order)
    await person(userId, more)
    assert.deepEqual(await late.goesOn(), said)
    assert.equal(sends.get(order.number), undefined, 'nothing was sent')
    await person(userId, { active: true, role: 'manager' })
    assert.deepEqual(await decide('confirm', order), ['Executed', null])
  }
})

test('a yes that came too late for a rejected action is not superseded: nobody had claimed it', async (t) => {
  const stopping = await openStopping(t)
  const order = await staged([OK], 'refund_order', set.strict)
  const late = await stopping.until('before_claim', 'confirm', order)
  assert.deepEqual(await decide('reject', order, set.house, 2), ['Rejected', 'action_rejected'])
  assert.deepEqual(await late.goesOn(), ['Rejected', 'action_rejected'])
  assert.deepEqual(await approvals(order), ['proposed 0', 'approved 1', 'rejected 2'])
})
