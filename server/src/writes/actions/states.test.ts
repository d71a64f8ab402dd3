// The total table against the SQL: each statement that changes a state, run on an action in each state.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { ACTION_STATES, type ActionState } from '@tether/contract'
import { allStatements, statement } from '../../kernel/db/index.ts'
import * as deciding from './deciding-queries.ts'
import { EMPTY, OTHERWISE, standing } from './fixtures/asker.ts'
import { found, fresh, type Given, type Placed, photograph, placed, staysAsItWas, written } from './fixtures/placed.ts'
import * as queries from './queries.ts'
import * as settle from './settle-queries.ts'
import { NEXT, TRANSITIONS, type Transition } from './states.ts'
import * as sweep from './sweep-queries.ts'

type Where = Pick<Placed, 'tenantId' | 'actionId'> & { readonly claimToken: string | null }

type Moved = { readonly row?: object; readonly audit?: unknown[]; readonly announced?: string[] }
type Mover = {
  readonly statement: string
  readonly transition: Transition
  /** What must be true besides the state. */
  readonly given?: Given
  /** True when the statement says that it moved something. */
  run(at: Where, more?: { payloadHash?: string } & Partial<deciding.Standing>): Promise<boolean>
  readonly leaves: Moved
}

const BODY = Buffer.from('{"done":true}')
const FREED = { claim_token: null, lease_until: null, reconcile_token: null, reconciling_until: null }

const claim: Mover = {
  statement: 'actions.claim',
  transition: 'claim',
  run: ({ tenantId, actionId }, { payloadHash = 'the-hash', ...more } = {}) =>
    found(
      fresh.database.one(deciding.claimAction, {
        ...standing(tenantId),
        ...more,
        actionId,
        claimToken: randomUUID(),
        leaseSeconds: 30,
        sentTo: null,
        userId: 7,
        personId: 0,
        payloadHash,
      }),
    ),
  leaves: { row: { attempts: 2, confirmed_by_user_id: 7 } },
}
const succeed: Mover = {
  statement: 'actions.succeed',
  transition: 'succeed',
  run: ({ tenantId, actionId, claimToken }) =>
    found(
      fresh.database.one(settle.succeed, {
        tenantId,
        actionId,
        claimToken,
        userId: 7,
        personId: 0,
        source: 'test',
        eventId: 'evt_1',
        result: BODY,
        verifySeconds: null,
        note: null,
      }),
    ),
  leaves: {
    row: { ...FREED, result: `\\x${BODY.toString('hex')}`, error_code: null },
    audit: [['executed', 7, null]],
    announced: ['action.executed'],
  },
}
const failing = (refused: boolean, leaves: Moved): Mover => ({
  statement: 'actions.fail',
  transition: 'fail',
  run: ({ tenantId, actionId, claimToken }) =>
    found(
      fresh.database.one(settle.fail, {
        tenantId,
        actionId,
        claimToken,
        userId: 7,
        personId: 0,
        source: 'test',
        eventId: 'evt_1',
        errorCode: 'CONFLICT',
        message: 'It said no.',
        refused,
        reconcileToken: null,
        note: null,
      }),
    ),
  leaves: { ...leaves, row: { ...FREED, result: null, error_code: 'CONFLICT', error_message: 'It said no.' } },
})
const fail = failing(false, { audit: [['failed', 7, null]] })
const refuse = failing(true, {
  audit: [['provider_refused', 7, 'It said no.']],
  announced: ['action.provider_refused'],
})
const release: Mover = {
  statement: 'actions.release',
  transition: 'release',
  run: ({ tenantId, actionId, claimToken }) =>
    found(fresh.database.one(settle.release, { tenantId, actionId, claimToken: claimToken ?? '', message: 'Busy.' })),
  leaves: { row: { ...FREED, attempts: 1, settled_at: null, error_code: 'EXECUTION_FAILED_RETRYABLE' } },
}
const exhaust: Mover = {
  statement: 'actions.exhaust',
  transition: 'exhaust',
  run: ({ tenantId, actionId, claimToken }) =>
    found(
      fresh.database.one(settle.exhaust, {
        tenantId,
        actionId,
        claimToken: claimToken ?? '',
        userId: 7,
        personId: 0,
        source: 'test',
        message: 'Busy.',
      }),
    ),
  leaves: {
    row: { ...FREED, result: null, error_code: 'EXECUTION_ATTEMPTS_EXHAUSTED', error_message: 'Busy.' },
    audit: [['failed', 7, null]],
  },
}
const loseContact: Mover = {
  statement: 'actions.lose_contact',
  transition: 'lose_contact',
  run: ({ tenantId, actionId, claimToken }) =>
    found(
      fresh.database.one(settle.loseContact, {
        tenantId,
        actionId,
        claimToken,
        message: 'No answer.',
        reconcileToken: null,
      }),
    ),
  leaves: { row: { lease_until: null, settled_at: null, error_code: 'EXECUTION_INDETERMINATE' } },
}
const placeOf = ({ tenantId, actionId }: Where) => ({ tenantId, actionId })
const BY = { userId: 7, personId: 0, source: 'test', eventId: 'evt_1' }
const reject: Mover = {
  statement: 'actions.reject',
  transition: 'reject',
  run: (at) => found(fresh.database.one(deciding.reject, { ...BY, ...placeOf(at), reason: 'No.', tellVisitor: false })),
  leaves: { row: { error_message: 'No.' }, audit: [['rejected', 7, 'No.']], announced: ['action.rejected'] },
}
const withdraw: Mover = {
  statement: 'actions.withdraw',
  transition: 'reject',
  run: (at) =>
    found(fresh.database.one(deciding.withdraw, { ...BY, ...placeOf(at), sessionId: 'ses_placed', reason: 'Mine.' })),
  leaves: {
    row: { error_message: 'Mine.', tell_visitor: true },
    audit: [['rejected', 7, 'Mine.']],
    announced: ['action.rejected'],
  },
}
const breaks: Mover = {
  statement: 'actions.break',
  transition: 'break',
  run: ({ tenantId, actionId }, more = {}) =>
    found(
      fresh.database.one(deciding.breakPrecondition, {
        ...standing(tenantId),
        ...more,
        actionId,
        userId: 7,
        personId: 0,
        source: 'test',
        eventId: 'evt_1',
        reason: 'Not paid.',
      }),
    ),
  leaves: { audit: [['precondition_failed', 7, 'Not paid.']], announced: ['action.precondition_failed'] },
}
const EXPIRED: Moved = { audit: [['expired', 0, null]], announced: ['action.expired'] }
const expire: Mover = {
  statement: 'actions.expire',
  transition: 'expire',
  given: { late: true },
  run: async ({ tenantId, actionId }) =>
    (await fresh.database.one(sweep.expireDue, { tenantIds: [tenantId], ids: [actionId], source: 'test' }))?.taken ===
    1,
  leaves: EXPIRED,
}
const expireLate: Mover = {
  ...expire,
  statement: 'actions.expire_late',
  run: async ({ tenantId, actionId }) =>
    (await fresh.database.one(sweep.expireLate, { tenantId, actionId, source: 'test' }))?.taken === 1,
}
const recover: Mover = {
  statement: 'actions.recover',
  transition: 'lose_contact',
  given: { lapsed: true },
  run: async ({ tenantId, actionId }) =>
    (await fresh.database.one(sweep.recoverLapsed, { tenantIds: [tenantId], ids: [actionId] }))?.taken === 1,
  leaves: { row: { lease_until: null, settled_at: null, error_code: 'EXECUTION_INDETERMINATE' } },
}
const MOVERS = [
  claim,
  succeed,
  fail,
  refuse,
  release,
  exhaust,
  loseContact,
  reject,
  withdraw,
  breaks,
  expire,
  expireLate,
  recover,
]

/** The sweep of dead processes looks for `executing` alone: what is indeterminate already has no lease. */
const nextOf = ({ statement, transition }: Mover, state: ActionState): ActionState | null =>
  statement === 'actions.recover' && state !== 'executing' ? null : NEXT[state][transition]

for (const mover of MOVERS) {
  const { statement: name, transition, given = {}, leaves } = mover
  const what = `${name}${mover === refuse ? ' as a refusal' : ''}`
  test(`${what} moves what the table says that "${transition}" moves, and nothing else`, async (t) => {
    for (const state of ACTION_STATES) {
      await t.test(`${state} → ${nextOf(mover, state) ?? 'no change'}`, async () => {
        const at = await placed(state, given)
        const next = nextOf(mover, state)
        if (next === null) return await staysAsItWas(at, () => mover.run(at))
        assert.equal(await mover.run(at), true)
        const { row } =
          (await fresh.database.one(photograph, { tenantId: at.tenantId })) ?? assert.fail('the row is gone')
        assert.equal(row.state, next)
        assert.partialDeepStrictEqual(row, leaves.row ?? {})
        const { audit = [], announced = [] } = leaves
        assert.deepEqual(await fresh.database.one(written, { tenantId: at.tenantId }), { audit, announced })
        assert.equal(row.settled_at !== null, isEnd(next), 'settled_at stands exactly where nothing more can happen')
      })
    }
  })
}

const isEnd = (state: ActionState): boolean => TRANSITIONS.every((transition) => NEXT[state][transition] === null)

test('a statement whose other conditions do not hold changes nothing in any state', async (t) => {
  const nobody = { tenantId: EMPTY, claimToken: randomUUID() }
  const cases: [what: string, given: Given, run: (at: Placed) => Promise<boolean>][] = [
    ['a claim after the window', { late: true }, (at) => claim.run(at)],
    ['a claim of another payload', {}, (at) => claim.run(at, { payloadHash: 'another' })],
    ['a no after the window', { late: true }, (at) => reject.run(at)],
    ['a broken precondition after the window', { late: true }, (at) => breaks.run(at)],
    ['an expiry before the window ends', {}, (at) => expire.run(at)],
    ['a recovery before the lease lapses', {}, (at) => recover.run(at)],
  ]
  for (const mover of [claim, breaks]) {
    for (const [what, more] of OTHERWISE)
      cases.push([`${mover.statement} under ${what}`, {}, (at) => mover.run(at, more)])
  }
  for (const mover of [succeed, fail, refuse, release, exhaust, loseContact]) {
    const holder = `${mover.statement} by the holder of`
    cases.push([`${holder} another claim`, {}, (at) => mover.run({ ...at, claimToken: nobody.claimToken })])
    if (mover !== release && mover !== exhaust)
      cases.push([`${holder} no claim`, {}, (at) => mover.run({ ...at, claimToken: null })])
  }
  for (const mover of MOVERS) {
    const run = (at: Placed) => mover.run({ ...at, tenantId: nobody.tenantId })
    cases.push([`${mover.statement} by another tenant`, mover.given ?? {}, run])
  }
  for (const [what, given, run] of cases) {
    await t.test(what, async () => {
      for (const state of ACTION_STATES) {
        const at = await placed(state, given)
        await staysAsItWas(at, () => run(at))
      }
    })
  }
})

test('an outcome is read back once, and only of what was executed', async () => {
  const verify = ({ tenantId, actionId }: Placed) =>
    found(
      fresh.database.one(settle.recordVerification, {
        tenantId,
        actionId,
        status: 'verified',
        reason: 'Is there.',
        eventId: 'e1',
        handoffId: 'e2',
        source: 'test',
      }),
    )
  for (const state of ACTION_STATES) {
    const at = await placed(state)
    if (state === 'executed') {
      assert.equal(await verify(at), true)
      assert.deepEqual(await fresh.database.one(written, { tenantId: at.tenantId }), {
        audit: [['verified', 0, 'Is there.']],
        announced: ['action.verified'],
      })
    }
    await staysAsItWas(at, () => verify(at))
  }
})

const believedNoMore = statement<unknown, { tenantId: number }>(
  'test.believed_no_more',
  `update actions set verify_until = now() - interval '1 second' where tenant_id = $tenantId::int`,
)

test('what nobody read back in time is unverified, once, and only of what was executed', async () => {
  for (const state of ACTION_STATES) {
    const at = await placed(state)
    const { tenantId, actionId } = at
    const these = { tenantIds: [tenantId], ids: [actionId], reason: 'Nobody looked.' }
    const giveUp = async () => (await fresh.database.one(sweep.giveUpVerifying, these))?.taken === 1
    await staysAsItWas(at, giveUp)
    await fresh.database.run(believedNoMore, { tenantId: at.tenantId })
    if (state === 'executed') {
      assert.equal(await giveUp(), true)
      assert.deepEqual(await fresh.database.one(written, { tenantId: at.tenantId }), {
        audit: [['unverified', 0, 'Nobody looked.']],
        announced: ['action.unverified', 'conversation.handoff'],
      })
    }
    await staysAsItWas(at, giveUp)
  }
})

test('a yes is written down once per person, and only while it can still matter', async () => {
  const approve = async ({ tenantId, actionId }: Placed, payloadHash = 'the-hash', underPolicy = true) =>
    (
      await fresh.database.one(queries.recordApproval, {
        tenantId,
        actionId,
        userId: 7,
        personId: 0,
        payloadHash,
        underPolicy,
        source: 'test',
        eventId: 'evt_1',
      })
    )?.received === true
  for (const late of [false, true]) {
    for (const state of ACTION_STATES) {
      const at = await placed(state, { late })
      await staysAsItWas(at, () => approve(at, 'another'))
      if (state === 'executing' || (state === 'pending' && !late)) {
        assert.equal(await approve(at, 'the-hash', false), true)
        await staysAsItWas(at, () => approve(at, 'the-hash', false))
        assert.equal(await approve(at), true, 'a policy has come since, and the yes is given under it')
        assert.deepEqual(await fresh.database.one(written, { tenantId: at.tenantId }), {
          audit: [
            ['approved', 7, null],
            ['approved', 7, null],
          ],
          announced: ['action.approved'],
        })
      }
      await staysAsItWas(at, () => approve(at, 'the-hash', false))
      await staysAsItWas(at, () => approve(at))
    }
  }
})

// Written out once more, because the SQL takes its guards from the table: together they could be wrong and agree.
const ARROWS = [
  'pending claim executing',
  'pending reject rejected',
  'pending expire expired',
  'pending break precondition_failed',
  'executing succeed executed',
  'executing fail failed',
  'executing release pending',
  'executing exhaust failed',
  'executing lose_contact indeterminate',
  'indeterminate succeed executed',
  'indeterminate fail failed',
  'indeterminate lose_contact indeterminate',
]

test('the table has the arrows of the specification and no other', () => {
  const arrows = ACTION_STATES.flatMap((state) =>
    TRANSITIONS.filter((transition) => NEXT[state][transition] !== null).map(
      (transition) => `${state} ${transition} ${NEXT[state][transition]}`,
    ),
  )
  assert.deepEqual(arrows.sort(), [...ARROWS].sort())
})

test('every statement that changes a state is in this test, and every transition has one', () => {
  const setsState = /update\s+actions\b(?:\s+\w+)?\s+set\s(?:(?!\bwhere\b)[^;])*?\bstate\s*=/
  const changing = allStatements().filter(({ name, text }) => !name.startsWith('test.') && setsState.test(text))
  const names = (list: readonly string[]) => [...new Set(list)].sort()
  assert.deepEqual(names(changing.map(({ name }) => name)), names(MOVERS.map(({ statement: name }) => name)))
  assert.deepEqual(names(MOVERS.map(({ transition }) => transition)), names(TRANSITIONS))
})
