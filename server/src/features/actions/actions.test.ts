import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import { mintCustomerToken } from '@tether/sdk'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint, type Seen } from '../../../testkit/scripted-endpoint.ts'
import { statement } from '../../foundation/db/index.ts'
import { expireAll, recoverAll } from './index.ts'

type Staged = z.output<typeof contract.StageAnswer>
type Confirmed = z.output<typeof contract.ConfirmAnswer>
type Listed = z.output<typeof contract.ActionList>

const order = {
  type: 'object',
  properties: { number: { type: 'string' }, amount: { type: 'number' } },
  required: ['number'],
}
const write = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: 'Changes something in the shop, for the tests of actions.',
  is_write: true,
  parameters: order,
  ...more,
})
const paid = { tool: 'get_order', arguments: { number: { from: 'number' } }, check: { path: 'state', equals: 'paid' } }
const refunded = {
  tool: 'get_order',
  arguments: { number: { from: 'number' } },
  check: { path: 'state', equals: 'refunded' },
}
const CATALOG = [
  {
    name: 'get_order',
    description: 'Looks up one order by its number, for tests.',
    is_write: false,
    parameters: order,
  },
  write('refund_order'),
  write('refund_checked', { precondition: paid, verify: refunded }),
  write('refund_verified', { verify: refunded }),
  write('delete_order', { risk: 'high' }),
  write('pay_out', { value_from: 'amount' }),
  write('own_refund', { requires_customer: true }),
]

let house: OpenHouse
let shop: NewTenant
const endpoint = new ScriptedEndpoint()
before(async () => {
  house = await openHouse({ settings: { 'ToolTransport:TimeoutSeconds': '0.4', 'ToolTransport:MaxAttempts': '1' } })
  shop = await newShop()
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

async function newShop(): Promise<NewTenant> {
  const tenant = await house.tenant()
  await house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: CATALOG })
  await house.ask('PUT', '/v1/endpoint', { key: tenant.apiKey, body: { url: await endpoint.start() } })
  return tenant
}

const USER = { 'x-service-user-id': '7' }
const stage = (
  tool: string,
  given: unknown = { number: 'A-1' },
  more: { headers?: Record<string, string>; body?: object; tenant?: NewTenant } = {},
) =>
  house.ask<Staged>('POST', '/v1/actions', {
    key: (more.tenant ?? shop).apiKey,
    body: { tool, arguments: given, ...more.body },
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  })
const staged = async (tool: string, given?: unknown) => (await stage(tool, given)).body
const decide = (
  verb: string,
  actionId: string,
  body?: unknown,
  headers: Record<string, string> = USER,
  key = shop.apiKey,
) =>
  house.ask<Confirmed>('POST', `/v1/actions/${actionId}/${verb}`, {
    key,
    headers,
    ...(body === undefined ? {} : { body }),
  })
const confirm = (actionId: string, body?: unknown, headers?: Record<string, string>, key?: string) =>
  decide('confirm', actionId, body, headers, key)
const outcome = ({ status, body }: { status: number; body: Confirmed }) => [status, body.status, body.errorCode]

const trailOf = statement<
  { event: string; userId: number; reason: string | null },
  [tenantId: number, actionId: string]
>(
  'test.trail_of',
  'select event, user_id as "userId", reason from audit_events where tenant_id = $1::int and action_id = $2::uuid order by id',
)
const toldOf = statement<{ event: string; fields: string }, [tenantId: number, actionId: string]>(
  'test.told_of',
  'select event, fields from outbox where tenant_id = $1::int and action_id = $2::uuid order by outbox_id',
)
const passWindow = statement<unknown, [tenantId: number, actionId: string]>(
  'test.pass_window',
  "update actions set expires_at = now() - interval '1 second' where tenant_id = $1::int and action_id = $2::uuid",
)
const lapseLease = statement<unknown, [tenantId: number, actionId: string]>(
  'test.lapse_lease',
  "update actions set state = 'executing', claim_token = gen_random_uuid(), lease_until = now() - interval '1 second' where tenant_id = $1::int and action_id = $2::uuid",
)
const trail = async (actionId: string) =>
  (await house.database.database.rows(trailOf, [shop.tenantId, actionId])).map(({ event }) => event)
const told = async (actionId: string) =>
  (await house.database.database.rows(toldOf, [shop.tenantId, actionId])).map(({ event }) => event)
const executions = (seen: readonly Seen[]) => seen.filter(({ body }) => body.mode === 'execute')
const answering = (read: unknown, status = 200, body: unknown = { done: true }) =>
  endpoint.play((seen, response) => {
    const reads = seen.body.mode === 'read'
    response.statusCode = reads ? 200 : status
    response.end(JSON.stringify(reads ? read : body))
  })

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
  assert.deepEqual(await trail(body.actionId), ['proposed', 'executed'])
  assert.deepEqual(await told(body.actionId), ['action.pending', 'action.executed'])
  assert.deepEqual(outcome(await confirm(body.actionId)), [404, 'NotFound', 'PENDING_ACTION_NOT_FOUND'])
  assert.equal(seen.length, 1)
})

test('what cannot be staged says why and has no action', async () => {
  const answers = [
    await stage('no_such_tool'),
    await stage('get_order'),
    await stage('refund_order', {}),
    await stage('own_refund'),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.status, body.actionId]),
    [
      [404, 'unknown_tool', null],
      [400, 'invalid_request', null],
      [400, 'invalid_request', null],
      [403, 'customer_required', null],
    ],
  )
  const nothing = await house.ask('POST', '/v1/actions', { key: shop.apiKey, body: {} })
  assert.equal(nothing.error?.code, 'invalid_request')
})

test('the same Idempotency-Key and body give the same action back; another body is a conflict', async () => {
  const headers = { 'idempotency-key': 'order-1' }
  const [first, again] = [
    await stage('refund_order', { number: 'K-1' }, { headers }),
    await stage('refund_order', { number: 'K-1' }, { headers }),
  ]
  assert.equal(again.body.actionId, first.body.actionId)
  assert.notEqual(again.body.confirmationToken, first.body.confirmationToken)
  const other = await stage('refund_order', { number: 'K-2' }, { headers })
  assert.deepEqual([other.status, other.error?.code], [409, 'idempotency_conflict'])
  const parallel = await Promise.all(
    Array.from({ length: 10 }, () =>
      stage('refund_order', { number: 'K-3' }, { headers: { 'idempotency-key': 'order-3' } }),
    ),
  )
  assert.equal(new Set(parallel.map(({ body }) => body.actionId)).size, 1)
  const elsewhere = await stage('refund_order', { number: 'K-2' }, { headers, tenant: await newShop() })
  assert.equal(elsewhere.status, 200, 'a key of one tenant means nothing to another')
})

test('a write called by name is staged too', async () => {
  const seen = answering({})
  const reply = await house.ask<Staged>('POST', '/v1/tools/refund_order/call', {
    key: shop.apiKey,
    body: { arguments: { number: 'A-2' } },
  })
  assert.equal(reply.body.status, 'preview')
  assert.equal(seen.length, 0)
})

test('twenty confirms at once run it once', async () => {
  const seen = endpoint.play((_request, response) => void setTimeout(() => response.end('{"done":true}'), 50))
  const { actionId } = await staged('refund_order')
  const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(actionId)))
  const statuses = replies.map(({ body }) => body.status).sort()
  assert.equal(statuses.filter((status) => status === 'Executed').length, 1)
  assert.ok(
    statuses.every((status) => ['Executed', 'Conflict', 'NotFound'].includes(status)),
    String(statuses),
  )
  assert.equal(seen.length, 1)
  assert.deepEqual(await trail(actionId), ['proposed', 'executed'])
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
  assert.deepEqual(await trail(one.actionId), ['proposed', 'executed', 'replayed'])
  assert.deepEqual(outcome(await confirm(other.actionId, { idempotencyKey: 'k-1' })), [
    400,
    'Conflict',
    'IDEMPOTENCY_KEY_REUSED',
  ])
  assert.equal(seen.length, 1)
  const somebodyElse = await confirm(other.actionId, { idempotencyKey: 'k-1' }, { 'x-service-user-id': '8' })
  assert.equal(somebodyElse.body.status, 'Executed', 'keys are per person')
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
    const listed = await house.ask<Listed>('GET', `/v1/actions?status=${state}`, { key: shop.apiKey })
    assert.ok(listed.body.actions.some((action) => action.actionId === actionId))
  })
}

test('a retryable failure may be confirmed again, three times in all', async () => {
  const seen = answering({}, 429)
  const { actionId } = await staged('refund_order')
  assert.equal((await confirm(actionId)).body.status, 'FailedRetryable')
  assert.equal((await confirm(actionId)).body.status, 'FailedRetryable')
  assert.deepEqual(outcome(await confirm(actionId)), [400, 'FailedTerminal', 'EXECUTION_ATTEMPTS_EXHAUSTED'])
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ body }) => body.request_id)).size, 1)
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
})

test('without an endpoint nothing is sent and it can be confirmed later', async () => {
  const bare = await house.tenant()
  await house.ask('PUT', '/v1/tools', { key: bare.apiKey, body: CATALOG })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant: bare })
  assert.equal((await confirm(body.actionId, undefined, USER, bare.apiKey)).body.status, 'FailedRetryable')
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
  const first = still[0]?.body.request_id
  const seen = answering({}, 200, { replayed: true })
  const settled = await decide('reconcile', actionId)
  assert.deepEqual(outcome(settled), [200, 'Executed', null])
  assert.deepEqual(settled.body.appliedChanges, { replayed: true })
  assert.equal(seen[0]?.body.request_id, first)
  assert.deepEqual(outcome(await decide('reconcile', actionId)), [400, 'Conflict', 'ACTION_NOT_INDETERMINATE'])
  assert.equal(seen.length, 1)
  assert.deepEqual(await trail(actionId), ['proposed', 'executed'])
})

test('two reconciles at once write one outcome', async () => {
  endpoint.play(() => {})
  const { actionId } = await staged('refund_order')
  await confirm(actionId)
  answering({})
  const replies = await Promise.all([
    decide('reconcile', actionId),
    decide('reconcile', actionId),
    decide('reconcile', actionId),
  ])
  assert.ok(replies.every(({ body }) => body.status === 'Executed' || body.errorCode === 'ACTION_NOT_INDETERMINATE'))
  assert.deepEqual(await trail(actionId), ['proposed', 'executed'])
})

test('a no is final, and a confirm after it answers Rejected', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order')
  const rejected = await decide('reject', actionId, { reason: 'Not this one' })
  assert.deepEqual(outcome(rejected), [200, 'Rejected', 'action_rejected'])
  assert.deepEqual(outcome(await confirm(actionId)), [200, 'Rejected', 'action_rejected'])
  assert.equal(seen.length, 0)
  assert.deepEqual(await trail(actionId), ['proposed', 'rejected'])
  const [, event] = await house.database.database.rows(toldOf, [shop.tenantId, actionId])
  assert.deepEqual([event?.event, JSON.parse(event?.fields ?? '{}')], ['action.rejected', { reason: 'Not this one' }])
})

test('after its window an action is expired once, by the sweep or by a late confirm, and never runs', async () => {
  const seen = answering({})
  const { database } = house.database
  const [late, swept] = [await staged('refund_order'), await staged('refund_order')]
  await database.run(passWindow, [shop.tenantId, late.actionId])
  await database.run(passWindow, [shop.tenantId, swept.actionId])
  assert.deepEqual(outcome(await confirm(late.actionId)), [410, 'Expired', 'action_expired'])
  assert.ok((await expireAll(house.app.house)) >= 1)
  assert.equal(await expireAll(house.app.house), 0)
  for (const { actionId } of [late, swept]) {
    assert.deepEqual(await trail(actionId), ['proposed', 'expired'])
    assert.deepEqual(await told(actionId), ['action.pending', 'action.expired'])
    assert.deepEqual(outcome(await confirm(actionId)), [410, 'Expired', 'action_expired'])
  }
  assert.equal(seen.length, 0)
})

test('what a dead process left executing becomes indeterminate and can be reconciled, never confirmed', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order')
  await house.database.database.run(lapseLease, [shop.tenantId, actionId])
  assert.equal((await confirm(actionId)).body.errorCode, 'ACTION_ALREADY_IN_PROGRESS')
  assert.ok((await recoverAll(house.app.house)) >= 1)
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
  assert.equal(seen.length, 0)
  assert.equal((await decide('reconcile', actionId)).body.status, 'Executed')
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
  const listed = await house.ask<Listed>('GET', '/v1/actions', { key: shop.apiKey })
  const hash = listed.body.actions.find((action) => action.actionId === actionId)?.payloadHash
  assert.deepEqual(outcome(await confirm(actionId, { payloadHash: '0'.repeat(64) })), [400, 'Conflict', 'CONFLICT'])
  assert.equal(seen.length, 0)
  assert.equal((await confirm(actionId, { payloadHash: hash })).body.status, 'Executed')
})

test('a precondition is asked at staging and again before the write', async () => {
  const seen = answering({ state: 'open' })
  const refused = await stage('refund_checked')
  assert.deepEqual([refused.status, refused.body.status, refused.body.actionId], [409, 'precondition_failed', null])
  assert.match(refused.body.resultJson, /"state":"open"/)
  assert.equal(executions(seen).length, 0)
  endpoint.play((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  assert.deepEqual([(await stage('refund_checked')).status], [502])
  answering({ state: 'paid' })
  const { actionId } = await staged('refund_checked')
  const unreadable = endpoint.play((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  assert.deepEqual(outcome(await confirm(actionId)), [503, 'PreconditionError', 'precondition_error'])
  const gone = answering({ state: 'refunded' })
  assert.deepEqual(outcome(await confirm(actionId)), [409, 'PreconditionFailed', 'precondition_failed'])
  assert.equal(executions([...unreadable, ...gone]).length, 0)
  assert.deepEqual(await trail(actionId), ['proposed', 'precondition_error', 'precondition_failed'])
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
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
  assert.deepEqual(await trail(actionId), ['proposed', 'executed', 'unverified'])
  assert.deepEqual(await told(actionId), [
    'action.pending',
    'action.executed',
    'action.unverified',
    'conversation.handoff',
  ])
})

test('a token confirms its own action and nothing else', async () => {
  answering({})
  const [one, other] = [await staged('refund_order'), await staged('refund_order')]
  const foreign = await house.ask('POST', `/v1/actions/${other.actionId}/confirm`, { key: one.confirmationToken })
  assert.equal(foreign.error?.code, 'insufficient_scope')
  for (const verb of ['reject', 'reconcile']) {
    const reply = await house.ask('POST', `/v1/actions/${one.actionId}/${verb}`, { key: one.confirmationToken })
    assert.equal(reply.error?.code, 'insufficient_scope')
  }
  const confirmed = await house.ask<Confirmed>('POST', `/v1/actions/${one.actionId}/confirm`, {
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
  await house.ask('PUT', '/v1/tools', {
    key: tenant.apiKey,
    body: CATALOG.filter(({ name }) => name !== 'refund_order'),
  })
  assert.deepEqual(outcome(await confirm(body.actionId, undefined, USER, tenant.apiKey)), [
    400,
    'HandlerMissing',
    'HANDLER_NOT_REGISTERED',
  ])
})

test('what may never be run is refused whoever confirms it, and says the principle only', async () => {
  const seen = answering({})
  const { actionId } = await staged('refund_order', { number: 'nude pictures of a child' })
  const reply = await confirm(actionId, { acknowledgeHighRisk: true })
  assert.deepEqual(outcome(reply), [451, 'Prohibited', 'action_prohibited'])
  assert.doesNotMatch(reply.body.errorMessage ?? '', /nude/)
  assert.equal(seen.length, 0)
  assert.deepEqual(await trail(actionId), ['proposed', 'prohibited'])
})

test('the staged customer and scope are the ones that the endpoint sees', async () => {
  const seen = answering({})
  const issued = await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: shop.apiKey,
  })
  const token = await mintCustomerToken({
    key: issued.body.customerTokenKey,
    tenantId: shop.tenantId,
    customerId: 'cus_9',
  })
  const { body } = await stage(
    'own_refund',
    { number: 'A' },
    { headers: { 'x-service-customer-token': token, 'x-service-scope-id': '3' } },
  )
  await confirm(body.actionId, undefined, { ...USER, 'x-service-scope-id': '99' })
  assert.deepEqual(seen[0]?.body.customer, { id: 'cus_9' })
  assert.deepEqual(seen[0]?.body.tenant, { organization_id: shop.tenantId, scope_id: 3 })
})

test('a foreign tenant sees and decides nothing', async () => {
  const { actionId } = await staged('refund_order')
  const other = await newShop()
  for (const verb of ['confirm', 'reject', 'reconcile']) {
    assert.equal((await decide(verb, actionId, undefined, USER, other.apiKey)).status, 404, verb)
  }
  const listed = await house.ask<Listed>('GET', '/v1/actions', { key: other.apiKey })
  assert.equal(listed.body.count, 0)
  for (const odd of ['x', '00000000-0000-0000-0000-000000000000', '%F0%9F%92%A9'])
    assert.equal((await confirm(odd)).status, 404)
})

test('two people under a policy: one yes waits, the second runs it, once', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => house.ask(method, path, { key: tenant.apiKey, body })
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
  const token = await house.ask<Confirmed>('POST', `/v1/actions/${body.actionId}/confirm`, {
    key: body.confirmationToken,
  })
  assert.equal(token.body.status, 'ApproverUnknown', 'an unbound token is nobody under a policy')
  assert.equal((await as(2)).body.status, 'Executed')
  assert.equal(seen.length, 1)
  const events = await house.database.database.rows(trailOf, [tenant.tenantId, body.actionId])
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

test('two racing confirms under a policy read approved, approved, executed, superseded', async () => {
  const tenant = await newShop()
  const ask = (method: string, path: string, body: unknown) => house.ask(method, path, { key: tenant.apiKey, body })
  await ask(
    'PUT',
    '/v1/users',
    [1, 2].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' })),
  )
  await ask('PUT', '/v1/policy', { rules: [{ roles: ['manager'] }] })
  const seen = endpoint.play((_request, response) => void setTimeout(() => response.end('{}'), 120))
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const replies = await Promise.all(
    [1, 2].map((userId) => confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey)),
  )
  assert.deepEqual(replies.map((reply) => reply.body.status).sort(), ['Conflict', 'Executed'])
  assert.equal(seen.length, 1)
  const events = await house.database.database.rows(trailOf, [tenant.tenantId, body.actionId])
  assert.deepEqual(
    events.map(({ event }) => event),
    ['proposed', 'approved', 'approved', 'executed', 'superseded'],
  )
})

test('the list has what was asked for, newest first, and is clamped', async () => {
  const tenant = await newShop()
  for (let turn = 0; turn < 3; turn++)
    await stage(
      turn === 1 ? 'pay_out' : 'refund_order',
      { number: `N-${turn}`, amount: 1 },
      { tenant, headers: { 'x-service-scope-id': String(turn + 1) } },
    )
  const list = async (query: string) =>
    (await house.ask<Listed>('GET', `/v1/actions${query}`, { key: tenant.apiKey })).body.actions.map(
      (action) => action.arguments.number,
    )
  assert.deepEqual(await list(''), ['N-2', 'N-1', 'N-0'])
  assert.deepEqual(await list('?limit=1'), ['N-2'])
  assert.deepEqual(await list('?limit=0'), ['N-2'])
  assert.deepEqual(await list('?tool=pay_out'), ['N-1'])
  assert.deepEqual(await list('?scope=1'), ['N-0'])
  assert.deepEqual(await list('?status=executed'), [])
  for (const bad of ['?status=executing', '?status=x', '?scope=a', '?limit=x']) {
    assert.equal(
      (await house.ask('GET', `/v1/actions${bad}`, { key: tenant.apiKey })).error?.code,
      'invalid_request',
      bad,
    )
  }
})
