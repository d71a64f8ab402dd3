// Who asks what became of a write, statement by statement.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { ACTION_STATES } from '@tether/contract'
import { beginReconcile } from './deciding-queries.ts'
import { EMPTY, standing } from './fixtures/asker.ts'
import { found, fresh, type Placed, placed, staysAsItWas } from './fixtures/placed.ts'
import * as settle from './settle-queries.ts'

const reconciling = ({ tenantId, actionId }: Placed, token: string, seconds = 30) =>
  found(
    fresh.database.one(beginReconcile, {
      ...standing(tenantId),
      actionId,
      reconcileToken: token,
      leaseSeconds: seconds,
      sentTo: null,
      sendToNewEndpoint: false,
      byDeployment: false,
    }),
  )

test('one reconcile asks at a time, until it is not believed in any more, and only about what is unknown', async () => {
  for (const state of ACTION_STATES) {
    const at = await placed(state)
    const run = () => reconciling(at, randomUUID())
    if (state !== 'indeterminate') await staysAsItWas(at, run)
    else assert.equal(await run(), true)
    await staysAsItWas(at, run)
  }
  const at = await placed('indeterminate')
  const [first, second] = [randomUUID(), randomUUID()]
  assert.equal(await reconciling(at, first, -1), true)
  assert.equal(await reconciling(at, second), true, 'the first has lapsed')
  await staysAsItWas(at, () => reconciling(at, first))
  await staysAsItWas(at, () => reconciling({ ...at, tenantId: EMPTY }, first))
})

const held = ({ tenantId, actionId, claimToken }: Placed) => ({ tenantId, actionId, claimToken })
const said = { userId: 7, personId: 0, source: 'test', eventId: 'evt_1' }

test('a no counts from whoever asked last, a yes and an end of asking from each for itself', async () => {
  const no = (at: Placed, token: string | null) =>
    found(
      fresh.database.one(settle.fail, {
        ...held(at),
        ...said,
        errorCode: 'CONFLICT',
        message: 'It said no.',
        refused: false,
        reconcileToken: token,
        note: null,
      }),
    )
  const nothing = (at: Placed, token: string | null) =>
    found(
      fresh.database.one(settle.loseContact, {
        ...held(at),
        message: 'No answer.',
        reconcileToken: token,
      }),
    )
  const asked = async (token: string) => {
    const at = await placed('indeterminate')
    assert.equal(await reconciling(at, token, -1), true)
    return at
  }
  const [first, second] = [randomUUID(), randomUUID()]
  const overtaken = await asked(first)
  await staysAsItWas(overtaken, () => no(overtaken, null))
  assert.equal(await reconciling(overtaken, second), true)
  await staysAsItWas(overtaken, () => no(overtaken, first))
  await nothing(overtaken, first)
  await nothing(overtaken, null)
  await staysAsItWas(overtaken, () => reconciling(overtaken, first))
  assert.equal(await no(overtaken, second), true)
  const late = await asked(first)
  assert.equal(await reconciling(late, second), true)
  const yes = { ...held(late), ...said, result: Buffer.from('{}'), verifySeconds: null, note: null }
  assert.ok(
    await found(fresh.database.one(settle.succeed, yes)),
    'what was performed was performed, whoever heard of it',
  )
  const done = await asked(first)
  assert.equal(await nothing(done, first), true)
  await staysAsItWas(done, () => no(done, first))
  assert.equal(await reconciling(done, second), true, 'at once: the first has its answer')
})
