import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  type Approver,
  type GivenApproval,
  type JudgedAction,
  judgeApprover,
  judgeRejecter,
  judgeWitness,
  type People,
  type RegisteredPerson,
} from './judge.ts'
import type { Policy } from './policy.ts'

const [ANA, BEKA, CIRA, DATO, GONE, STRANGER] = [1, 2, 3, 4, 5, 99]
/** Their id here, which is never the userId of anyone. */
const idOf = (userId: number | null): number => (userId === STRANGER || !userId ? 0 : 1_000 + userId)

const registered: readonly RegisteredPerson[] = [
  { id: idOf(ANA), userId: ANA, role: 'manager', active: true },
  { id: idOf(BEKA), userId: BEKA, role: 'manager', active: true },
  { id: idOf(CIRA), userId: CIRA, role: 'member', active: true },
  { id: idOf(DATO), userId: DATO, role: 'owner', active: true },
  { id: idOf(GONE), userId: GONE, role: 'manager', active: false },
]
const peopleOf = (list: readonly RegisteredPerson[]): People => ({
  any: list.length > 0,
  byId: new Map(list.map((person) => [person.id, person])),
})
const people = peopleOf(registered)
const nobody = peopleOf([])

const policy = (more: Partial<Policy> = {}): Policy => ({
  rules: [{ tools: ['refund_order'], roles: ['manager', 'owner'] }],
  requesterMayApprove: true,
  customerSelfConfirm: false,
  remindAtHalf: false,
  ...more,
})
const action: JudgedAction = {
  tool: 'refund_order',
  domain: 'orders',
  risk: 'low',
  value: null,
  requesters: [],
  payloadHash: 'aa',
}
const other = { ...action, tool: 'cancel_order' }
const strict = policy({ requesterMayApprove: false })
const key = (userId: number | null): Approver => ({ by: 'key', userId, personId: idOf(userId) })
const token = (userId: number | null): Approver => ({ by: 'token', userId, personId: idOf(userId) })

type Case = [
  name: string,
  given: { policy: Policy | null; users: People; approver: Approver; action?: JudgedAction },
  /** The person who approves, or the status of the refusal. */
  expected: number | 'ApproverUnknown' | 'ApprovalForbidden',
  /** What the refusal tells to do. */
  says?: RegExp,
]

const matrix: readonly Case[] = [
  ['neither: a stated id', { policy: null, users: nobody, approver: key(STRANGER) }, STRANGER],
  [
    'neither: nobody, by key',
    { policy: null, users: nobody, approver: key(null) },
    'ApproverUnknown',
    /X-Service-User-Id/,
  ],
  ['neither: an unbound token', { policy: null, users: nobody, approver: token(null) }, 0],
  ['neither: a bound token', { policy: null, users: nobody, approver: token(ANA) }, ANA],

  ['users alone: a stranger', { policy: null, users: people, approver: key(STRANGER) }, STRANGER],
  ['users alone: somebody inactive', { policy: null, users: people, approver: key(GONE) }, GONE],
  [
    'users alone: nobody, by key',
    { policy: null, users: people, approver: key(null) },
    'ApproverUnknown',
    /X-Service-User-Id/,
  ],
  ['users alone: an unbound token', { policy: null, users: people, approver: token(null) }, 0],

  [
    'policy alone: a stated id',
    { policy: policy(), users: nobody, approver: key(ANA) },
    'ApproverUnknown',
    /PUT \/v1\/users/,
  ],
  [
    'policy alone: a bound token',
    { policy: policy(), users: nobody, approver: token(ANA) },
    'ApproverUnknown',
    /PUT \/v1\/users/,
  ],
  [
    'policy alone: an unbound token',
    { policy: policy(), users: nobody, approver: token(null) },
    'ApproverUnknown',
    /PUT \/v1\/users/,
  ],
  [
    'policy alone, without rules',
    { policy: policy({ rules: [] }), users: nobody, approver: key(ANA) },
    'ApproverUnknown',
  ],

  ['both: an allowed role', { policy: policy(), users: people, approver: key(ANA) }, ANA],
  ['both: the other allowed role', { policy: policy(), users: people, approver: key(DATO) }, DATO],
  [
    'both: another role',
    { policy: policy(), users: people, approver: key(CIRA) },
    'ApprovalForbidden',
    /"member".*manager, owner/,
  ],
  [
    'both: a stranger',
    { policy: policy(), users: people, approver: key(STRANGER) },
    'ApproverUnknown',
    /not registered/,
  ],
  [
    'both: somebody inactive',
    { policy: policy(), users: people, approver: key(GONE) },
    'ApproverUnknown',
    /not active/,
  ],
  ['both: nobody', { policy: policy(), users: people, approver: key(null) }, 'ApproverUnknown', /X-Service-User-Id/],
  [
    'both: an unbound token',
    { policy: policy(), users: people, approver: token(null) },
    'ApproverUnknown',
    /approverUserId/,
  ],
  ['both: a bound token', { policy: policy(), users: people, approver: token(ANA) }, ANA],
  [
    'both: a token bound to a stranger',
    { policy: policy(), users: people, approver: token(STRANGER) },
    'ApproverUnknown',
  ],
  [
    'both: a token bound to another role',
    { policy: policy(), users: people, approver: token(CIRA) },
    'ApprovalForbidden',
  ],
  ['both: no rule matches', { policy: policy(), users: people, approver: key(CIRA), action: other }, CIRA],
  [
    'both: no rule matches, inactive',
    { policy: policy(), users: people, approver: key(GONE), action: other },
    'ApproverUnknown',
  ],

  [
    'requester may',
    { policy: policy(), users: people, approver: key(ANA), action: { ...action, requesters: [-idOf(ANA)] } },
    ANA,
  ],
  [
    'requester may not',
    { policy: strict, users: people, approver: key(ANA), action: { ...action, requesters: [-idOf(ANA)] } },
    'ApprovalForbidden',
    /asked for this write/,
  ],
  [
    'requester may not, by token',
    { policy: strict, users: people, approver: token(ANA), action: { ...action, requesters: [-idOf(ANA)] } },
    'ApprovalForbidden',
  ],
  [
    'requester may not, without a rule',
    { policy: strict, users: people, approver: key(CIRA), action: { ...other, requesters: [-idOf(CIRA)] } },
    'ApprovalForbidden',
  ],
  [
    'requester may not, another may',
    { policy: strict, users: people, approver: key(BEKA), action: { ...action, requesters: [-idOf(ANA)] } },
    BEKA,
  ],
  [
    'requester may not, whom only a userId names',
    { policy: strict, users: people, approver: key(ANA), action: { ...action, requesters: [ANA] } },
    'ApprovalForbidden',
  ],
  [
    'requester may not, another person has their userId now',
    { policy: strict, users: people, approver: key(ANA), action: { ...action, requesters: [-77] } },
    ANA,
  ],
  ['requester unknown', { policy: strict, users: people, approver: key(ANA) }, ANA],
]

for (const [name, given, expected, says] of matrix) {
  test(`confirm, ${name}`, () => {
    const judged = judgeApprover({ alreadyApproved: [], action, ...given })
    if (typeof expected === 'number') {
      const underPolicy = given.policy !== null
      const personId = given.users.any ? idOf(expected) : given.approver.personId
      assert.deepEqual(judged, { ok: true, userId: expected, personId, underPolicy, required: 1, received: 1 })
      return
    }
    assert.ok(!judged.ok)
    assert.equal(judged.status, expected)
    assert.match(judged.message, says ?? /./)
  })
}

const rejections: readonly [string, Policy | null, People, Approver, number | string][] = [
  ['neither: nobody', null, nobody, key(null), 0],
  ['neither: a stated id', null, nobody, key(ANA), ANA],
  ['users alone: a stranger', null, people, key(STRANGER), STRANGER],
  ['policy alone', policy(), nobody, key(ANA), 'ApproverUnknown'],
  ['both: a role that may not approve', policy(), people, key(CIRA), CIRA],
  ['both: inactive', policy(), people, key(GONE), 'ApproverUnknown'],
  ['both: a stranger', policy(), people, key(STRANGER), 'ApproverUnknown'],
  ['both: nobody', policy(), people, key(null), 'ApproverUnknown'],
]
for (const [name, inForce, users, approver, expected] of rejections) {
  test(`reject, ${name}`, () => {
    const judged = judgeRejecter({ policy: inForce, users, approver })
    assert.equal(judged.ok ? judged.userId : judged.status, expected)
  })
}

const quorum = (approvers: number) => policy({ rules: [{ roles: ['manager', 'owner'], approvers }] })
const yes = (userId: number, payloadHash = 'aa'): GivenApproval => ({ personId: idOf(userId), payloadHash })

const counts: readonly [string, readonly GivenApproval[], number][] = [
  ['nobody before', [], 1],
  ['the same person before', [yes(ANA)], 1],
  ['another person before', [yes(BEKA)], 2],
  ['another person twice', [yes(BEKA), yes(BEKA)], 2],
  ['everybody who may', [yes(ANA), yes(BEKA), yes(DATO)], 3],
  ['another person, of other bytes', [yes(BEKA, 'bb')], 1],
  ['somebody who is inactive by now', [yes(GONE)], 1],
  ['somebody whose role may not', [yes(CIRA)], 1],
  ['somebody who is not registered', [yes(STRANGER), yes(0)], 1],
]
for (const [name, alreadyApproved, received] of counts) {
  test(`several approvers: ${name}`, () => {
    const judged = judgeApprover({ policy: quorum(3), users: people, approver: key(ANA), action, alreadyApproved })
    assert.deepEqual(judged, { ok: true, userId: ANA, personId: idOf(ANA), underPolicy: true, required: 3, received })
  })
}

test('several approvers: the requester’s earlier yes counts only where the policy lets them', () => {
  const asked = { ...action, requesters: [-idOf(BEKA)] }
  const received = (requesterMayApprove: boolean) => {
    const given = { ...quorum(2), requesterMayApprove }
    const judged = judgeApprover({
      policy: given,
      users: people,
      approver: key(ANA),
      action: asked,
      alreadyApproved: [yes(BEKA)],
    })
    return judged.ok && judged.received
  }
  assert.deepEqual([received(true), received(false)], [2, 1])
})

const someone = fc.record({ role: fc.constantFrom('manager', 'owner', 'member'), active: fc.boolean() })
const crowd = fc
  .array(someone, { maxLength: 7 })
  .map((list) => list.map((person, index): RegisteredPerson => ({ ...person, id: idOf(index + 1), userId: index + 1 })))
const approvals = fc.array(
  fc.record({ personId: fc.integer({ min: 0, max: 9 }).map(idOf), payloadHash: fc.constantFrom('aa', 'bb') }),
  { maxLength: 20 },
)

test('any crowd, any approvals: a quorum of n has n different people who may, and no one counts twice', () => {
  fc.assert(
    fc.property(
      crowd,
      approvals,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 9 }),
      (list, given, n, who, requesterMayApprove, requestedByUserId) => {
        const judge = (alreadyApproved: readonly GivenApproval[]) =>
          judgeApprover({
            policy: { ...quorum(n), requesterMayApprove },
            users: peopleOf(list),
            approver: key(who === 0 ? null : who),
            action: { ...action, requesters: [-idOf(requestedByUserId)] },
            alreadyApproved,
          })
        // Said again in other words than the code's.
        const able = list
          .filter(({ active, role }) => active && role !== 'member')
          .map(({ userId }) => userId)
          .filter((userId) => requesterMayApprove || userId !== requestedByUserId)
        const judged = judge(given)
        assert.equal(judged.ok, able.includes(who))
        if (!judged.ok) return
        const agreed = able.filter(
          (userId) => userId === who || given.some((g) => g.personId === idOf(userId) && g.payloadHash === 'aa'),
        )
        assert.equal(judged.required, n)
        assert.equal(judged.received, agreed.length)
        assert.deepEqual(judge([...given, ...given, yes(who), yes(who)]), judged)
      },
    ),
    { numRuns: 500 },
  )
})

test('a customer confirms nothing that a rule of either domain gives to somebody at the business', () => {
  const inForce = policy({ rules: [{ domains: ['money'], roles: ['manager'] }], customerSelfConfirm: true })
  const customer: Approver = { by: 'customer', userId: null, personId: 0 }
  const judged = (domain: string, stagedDomain: string) =>
    judgeApprover({
      policy: inForce,
      users: people,
      approver: customer,
      action: { ...action, domain, stagedDomain, subject: 'c-1' },
      alreadyApproved: [],
    }).ok
  assert.deepEqual(
    [judged('orders', 'orders'), judged('money', 'orders'), judged('orders', 'money')],
    [true, false, false],
  )
})

test('what became of a write is told by somebody, and under a policy by an active registered person', () => {
  const told = (inForce: Policy | null, userId: number | null) => {
    const judged = judgeWitness({ policy: inForce, users: people, approver: key(userId) })
    return judged.ok ? judged.userId : judged.status
  }
  assert.deepEqual(
    [null, STRANGER, GONE, CIRA].map((userId) => told(policy(), userId)),
    ['ApproverUnknown', 'ApproverUnknown', 'ApproverUnknown', CIRA],
  )
  assert.deepEqual(
    [null, STRANGER].map((userId) => told(null, userId)),
    ['ApproverUnknown', STRANGER],
  )
})
