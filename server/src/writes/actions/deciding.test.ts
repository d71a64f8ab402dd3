import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../testkit/until.ts'
import { statement } from '../../kernel/db/index.ts'
import {
  announced,
  answering,
  CATALOG,
  type Confirmed,
  confirm,
  decide,
  endpoint,
  eventsOf,
  executions,
  type Listed,
  newShop,
  outcome,
  set,
  stage,
  staged,
  trail,
  trailOf,
  USER,
} from './fixtures/shop.ts'

test('twenty confirms at once run it once', async () => {
  const seen = endpoint.play((_request, response) => void setTimeout(() => response.end('{"done":true}'), 50))
  const { actionId } = await staged('refund_order')
  const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(actionId)))
  const statuses = replies.map(({ body }) => body.status).sort()
  assert.equal(statuses.filter((status) => status === 'Executed').length, 1, String(statuses))
  assert.ok(
    statuses.every((status) => ['Executed', 'Conflict', 'NotFound'].includes(status)),
    String(statuses),
  )
  assert.equal(seen.length, 1)
  assert.deepEqual(await trail(actionId), ['proposed', 'approved', 'executed'])
})

test('a confirm that is sent again with its key is replayed, and its key is of no use for another action', async () => {
  const seen = answering({}, 200, { refund: 9007199254740993n.toString() })
  const one = await staged('refund_order')
  const other = await staged('refund_order', { number: 'B-1' })
  const first = await confirm(one.actionId, { idempotencyKey: 'k-1' })
  const again = await confirm(one.actionId, { idempotencyKey: 'k-1' })
  assert.deepEqual(outcome(again), [200, 'Replayed', null])
  assert.deepEqual(again.body.appliedChanges, first.body.appliedChanges)
  assert.equal(seen.length, 1)
  assert.deepEqual(await trail(one.actionId), ['proposed', 'approved', 'executed', 'replayed'])
  assert.deepEqual(outcome(await confirm(other.actionId, { idempotencyKey: 'k-1' })), [
    400,
    'Conflict',
    'IDEMPOTENCY_KEY_REUSED',
  ])
  assert.equal(seen.length, 1)
  const somebodyElse = await confirm(other.actionId, { idempotencyKey: 'k-1' }, { 'x-service-user-id': '8' })
  assert.equal(somebodyElse.body.status, 'Executed', 'keys are per person')
})

test('a no is final, and a confirm after it answers Rejected', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order')
  const rejected = await decide('reject', actionId, { reason: 'Not this one' })
  assert.deepEqual(outcome(rejected), [200, 'Rejected', 'action_rejected'])
  assert.deepEqual(outcome(await confirm(actionId)), [200, 'Rejected', 'action_rejected'])
  assert.equal(seen.length, 0)
  assert.deepEqual(await trail(actionId), ['proposed', 'rejected'])
  const [, event] = await set.house.database.database.rows(eventsOf, { tenantId: set.shop.tenantId, actionId })
  assert.deepEqual([event?.event, JSON.parse(event?.fields ?? '{}')], ['action.rejected', { reason: 'Not this one' }])
})

/** A claim that began in the window and is still writing when the window has passed, as on a database under load. */
const slowClaim = statement<unknown, { tenantId: number; actionId: string }>(
  'test.slow_claim',
  `with mine as materialized (
     update actions set state = 'executing', claim_token = gen_random_uuid(), lease_until = now() + interval '1 minute',
            expires_at = now() + interval '250 milliseconds'
      where tenant_id = $tenantId::int and action_id = $actionId::uuid and state = 'pending' and expires_at > now()
     returning action_id
   )
   select pg_sleep(0.8)::text as slept, action_id from mine`,
)
/** What it writes is written by then, and not yet committed. */
const isSleeping = statement<{ sleeping: boolean }>(
  'test.claim_sleeps',
  `select exists (
     select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'
   ) as sleeping`,
)

test('who comes after the window is not told that it expired while somebody who came in time is still writing', async () => {
  const db = set.house.database.database
  const { tenantId } = set.shop
  for (const late of [(actionId: string) => confirm(actionId), (actionId: string) => decide('reject', actionId, {})]) {
    const { actionId } = await staged('refund_order')
    const inTime = db.run(slowClaim, { tenantId, actionId })
    // The embedded engine runs one statement after the other.
    if (db.engine === 'server') await until(async () => (await db.one(isSleeping))?.sleeping === true, 'it has claimed')
    await pause(300)
    assert.deepEqual(outcome(await late(actionId)), [400, 'Conflict', 'ACTION_ALREADY_IN_PROGRESS'])
    await inTime
  }
})

test('risk and value must be acknowledged', async () => {
  const seen = answering({})
  const gate = async (tool: string, given: unknown) => {
    const { actionId } = await staged(tool, given)
    const first = await confirm(actionId)
    if (first.body.status === 'Executed') return 'open'
    assert.deepEqual(outcome(first), [400, 'GuardRejected', 'AI_ACTION_REQUIRES_CONFIRMATION'])
    assert.equal((await confirm(actionId, { acknowledgeHighRisk: true })).body.status, 'Executed')
    return 'asked'
  }
  assert.equal(await gate('delete_order', { number: 'A' }), 'asked')
  assert.equal(await gate('pay_out', { number: 'A', amount: 999.99 }), 'open')
  assert.equal(await gate('pay_out', { number: 'A', amount: 1000 }), 'asked')
  assert.equal(await gate('pay_out', { number: 'A', amount: -5000 }), 'asked')
  assert.equal(await gate('pay_out', { number: 'A' }), 'asked', 'a value that cannot be read is not a small one')
  assert.equal(
    await gate('refund_order', { number: 'A', amount: 5000 }),
    'open',
    'a tool that declares no value has none',
  )
  assert.equal(seen.length, 6)
})

test('a stale card decides nothing: another payload hash is refused', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order')
  const listed = await set.house.ask<Listed>('GET', '/v1/actions', { key: set.shop.apiKey })
  const hash = listed.body.actions.find((action) => action.actionId === actionId)?.payloadHash
  assert.deepEqual(outcome(await confirm(actionId, { payloadHash: '0'.repeat(64) })), [400, 'Conflict', 'CONFLICT'])
  assert.equal(seen.length, 0)
  assert.equal((await confirm(actionId, { payloadHash: hash })).body.status, 'Executed')
})

test('a token confirms its own action and nothing else', async () => {
  answering({})
  const [one, other] = [await staged('refund_order'), await staged('refund_order')]
  const foreign = await set.house.ask('POST', `/v1/actions/${other.actionId}/confirm`, { key: one.confirmationToken })
  assert.equal(foreign.error?.code, 'insufficient_scope')
  for (const verb of ['reject', 'reconcile']) {
    const reply = await set.house.ask('POST', `/v1/actions/${one.actionId}/${verb}`, { key: one.confirmationToken })
    assert.equal(reply.error?.code, 'insufficient_scope')
    assert.match(reply.error?.message ?? '', /^An action key does not reach this route/)
  }
  const confirmed = await set.house.ask<Confirmed>('POST', `/v1/actions/${one.actionId}/confirm`, {
    key: one.confirmationToken,
  })
  assert.equal(confirmed.body.status, 'Executed')
})

test('a secret-key confirm that names nobody is refused', async () => {
  const { actionId } = await staged('refund_order')
  assert.deepEqual(outcome(await confirm(actionId, undefined, {})), [403, 'ApproverUnknown', 'approver_unknown'])
})

test('a write that its catalog has no more is not run', async () => {
  const tenant = await newShop()
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  await set.house.ask('PUT', '/v1/tools', {
    key: tenant.apiKey,
    body: CATALOG.filter(({ name }) => name !== 'refund_order'),
  })
  assert.deepEqual(outcome(await confirm(body.actionId, undefined, USER, tenant.apiKey)), [
    400,
    'HandlerMissing',
    'HANDLER_NOT_REGISTERED',
  ])
})

const altered = statement<unknown, { tenantId: number; actionId: string }>(
  'test.alter_arguments',
  `update actions set arguments = '{"number":"somebody else''s"}' where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)

test('what is not what was staged, or not for whom, is not run', async () => {
  const tenant = await newShop()
  const seen = answering({})
  const changed = await stage('refund_order', { number: 'A' }, { tenant })
  await set.house.database.database.run(altered, { tenantId: tenant.tenantId, actionId: changed.body.actionId })
  const forNobody = await stage('refund_verified', { number: 'A' }, { tenant })
  await set.house.ask('PUT', '/v1/tools', {
    key: tenant.apiKey,
    body: CATALOG.map((tool) => (tool.name === 'refund_verified' ? { ...tool, requires_customer: true } : tool)),
  })
  for (const { body } of [changed, forNobody]) {
    const said = outcome(await confirm(body.actionId, undefined, USER, tenant.apiKey))
    assert.deepEqual(said, [400, 'GuardForbidden', 'FORBIDDEN'])
    const events = await set.house.database.database.rows(trailOf, {
      tenantId: tenant.tenantId,
      actionId: body.actionId,
    })
    assert.deepEqual(
      events.map(({ event }) => event),
      ['proposed'],
    )
  }
  assert.equal(seen.length, 0)
})

test('what may never be run is refused whoever confirms it, and says the principle only', async () => {
  const seen = answering({})
  for (const text of ['nude pictures of a child', 'CHILD \u00b7 porn', 'შიშველი ბავშვები', 'csam']) {
    const { actionId } = await staged('refund_order', { number: text })
    const reply = await confirm(actionId, { acknowledgeHighRisk: true })
    assert.deepEqual(outcome(reply), [451, 'Prohibited', 'action_prohibited'], text)
    assert.match(reply.body.errorMessage ?? '', /child-safety policy\. It cannot be confirmed\.$/)
    assert.doesNotMatch(reply.body.errorMessage ?? '', /nude|porn/)
    assert.deepEqual(await trail(actionId), ['proposed', 'prohibited'])
  }
  assert.equal(seen.length, 0)
  for (const text of ['a child seat', 'nude lipstick', 'childhood nudes'.slice(0, 9)]) {
    assert.equal(
      (await confirm((await staged('refund_order', { number: text })).actionId)).body.status,
      'Executed',
      text,
    )
  }
})

test('two people under a policy: one yes waits, the second runs it, once', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => set.house.ask(method, path, { key: tenant.apiKey, body })
  await ask(
    'PUT',
    '/v1/users',
    [1, 2, 3].map((userId) => ({ userId, displayName: `Person ${userId}`, role: userId === 3 ? 'clerk' : 'manager' })),
  )
  await ask('PUT', '/v1/policy', { rules: [{ tools: ['refund_order'], roles: ['manager'], approvers: 2 }] })
  const seen = answering({})
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const as = (userId: number) =>
    confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey)
  assert.deepEqual(outcome(await as(3)), [403, 'ApprovalForbidden', 'approver_forbidden'])
  assert.deepEqual(outcome(await as(9)), [403, 'ApproverUnknown', 'approver_unknown'])
  const first = await as(1)
  assert.deepEqual(
    [...outcome(first), first.body.approversRequired, first.body.approversReceived],
    [202, 'AwaitingApprovers', 'awaiting_approvers', 2, 1],
  )
  assert.equal((await as(1)).body.approversReceived, 1, 'one person counts once')
  assert.equal(seen.length, 0)
  const token = await set.house.ask<Confirmed>('POST', `/v1/actions/${body.actionId}/confirm`, {
    key: body.confirmationToken,
  })
  assert.equal(token.body.status, 'ApproverUnknown', 'an unbound token is nobody under a policy')
  assert.equal((await as(2)).body.status, 'Executed')
  assert.equal(seen.length, 1)
  const events = await set.house.database.database.rows(trailOf, { tenantId: tenant.tenantId, actionId: body.actionId })
  assert.deepEqual(
    events.map(({ event, userId }) => [event, userId]),
    [
      ['proposed', 0],
      ['approved', 1],
      ['approved', 2],
      ['executed', 2],
    ],
  )
})

test('an approval whose giver is set inactive while the precondition is read does not count', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => set.house.ask(method, path, { key: tenant.apiKey, body })
  const people = [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' }))
  await ask('PUT', '/v1/users', people)
  await ask('PUT', '/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  answering({ state: 'paid' })
  const { body } = await stage('refund_checked', { number: 'A' }, { tenant })
  const as = (userId: number) =>
    confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey)
  assert.equal((await as(1)).body.status, 'AwaitingApprovers')
  const seen = endpoint.play((_request, response) => {
    void ask('PUT', '/v1/users', [{ userId: 1, active: false }]).then(() => response.end('{"state": "paid"}'))
  })
  const second = await as(2)
  assert.deepEqual([second.status, second.body.approversReceived], [202, 1])
  await ask('PUT', '/v1/users', [{ userId: 1, active: true }])
  endpoint.play((_request, response) => {
    void ask('PUT', '/v1/users', [{ userId: 2, active: false }]).then(() => response.end('{"state": "paid"}'))
  })
  assert.deepEqual(outcome(await as(2)), [403, 'ApproverUnknown', 'approver_unknown'])
  assert.equal(executions(seen).length, 0)
  answering({ state: 'paid' })
  await ask('PUT', '/v1/users', [{ userId: 2, active: true }])
  assert.equal((await as(2)).body.status, 'Executed')
})

/** An endpoint that is at work until so many have said yes. */
function answeringOnce(approved: number, tenantId: number, actionId: string) {
  const isThere = async () =>
    (await set.house.database.database.rows(trailOf, { tenantId, actionId })).filter(
      ({ event }) => event === 'approved',
    ).length === approved
  return endpoint.play((_request, response) => {
    const end = () => response.end('{}')
    void until(isThere, 'everybody has said yes').then(end, end)
  })
}

test('two racing confirms under a policy read approved, approved, executed, superseded', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => set.house.ask(method, path, { key: tenant.apiKey, body })
  await ask(
    'PUT',
    '/v1/users',
    [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' })),
  )
  await ask('PUT', '/v1/policy', { rules: [{ roles: ['manager'] }] })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const seen = answeringOnce(2, tenant.tenantId, body.actionId)
  const replies = await Promise.all(
    [1, 2].map((userId) => confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey)),
  )
  assert.deepEqual(replies.map((reply) => reply.body.status).sort(), ['Conflict', 'Executed'])
  assert.equal(seen.length, 1)
  const events = await set.house.database.database.rows(trailOf, { tenantId: tenant.tenantId, actionId: body.actionId })
  assert.deepEqual(
    events.map(({ event }) => event),
    ['proposed', 'approved', 'approved', 'executed', 'superseded'],
  )
})

test('without a policy every person who said yes is in the trail too, and no event says so', async () => {
  const { actionId } = await staged('refund_order')
  const seen = answeringOnce(2, set.shop.tenantId, actionId)
  const replies = await Promise.all(
    [7, 8].map((userId) => confirm(actionId, undefined, { 'x-service-user-id': String(userId) })),
  )
  assert.deepEqual(replies.map((reply) => reply.body.status).sort(), ['Conflict', 'Executed'])
  assert.equal(seen.length, 1)
  const events = await set.house.database.database.rows(trailOf, { tenantId: set.shop.tenantId, actionId })
  assert.deepEqual(
    events.map(({ event }) => event),
    ['proposed', 'approved', 'approved', 'executed', 'superseded'],
  )
  assert.deepEqual(new Set(events.slice(1, 3).map(({ userId }) => userId)), new Set([7, 8]))
  assert.deepEqual(await announced(actionId), ['action.pending', 'action.executed'])
})

test('a yes from before there was a policy does not count under it, and is asked for again', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => set.house.ask(method, path, { key: tenant.apiKey, body })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const yes = (userId: number) =>
    confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey)
  answering({}, 429)
  assert.equal((await yes(1)).body.status, 'FailedRetryable')
  await ask(
    'PUT',
    '/v1/users',
    [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' })),
  )
  await ask('PUT', '/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  answering({})
  assert.equal((await yes(2)).body.status, 'AwaitingApprovers', 'the first yes was not given under the policy')
  assert.equal((await yes(1)).body.status, 'Executed')
  const at = { tenantId: tenant.tenantId, actionId: body.actionId }
  const events = await set.house.database.database.rows(trailOf, at)
  assert.deepEqual(
    events.map(({ event, userId }) => `${event} ${userId}`),
    ['proposed 0', 'approved 1', 'approved 2', 'approved 1', 'executed 1'],
  )
  const told = await set.house.database.database.rows(eventsOf, at)
  assert.deepEqual(
    told.map(({ event }) => event),
    ['action.pending', 'action.approved', 'action.approved', 'action.executed'],
  )
})
