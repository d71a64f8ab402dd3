import assert from 'node:assert/strict'
import test from 'node:test'
import type { Seen } from '../../../testkit/scripted-endpoint.ts'
import {
  announced,
  answering,
  CATALOG,
  confirm,
  decide,
  endpoint,
  type Listed,
  lapseLease,
  outcome,
  set,
  stage,
  staged,
  trail,
  trailOf,
  USER,
} from './fixtures/shop.ts'
import { recoverAll } from './index.ts'

test('a write is staged, confirmed by a person, and run once with what was staged', async () => {
  const seen = answering({})
  const { status, body } = await stage('refund_order', { number: 'A-1', amount: 12.5 })
  assert.equal(status, 200)
  assert.equal(body.status, 'preview')
  assert.match(body.confirmationToken, /^tac_[0-9a-f]{48}$/)
  assert.equal(seen.length, 0, 'nothing reaches the endpoint until it is confirmed')
  const confirmed = await confirm(body.actionId)
  assert.deepEqual(outcome(confirmed), [200, 'Executed', null])
  assert.deepEqual(confirmed.body.appliedChanges, { done: true })
  assert.equal(seen.length, 1)
  const [call] = seen as [Seen]
  assert.equal(call.body.mode, 'execute')
  assert.equal(call.body.is_write, true)
  assert.deepEqual(call.body.arguments, { number: 'A-1', amount: 12.5 })
  assert.equal(call.body.action_id, body.actionId)
  assert.equal(call.body.request_id, call.headers['x-service-idempotency-key'])
  assert.deepEqual(call.body.user, { id: 7, role: 'api' })
  assert.deepEqual(await trail(body.actionId), ['proposed', 'approved', 'executed'])
  assert.deepEqual(await announced(body.actionId), ['action.pending', 'action.executed'])
  assert.deepEqual(outcome(await confirm(body.actionId)), [404, 'NotFound', 'PENDING_ACTION_NOT_FOUND'])
  assert.equal(seen.length, 1)
})

test('an answer that the endpoint gives is passed through to the byte, whatever it holds', async () => {
  for (const text of [
    '{"n":9007199254740993,"z":1e400}',
    '"\\u0000"',
    '"\\ud800"',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '',
    'null',
    ' 1 ',
  ]) {
    endpoint.play((_request, response) => void response.end(text))
    const { actionId } = await staged('refund_order')
    const reply = await confirm(actionId)
    assert.deepEqual(outcome(reply), [200, 'Executed', null], text.slice(0, 40))
    assert.ok(reply.text.includes(`"appliedChanges":${text === '' ? 'null' : text}`), text.slice(0, 40))
  }
})

const answers: readonly [
  what: string,
  play: () => unknown,
  http: number,
  status: string,
  code: string | null,
  after: string,
][] = [
  ['400', () => answering({}, 400), 400, 'FailedTerminal', 'VALIDATION_ERROR', 'failed'],
  ['422', () => answering({}, 422), 400, 'FailedTerminal', 'VALIDATION_ERROR', 'failed'],
  ['404', () => answering({}, 404), 400, 'FailedTerminal', 'RESOURCE_NOT_FOUND', 'failed'],
  ['401', () => answering({}, 401), 400, 'FailedTerminal', 'FORBIDDEN', 'failed'],
  ['403', () => answering({}, 403), 400, 'FailedTerminal', 'FORBIDDEN', 'failed'],
  ['409', () => answering({}, 409), 400, 'FailedTerminal', 'CONFLICT', 'failed'],
  ['418', () => answering({}, 418), 400, 'FailedTerminal', 'EXECUTION_FAILED', 'failed'],
  [
    '409 in flight',
    () => answering({}, 409, { status: 'in_flight' }),
    409,
    'Indeterminate',
    'EXECUTION_INDETERMINATE',
    'indeterminate',
  ],
  ['302', () => answering({}, 302), 409, 'Indeterminate', 'EXECUTION_INDETERMINATE', 'indeterminate'],
  ['500', () => answering({}, 500), 409, 'Indeterminate', 'EXECUTION_INDETERMINATE', 'indeterminate'],
  ['503', () => answering({}, 503), 409, 'Indeterminate', 'EXECUTION_INDETERMINATE', 'indeterminate'],
  ['nothing', () => endpoint.play(() => {}), 409, 'Indeterminate', 'EXECUTION_INDETERMINATE', 'indeterminate'],
  [
    'a lost connection',
    () => endpoint.play((_request, response) => void response.socket?.destroy()),
    409,
    'Indeterminate',
    'EXECUTION_INDETERMINATE',
    'indeterminate',
  ],
  [
    'no JSON',
    () => endpoint.play((_request, response) => void response.end('<ok>')),
    409,
    'Indeterminate',
    'EXECUTION_INDETERMINATE',
    'indeterminate',
  ],
  ['408', () => answering({}, 408), 400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE', 'pending'],
  ['429', () => answering({}, 429), 400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE', 'pending'],
]
for (const [what, play, http, status, code, state] of answers) {
  test(`an endpoint that answers ${what} makes a confirm ${status}, and the action ${state}`, async () => {
    play()
    const { actionId } = await staged('refund_order')
    assert.deepEqual(outcome(await confirm(actionId)), [http, status, code])
    const listed = await set.house.ask<Listed>('GET', `/v1/actions?status=${state}`, { key: set.shop.apiKey })
    assert.ok(listed.body.actions.some((action) => action.actionId === actionId))
  })
}

test('a retryable failure may be confirmed again, three times in all', async () => {
  const seen = answering({}, 429)
  const { actionId } = await staged('refund_order')
  assert.match((await confirm(actionId)).body.errorMessage ?? '', /answered 429\..* confirmed again/)
  assert.equal((await confirm(actionId)).body.status, 'FailedRetryable')
  const last = await confirm(actionId)
  assert.deepEqual(outcome(last), [400, 'FailedTerminal', 'EXECUTION_ATTEMPTS_EXHAUSTED'])
  assert.match(last.body.errorMessage ?? '', /answered 429\..* third and last attempt/)
  assert.doesNotMatch(last.body.errorMessage ?? '', /confirm/i)
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ body }) => body.request_id)).size, 1)
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
})

test('without an endpoint nothing is sent, and the answer says to stage the write again', async () => {
  const bare = await set.house.tenant()
  await set.house.ask('PUT', '/v1/tools', { key: bare.apiKey, body: CATALOG })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant: bare })
  const first = await confirm(body.actionId, undefined, USER, bare.apiKey)
  assert.deepEqual(outcome(first), [400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE'])
  assert.match(first.body.errorMessage ?? '', /PUT \/v1\/endpoint .*stage it again/i)
  assert.doesNotMatch(first.body.errorMessage ?? '', /confirmed again/, 'its approvers saw no address')
  await set.house.ask('PUT', '/v1/endpoint', { key: bare.apiKey, body: { url: await endpoint.start() } })
  assert.equal((await confirm(body.actionId, undefined, USER, bare.apiKey)).body.status, 'GuardForbidden')
})

test('reconcile sends the same request id again and settles what it learns', async () => {
  endpoint.play(() => {})
  const { actionId } = await staged('refund_order')
  await confirm(actionId)
  const still = endpoint.play((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  assert.equal((await decide('reconcile', actionId)).body.status, 'Indeterminate')
  answering({}, 429)
  const busy = await decide('reconcile', actionId)
  assert.deepEqual(outcome(busy), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.doesNotMatch(busy.body.errorMessage ?? '', /confirm/i, 'it cannot be confirmed, only reconciled')
  const known = await set.house.database.database.rows(trailOf, { tenantId: set.shop.tenantId, actionId })
  assert.deepEqual(
    known.map(({ event, userId }) => `${event} ${userId}`),
    ['proposed 0', 'approved 7'],
    'the trail says who confirmed it, though nobody knows what came of it',
  )
  const first = still[0]?.body.request_id
  const seen = answering({}, 200, { replayed: true })
  const settled = await decide('reconcile', actionId)
  assert.deepEqual(outcome(settled), [200, 'Executed', null])
  assert.deepEqual(settled.body.appliedChanges, { replayed: true })
  assert.equal(seen[0]?.body.request_id, first)
  assert.deepEqual(outcome(await decide('reconcile', actionId)), [400, 'Conflict', 'ACTION_NOT_INDETERMINATE'])
  assert.equal(seen.length, 1)
  assert.deepEqual(await trail(actionId), ['proposed', 'approved', 'executed'])
})

test('two reconciles at once write one outcome', async () => {
  endpoint.play(() => {})
  const { actionId } = await staged('refund_order')
  await confirm(actionId)
  const seen = answering({})
  const replies = await Promise.all([
    decide('reconcile', actionId),
    decide('reconcile', actionId),
    decide('reconcile', actionId),
  ])
  const others = replies.filter(({ body }) => body.status !== 'Executed').map(({ body }) => String(body.errorCode))
  assert.equal(others.length, 2)
  // The others came while it asked, or when it had its answer.
  assert.ok(others.every((code) => code === 'ACTION_ALREADY_IN_PROGRESS' || code === 'ACTION_NOT_INDETERMINATE'))
  assert.equal(seen.length, 1, 'the endpoint was asked once')
  assert.deepEqual(await trail(actionId), ['proposed', 'approved', 'executed'])
})

test('what a dead process left executing becomes indeterminate and can be reconciled, never confirmed', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order')
  await set.house.database.database.run(lapseLease, { tenantId: set.shop.tenantId, actionId })
  assert.equal((await confirm(actionId)).body.errorCode, 'ACTION_ALREADY_IN_PROGRESS')
  assert.ok((await recoverAll(set.house.app.house)) >= 1)
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
  assert.equal(seen.length, 0)
  assert.equal((await decide('reconcile', actionId)).body.status, 'Executed')
})

test('an executed write is read back: verified, or handed to a person', async () => {
  answering({ state: 'refunded' })
  const good = await confirm((await staged('refund_verified')).actionId)
  assert.equal(good.body.verification?.status, 'verified')
  answering({ state: 'paid' })
  const { actionId } = await staged('refund_verified')
  const bad = await confirm(actionId)
  assert.equal(bad.body.status, 'Executed', 'an unverified outcome is not a failed action')
  assert.equal(bad.body.verification?.status, 'unverified')
  assert.deepEqual(bad.body.verification?.handoff, { trigger: 'unverified_outcome', sessionId: null })
  const { body } = await set.house.ask<typeof bad.body>('GET', `/v1/actions/${actionId}`, { key: set.shop.apiKey })
  assert.deepEqual(body.verification, bad.body.verification, 'the review gives the same reason as the confirm')
  assert.deepEqual(await trail(actionId), ['proposed', 'approved', 'executed', 'unverified'])
  assert.deepEqual(await announced(actionId), [
    'action.pending',
    'action.executed',
    'action.unverified',
    'conversation.handoff',
  ])
})
