// A process dies at every moment that matters, against every class of answer.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { ActionState } from '@tether/contract'
import {
  ANSWERS,
  type AnswerClass,
  assertNothingMoves,
  decide,
  isEnd,
  keys,
  leaseLapses,
  openStopping,
  performed,
  record,
  seenToItsEnd,
  sends,
  staged,
} from './fixtures/stopping.ts'
import { FAULT_POINTS, type FaultPoint } from './index.ts'

/** Where a dead process leaves what it was confirming, once its lease has lapsed; undefined: as its answer settled it. */
const AFTER_DEATH: Record<FaultPoint, ActionState | undefined> = {
  before_claim: 'pending',
  after_claim: 'indeterminate',
  before_send: 'indeterminate',
  before_outcome: 'indeterminate',
  after_outcome: undefined,
  after_verify: undefined,
}
const HAS_SENT: readonly FaultPoint[] = ['before_outcome', 'after_outcome', 'after_verify']

type Verb = 'confirm' | 'reconcile'

/** The same by the specification. A reconcile that dies leaves what was unknown unknown, until its own outcome is written. */
function expectedStates(verb: Verb, point: FaultPoint, answer: AnswerClass): ActionState[] {
  const left = AFTER_DEATH[point]
  const states = [left === undefined ? answer[verb] : verb === 'reconcile' ? 'indeterminate' : left]
  for (let sent = HAS_SENT.includes(point) ? 1 : 0; ; sent++) {
    const state = states.at(-1)
    if (state === undefined || isEnd(state)) return states
    if (sent > 0) states.push(answer.status === 422 ? 'failed' : 'executed')
    else states.push(state === 'pending' ? answer.confirm : answer.reconcile)
  }
}

const LOST = ANSWERS['a reset'] ?? assert.fail()

for (const verb of ['confirm', 'reconcile'] as const) {
  // What is reconciled was sent once, and nothing is known of it.
  const sentBefore = verb === 'confirm' ? 0 : 1
  const title = `a process that dies anywhere in a ${verb} leaves what the specification says, and nothing happens twice`
  test(title, { concurrency: true }, async (t) => {
    const atPoint = (point: FaultPoint) => async (t: TestContext) => {
      const dying = await openStopping(t)
      for (const [name, answer] of Object.entries(ANSWERS)) {
        await t.test(`it dies at ${point}, the endpoint answers ${name}`, async () => {
          const order = await staged(sentBefore === 0 ? [answer] : [LOST, answer])
          if (sentBefore > 0) await decide('confirm', order)
          await dying.until(point, verb, order)
          assert.equal(sends.get(order.number) ?? 0, sentBefore + (HAS_SENT.includes(point) ? 1 : 0))
          await leaseLapses(order)
          const expected = expectedStates(verb, point, answer)
          assert.deepEqual(await seenToItsEnd(order), expected)
          const executed = expected.at(-1) === 'executed'
          assert.equal(performed.get(order.number) ?? 0, executed ? 1 : 0)
          assert.equal(keys.get(order.number)?.size, 1, 'every request carried the same key')
          const end = await record(order)
          assert.deepEqual(end.audit, ['proposed', 'approved', executed ? 'executed' : 'failed'])
          assert.deepEqual(end.announced, executed ? ['action.pending', 'action.executed'] : ['action.pending'])
          await assertNothingMoves(order)
        })
      }
    }
    await Promise.all(FAULT_POINTS.map((point) => t.test(point, atPoint(point))))
  })
}
