// An amended action takes another's place, and several are decided at once: each leaves what it would have left alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Reply } from '../../../testkit/house.ts'
import { placeSession } from '../../../testkit/sessions.ts'
import {
  answering,
  type Confirmed,
  confirm,
  decide,
  endpoint,
  executions,
  newShop,
  set,
  stage,
  staged,
  USER,
} from '../actions/fixtures/shop.ts'

type Amended = z.output<typeof contract.AmendAnswer>
type Detail = z.output<typeof contract.ActionDetail>
type Trail = z.output<typeof contract.AuditEvents>
type Decided = { results: Confirmed[] }

const amend = (actionId: string, body: object, headers: Record<string, string> = USER, key = set.shop.apiKey) =>
  set.house.ask<Amended>('POST', `/v1/actions/${actionId}/amend`, { key, headers, body })
const look = async (actionId: string, key = set.shop.apiKey) =>
  (await set.house.ask<Detail>('GET', `/v1/actions/${actionId}`, { key })).body
const trail = async (actionId: string, key = set.shop.apiKey) =>
  (await set.house.ask<Trail>('GET', `/v1/audit?actionId=${actionId}`, { key })).body.events
const decideAll = (decisions: object[], headers: Record<string, string> = USER) =>
  set.house.ask<Decided>('POST', '/v1/actions/decide', { key: set.shop.apiKey, headers, body: { decisions } })
const said = ({ status, body }: Reply<Confirmed>) => [status, body.status, body.errorCode]
/** What an amend answers where there was nothing to amend. */
const asDecided = (reply: Reply<unknown>) => said(reply as Reply<Confirmed>)

test('an amended action is rejected, and another with other arguments waits in its place', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order', { number: 'A-1' })
  const { status, body } = await amend(actionId, { arguments: { number: 'A-2' }, reason: 'a typing error' })
  assert.equal(status, 200)
  assert.deepEqual(
    [body.status, body.toolName, body.replaces, body.summary],
    ['preview', 'refund_order', actionId, 'Refund order (number: A-2)'],
  )
  assert.match(body.confirmationToken ?? '', /^tac_/)
  const [old, fresh] = [await look(actionId), await look(body.actionId)]
  assert.deepEqual(
    [old.status, old.replacedBy, old.errorMessage],
    ['rejected', body.actionId, 'amended: a typing error'],
  )
  assert.deepEqual([fresh.status, fresh.replaces, fresh.arguments], ['pending', actionId, { number: 'A-2' }])
  assert.deepEqual([fresh.requestedByUserId, old.requestedByUserId], [7, 0])
  assert.notEqual(fresh.payloadHash, old.payloadHash)
  const told = [...(await trail(actionId)), ...(await trail(body.actionId))]
  assert.deepEqual(
    told.map(({ event, userId, reason, relatedActionId }) => [event, userId, reason, relatedActionId]),
    [
      ['proposed', 0, null, null],
      ['rejected', 7, 'amended: a typing error', body.actionId],
      ['proposed', 7, null, actionId],
    ],
  )
  assert.deepEqual(said(await confirm(actionId)), [200, 'Rejected', 'action_rejected'])
  assert.equal(executions(seen).length, 0)
  assert.equal((await confirm(body.actionId)).body.status, 'Executed')
  assert.deepEqual(
    executions(seen).map(({ body }) => body.arguments),
    [{ number: 'A-2' }],
  )
})

test('an amend keeps scope, conversation and whoever was bound, and nobody’s earlier yes', async () => {
  const people = [1, 2, 3].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' }))
  const tenant = await newShop()
  const key = tenant.apiKey
  await set.house.ask('PUT', '/v1/users', { key, body: people })
  await set.house.ask('PUT', '/v1/policy', {
    key,
    body: { rules: [{ roles: ['manager'], approvers: 2 }], requesterMayApprove: false },
  })
  const { body: first } = await stage(
    'refund_order',
    { number: 'A-1' },
    { tenant, body: { approverUserId: 2 }, headers: { 'x-service-scope-id': '5', 'x-service-user-id': '1' } },
  )
  const as = (id: number) => ({ 'x-service-user-id': String(id) })
  assert.equal((await decide('confirm', first.actionId, {}, as(2), key)).body.approversReceived, 1)
  const { body } = await amend(first.actionId, { arguments: { number: 'A-2' } }, as(3), key)
  const fresh = await look(body.actionId, key)
  assert.deepEqual([fresh.scopeId, fresh.approvals, fresh.requestedByUserId], [5, [], 3])
  for (const barred of [1, 3])
    assert.equal(
      (await decide('confirm', body.actionId, {}, as(barred), key)).body.status,
      'ApprovalForbidden',
      String(barred),
    )
  const bound = await decide('confirm', body.actionId, {}, {}, body.confirmationToken ?? '')
  assert.deepEqual(
    [bound.body.status, bound.body.approversReceived],
    ['AwaitingApprovers', 1],
    'the token is person 2’s',
  )
})

test('what cannot be amended stays as it is, and the answer says why', async () => {
  answering({ state: 'refunded' })
  const { actionId } = await staged('refund_order')
  const refused = async (body: object, headers?: Record<string, string>) => {
    const reply = await amend(actionId, body, headers)
    return [reply.status, reply.body.status]
  }
  assert.deepEqual(await refused({ arguments: {} }), [400, 'invalid_request'])
  assert.equal((await amend(actionId, {})).error?.code, 'invalid_request')
  assert.equal((await look(actionId)).status, 'pending')
  assert.equal((await confirm(actionId)).body.status, 'Executed')
  assert.deepEqual(asDecided(await amend(actionId, { arguments: { number: 'A-9' } })), [
    404,
    'NotFound',
    'PENDING_ACTION_NOT_FOUND',
  ])
  const { actionId: declined } = await staged('refund_order')
  await decide('reject', declined)
  assert.deepEqual(asDecided(await amend(declined, { arguments: { number: 'A-9' } })), [
    200,
    'Rejected',
    'action_rejected',
  ])
  const unknown = await amend('019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b', { arguments: { number: 'A-9' } })
  assert.deepEqual(asDecided(unknown), [404, 'NotFound', 'PENDING_ACTION_NOT_FOUND'])
})

test('an amend of an action that was replaced names its replacement, and stages nothing', async () => {
  answering({})
  const { actionId } = await staged('refund_order', { number: 'A-1' })
  const { body: first } = await amend(actionId, { arguments: { number: 'A-2' } })
  const again = await amend(actionId, { arguments: { number: 'A-3' } })
  const asReject = await decide('reject', actionId)
  assert.equal(again.status, asReject.status)
  assert.deepEqual(again.body, { ...asReject.body, replacedBy: first.actionId })
  const { actionId: declined } = await staged('refund_order')
  const rejected = await decide('reject', declined)
  assert.deepEqual(
    (await amend(declined, { arguments: {} })).body,
    rejected.body,
    'no member where nothing replaced it',
  )
})

async function personOf(key: string, email: string): Promise<number> {
  type Users = { users: { id: number; email: string | null }[] }
  const { users } = (await set.house.ask<Users>('GET', '/v1/users', { key })).body
  return users.find((one) => one.email === email)?.id ?? assert.fail(`${email} is not registered`)
}

test('a signed-in person amends without a token, and an action token cannot', async () => {
  const tenant = await newShop()
  const key = tenant.apiKey
  await set.house.ask('PUT', '/v1/users', { key, body: [{ displayName: 'Ana', email: 'ana@shop.example' }] })
  const ana = await personOf(key, 'ana@shop.example')
  const session = await placeSession(set.house.database.database, tenant.tenantId, ana)
  const inbox = await set.house.key(tenant.tenantId, 'inbox')
  const { body: first } = await stage('refund_order', { number: 'A-1' }, { tenant })
  const byToken = await amend(first.actionId, { arguments: { number: 'A-2' } }, {}, first.confirmationToken)
  assert.equal(byToken.error?.code, 'insufficient_scope')
  const { body } = await amend(
    first.actionId,
    { arguments: { number: 'A-2' } },
    { 'x-service-user-session': session },
    inbox,
  )
  assert.equal(body.confirmationToken, null)
  const events = await trail(first.actionId, key)
  assert.deepEqual(events.at(-1)?.user?.displayName, 'Ana')
})

test('a person behind a secret key amends without a token, and the key alone gets one', async () => {
  const tenant = await newShop()
  const key = tenant.apiKey
  await set.house.ask('PUT', '/v1/users', { key, body: [{ displayName: 'Ana', email: 'ana@shop.example' }] })
  const ana = await personOf(key, 'ana@shop.example')
  const session = await placeSession(set.house.database.database, tenant.tenantId, ana)
  const { body: first } = await stage('refund_order', { number: 'A-1' }, { tenant })
  const byPerson = await amend(
    first.actionId,
    { arguments: { number: 'A-2' } },
    { 'x-service-user-session': session },
    key,
  )
  assert.deepEqual([byPerson.status, byPerson.body.confirmationToken], [200, null], byPerson.text)
  const byKey = await amend(byPerson.body.actionId, { arguments: { number: 'A-3' } }, {}, key)
  assert.match(byKey.body.confirmationToken ?? '', /^tac_/)
})

test('of an amend and a confirm at the same moment one happens, and the old arguments run once or never', async () => {
  const seen = answering({})
  for (let round = 0; round < 12; round++) {
    const before = executions(seen).length
    const { actionId } = await staged('refund_order', { number: `old-${round}` })
    const race = [
      () => confirm(actionId),
      () => amend(actionId, { arguments: { number: `new-${round}` } }),
      () => amend(actionId, { arguments: { number: `other-${round}` } }),
      () => confirm(actionId),
    ]
    const replies = await Promise.all((round % 2 === 0 ? race : race.toReversed()).map((one) => one()))
    const amended = replies.filter(({ body }) => (body as Amended).status === 'preview')
    const ran = executions(seen).slice(before)
    assert.ok(amended.length + ran.length === 1, `${amended.length} amended and ${ran.length} ran`)
    const old = await look(actionId)
    assert.equal(old.status, ran.length === 1 ? 'executed' : 'rejected')
  }
})

test('of several that are decided together, each one’s precondition sees what those before it did', async () => {
  let state = 'paid'
  const seen = endpoint.play((request, response) => {
    const isWrite = request.body.mode === 'execute'
    setTimeout(() => {
      if (isWrite) state = 'refunded'
      response.end(JSON.stringify({ state }))
    }, 20)
  })
  const actions = []
  for (const number of ['A', 'A', 'A']) actions.push(await staged('refund_checked', { number }))
  const { body } = await decideAll(actions.map(({ actionId }) => ({ actionId, decision: 'confirm' })))
  assert.deepEqual(
    body.results.map(({ status }) => status),
    ['Executed', 'PreconditionFailed', 'PreconditionFailed'],
  )
  assert.equal(executions(seen).length, 1)
})

test('several decisions at once answer and leave what each would alone', async () => {
  const seen = answering({})
  const [run, no, twice, gone] = await Promise.all(
    ['a', 'b', 'c', 'd'].map((number) => staged('refund_order', { number })),
  )
  assert.ok(run && no && twice && gone)
  const hash = (await look(run.actionId)).payloadHash
  const { status, body } = await decideAll([
    { actionId: run.actionId, decision: 'confirm', payloadHash: hash },
    { actionId: no.actionId, decision: 'reject', reason: 'No' },
    { actionId: twice.actionId, decision: 'reject' },
    { actionId: twice.actionId.toUpperCase(), decision: 'confirm' },
    { actionId: gone.actionId, decision: 'confirm', payloadHash: '0'.repeat(64) },
    { actionId: 'nothing', decision: 'confirm' },
  ])
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map((one) => [one.status, one.errorCode]),
    [
      ['Executed', null],
      ['Rejected', 'action_rejected'],
      ['Rejected', 'action_rejected'],
      ['Rejected', 'action_rejected'],
      ['Conflict', 'CONFLICT'],
      ['NotFound', 'PENDING_ACTION_NOT_FOUND'],
    ],
  )
  assert.equal(body.results[5]?.actionId, 'nothing')
  assert.equal(executions(seen).length, 1)
  assert.deepEqual(
    (await trail(no.actionId)).map(({ event, source, reason }) => [event, source, reason]),
    [
      ['proposed', 'POST /v1/actions', null],
      ['rejected', 'POST /v1/actions/decide', 'No'],
    ],
  )
  const alone = await confirm(gone.actionId, { payloadHash: '0'.repeat(64) })
  assert.deepEqual(body.results[4], alone.body, 'to the letter what its own route says')
  assert.equal((await confirm(gone.actionId)).body.status, 'Executed')
})

test('a list of decisions that is none is refused whole', async () => {
  const { actionId } = await staged('refund_order')
  const one = { actionId, decision: 'reject' }
  for (const decisions of [[], Array(51).fill(one), [{ ...one, decision: 'maybe' }], [one, { actionId }]])
    assert.equal((await decideAll(decisions)).error?.code, 'invalid_request')
  assert.equal((await look(actionId)).status, 'pending')
  assert.deepEqual(
    (await decideAll([one], {})).body.results.map(({ status }) => status),
    ['Rejected'],
  )
})
