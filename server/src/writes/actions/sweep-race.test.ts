// Between the look of a sweep and the statement that takes what it found, somebody else was quicker: what they wrote stands.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { ActionState } from '@tether/contract'
import { testSettings } from '../../../testkit/house.ts'
import type { Database } from '../../kernel/db/index.ts'
import { openLog } from '../../kernel/log/index.ts'
import { listToRemind, remindAll } from '../reminders/index.ts'
import { claimAction, reject } from './deciding-queries.ts'
import { standing } from './fixtures/asker.ts'
import { fresh, type Given, type Placed, photograph, placed } from './fixtures/placed.ts'
import { recordVerification, release, succeed } from './settle-queries.ts'
import { expireAll, recoverAll } from './sweep.ts'
import { expireLate, listDue, listLapsed, listUnread } from './sweep-queries.ts'

type Case = {
  readonly what: string
  readonly sweepAll: typeof remindAll
  /** The look after which somebody else is quicker. */
  readonly look: { readonly name: string }
  readonly state: ActionState
  readonly given?: Given
  /** What makes the action due besides. */
  readonly due?: (at: Placed) => string
  /** Answers the row that it changed. */
  quicker(at: Placed): Promise<unknown>
}

const BY = { userId: 7, personId: 0, source: 'test', eventId: 'evt_1' }
const halfGone = ({ tenantId, actionId }: Placed) => `
  insert into policies (tenant_id, version, rules) values (${tenantId}, 1, '{"rules": [], "remindAtHalf": true}');
  update actions set created_at = now() - interval '1 hour' where tenant_id = ${tenantId} and action_id = '${actionId}'`
const verifyPassed = ({ tenantId, actionId }: Placed) =>
  `update actions set verify_until = now() - interval '1 second' where tenant_id = ${tenantId} and action_id = '${actionId}'`

const CASES: readonly Case[] = [
  {
    what: 'an expiry by a late confirm',
    sweepAll: expireAll,
    look: listDue,
    state: 'pending',
    given: { late: true },
    quicker: ({ tenantId, actionId }) => fresh.database.one(expireLate, { tenantId, actionId, source: 'test' }),
  },
  {
    what: 'a success that its holder writes late',
    sweepAll: recoverAll,
    look: listLapsed,
    state: 'executing',
    given: { lapsed: true },
    quicker: ({ tenantId, actionId, claimToken }) =>
      fresh.database.one(succeed, {
        ...BY,
        ...{ tenantId, actionId, claimToken },
        result: Buffer.from('{}'),
        verifySeconds: null,
        note: null,
      }),
  },
  {
    what: 'a release by its holder',
    sweepAll: recoverAll,
    look: listLapsed,
    state: 'executing',
    given: { lapsed: true },
    quicker: ({ tenantId, actionId, claimToken }) =>
      fresh.database.one(release, { tenantId, actionId, claimToken, message: 'Busy.' }),
  },
  {
    what: 'a verification',
    sweepAll: recoverAll,
    look: listUnread,
    state: 'executed',
    due: verifyPassed,
    quicker: ({ tenantId, actionId }) =>
      fresh.database.one(recordVerification, {
        ...{ tenantId, actionId, source: 'test' },
        ...{ status: 'verified', reason: 'Is there.', eventId: 'evt_1', handoffId: 'evt_2' },
      }),
  },
  {
    what: 'a confirm',
    sweepAll: remindAll,
    look: listToRemind,
    state: 'pending',
    due: halfGone,
    quicker: ({ tenantId, actionId, claimToken }) =>
      fresh.database.one(claimAction, {
        ...standing(tenantId),
        ...{
          actionId,
          claimToken,
          leaseSeconds: 30,
          sentTo: null,
          userId: 7,
          personId: 0,
          payloadHash: 'the-hash',
          authorityVersion: 1,
        },
      }),
  },
  {
    what: 'a no',
    sweepAll: remindAll,
    look: listToRemind,
    state: 'pending',
    due: halfGone,
    quicker: ({ tenantId, actionId }) =>
      fresh.database.one(reject, { ...BY, tenantId, actionId, reason: null, tellVisitor: false }),
  },
]

const settings = testSettings()
const log = openLog({ level: 'silent', format: 'json', stream: { write: () => {} } })

/** The same database, where something happens as soon as the look has answered. */
const after = (look: Case['look'], act: () => Promise<void>): Database => ({
  ...fresh.database,
  async rows(statement, ...values) {
    const found = await fresh.database.rows(statement, ...values)
    if (statement.name === look.name && found.length > 0) await act()
    return found
  },
})

for (const { what, sweepAll, look, state, given, due, quicker } of CASES) {
  test(`${what}, after ${look.name} found it, stands; what else was found is taken`, async () => {
    const [contested, other] = [await placed(state, given), await placed(state, given)]
    if (due !== undefined) for (const at of [contested, other]) await fresh.database.script(due(at))
    const pictured = async ({ tenantId }: Placed) => (await fresh.database.one(photograph, { tenantId }))?.everything
    const before = await pictured(other)
    let decided: string | undefined
    const db = after(look, async () => {
      assert.notEqual(await quicker(contested), undefined)
      decided = await pictured(contested)
    })
    assert.equal(await sweepAll({ db, log, settings }), 1)
    assert.notEqual(decided, undefined, 'the look found it')
    assert.equal(await pictured(contested), decided)
    assert.notEqual(await pictured(other), before)
  })
}
