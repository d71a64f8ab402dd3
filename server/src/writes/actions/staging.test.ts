import assert from 'node:assert/strict'
import test from 'node:test'
import { mintCustomerToken } from '@tether/sdk'
import { openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { statement } from '../../kernel/db/index.ts'
import {
  announced,
  answering,
  CATALOG,
  type Confirmed,
  confirm,
  decide,
  endpoint,
  executions,
  type Listed,
  newShop,
  outcome,
  passWindow,
  type Staged,
  set,
  stage,
  staged,
  trail,
  USER,
} from './fixtures/shop.ts'
import { expireAll, forgetAll } from './index.ts'

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
  for (const body of [{}, { tool: '' }]) {
    const nothing = await set.house.ask('POST', '/v1/actions', { key: set.shop.apiKey, body })
    assert.deepEqual([nothing.status, nothing.error?.code], [400, 'invalid_request'], 'no tool is named')
  }
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

test('a key that was used says nothing to a request of another customer, scope or rationale', async () => {
  const { body } = await set.house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: set.shop.apiKey,
  })
  const { tenantId } = set.shop
  const as = async (customerId: string, more: Record<string, string> = {}) => ({
    'idempotency-key': 'for-somebody',
    'x-service-customer-token': await mintCustomerToken({ key: body.customerTokenKey, tenantId, customerId }),
    ...more,
  })
  const asked = async (headers: Record<string, string>, rationale = 'It broke') =>
    await stage('own_refund', { number: 'K-4' }, { headers, body: { rationale } })
  const first = await asked(await as('ana'))
  assert.equal((await asked(await as('ana'))).body.actionId, first.body.actionId)
  const others = [
    await asked(await as('beka')),
    await asked(await as('ana', { 'x-service-scope-id': '9' })),
    await asked(await as('ana'), 'It is late'),
  ]
  for (const { status, error } of others) assert.deepEqual([status, error?.code], [409, 'idempotency_conflict'])
})

test('a write called by name is staged too', async () => {
  const seen = answering({})
  const reply = await set.house.ask<Staged>('POST', '/v1/tools/refund_order/call', {
    key: set.shop.apiKey,
    body: { arguments: { number: 'A-2' } },
  })
  assert.equal(reply.body.status, 'preview')
  assert.equal(seen.length, 0)
})

test('a write called by name takes an Idempotency-Key as well', async () => {
  const call = (number: string) =>
    set.house.ask<Staged>('POST', '/v1/tools/refund_order/call', {
      key: set.shop.apiKey,
      headers: { 'idempotency-key': 'called' },
      body: { arguments: { number } },
    })
  const [first, again, other] = [await call('C-1'), await call('C-1'), await call('C-2')]
  assert.equal(again.body.actionId, first.body.actionId)
  assert.deepEqual([other.status, other.error?.code], [409, 'idempotency_conflict'])
})

test('after its window an action is expired once, by the sweep or by a late confirm, and never runs', async () => {
  const seen = answering({})
  const { database } = set.house.database
  const [late, swept] = [await staged('refund_order'), await staged('refund_order')]
  await database.run(passWindow, { tenantId: set.shop.tenantId, actionId: late.actionId })
  await database.run(passWindow, { tenantId: set.shop.tenantId, actionId: swept.actionId })
  assert.deepEqual(outcome(await confirm(late.actionId)), [410, 'Expired', 'action_expired'])
  assert.ok((await expireAll(set.house.app.house)) >= 1)
  assert.equal(await expireAll(set.house.app.house), 0)
  for (const { actionId } of [late, swept]) {
    assert.deepEqual(await trail(actionId), ['proposed', 'expired'])
    assert.deepEqual(await announced(actionId), ['action.pending', 'action.expired'])
    assert.deepEqual(outcome(await confirm(actionId)), [410, 'Expired', 'action_expired'])
  }
  assert.equal(seen.length, 0)
})

test('a value of any size is staged, and what runs has it as it was written', async () => {
  const seen = answering({})
  for (const amount of ['1e-20000', '-1e-99999999999', '1e-400', `0.${'0'.repeat(900)}1`]) {
    const raw = `{"tool": "pay_out", "arguments": {"number": "A", "amount": ${amount}}}`
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await set.house.ask<Staged>('POST', '/v1/actions', { key: set.shop.apiKey, headers, raw })
    assert.equal(status, 200, amount)
    assert.equal((await confirm(body.actionId)).body.status, 'Executed', amount)
    assert.ok(seen.at(-1)?.text.includes(`"amount":${amount}`), amount)
  }
})

test('a precondition is asked at staging and again before the write', async () => {
  const seen = answering({ state: 'open' })
  const refused = await stage('refund_checked')
  assert.deepEqual([refused.status, refused.body.status, refused.body.actionId], [409, 'precondition_failed', null])
  assert.deepEqual(JSON.parse(refused.body.resultJson), {
    reason: '`state` is "open"; it must be "paid".',
    check: { tool: 'get_order', path: 'state', equals: 'paid' },
    result: { state: 'open' },
  })
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
  const { body } = await set.house.ask<{ events: { actionId: string; event: string; reason: string | null }[] }>(
    'GET',
    '/v1/audit?limit=1000',
    { key: set.shop.apiKey },
  )
  assert.deepEqual(
    body.events.filter((event) => event.actionId === actionId).map(({ event, reason }) => [event, reason]),
    [
      ['proposed', null],
      ['approved', null],
      ['precondition_error', null],
      ['precondition_failed', '`state` is "refunded"; it must be "paid".'],
    ],
  )
  assert.equal((await confirm(actionId)).body.status, 'NotFound')
})

test('a precondition is read as often as any read, each time with its own time, and says when it was one', async (t) => {
  const settings = { 'ToolTransport:TimeoutSeconds': '2.5', 'ToolTransport:MaxAttempts': '2' }
  const house = await openHouse({ settings })
  t.after(() => house.close())
  const { apiKey: key } = await house.tenant()
  await house.ask('PUT', '/v1/tools', { key, body: CATALOG })
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
  const ask = () => {
    const body = { tool: 'refund_checked', arguments: { number: 'A-1' } }
    return house.ask<Staged & { message?: string }>('POST', '/v1/actions', { key, body })
  }
  const late = endpoint.play((_request, response, turn) => {
    if (turn > 1) response.end('{"state":"paid"}')
  })
  const staged = await ask()
  assert.deepEqual([staged.status, late.length], [200, 2], staged.text)
  const never = endpoint.play(() => {})
  const hung = await ask()
  assert.deepEqual([hung.status, hung.body.status, never.length], [502, 'precondition_error', 2])
  assert.match(hung.body.message ?? '', /no complete answer within 2500 ms\. Tried 2 times/)
  const headers = { 'x-service-user-id': '7' }
  const confirmed = await house.ask<Confirmed>('POST', `/v1/actions/${staged.body.actionId}/confirm`, { key, headers })
  assert.deepEqual([confirmed.status, confirmed.body.status], [503, 'PreconditionError'])
  assert.match(confirmed.body.errorMessage ?? '', /no complete answer within 2500 ms\. Tried 2 times/)
})

test('the staged customer and scope are the ones that the endpoint sees', async () => {
  const seen = answering({})
  const issued = await set.house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: set.shop.apiKey,
  })
  const token = await mintCustomerToken({
    key: issued.body.customerTokenKey,
    tenantId: set.shop.tenantId,
    customerId: 'cus_9',
  })
  const { body } = await stage(
    'own_refund',
    { number: 'A' },
    { headers: { 'x-service-customer-token': token, 'x-service-scope-id': '3' } },
  )
  await confirm(body.actionId, undefined, { ...USER, 'x-service-scope-id': '99' })
  assert.deepEqual(seen[0]?.body.customer, { id: 'cus_9' })
  assert.deepEqual(seen[0]?.body.tenant, { organization_id: set.shop.tenantId, scope_id: 3 })
})

test('a foreign tenant sees and decides nothing', async () => {
  const { actionId } = await staged('refund_order')
  const other = await newShop()
  for (const verb of ['confirm', 'reject', 'reconcile']) {
    assert.equal((await decide(verb, actionId, undefined, USER, other.apiKey)).status, 404, verb)
  }
  const listed = await set.house.ask<Listed>('GET', '/v1/actions', { key: other.apiKey })
  assert.equal(listed.body.count, 0)
})

test('an id that no action has is answered as it was sent', async () => {
  for (const [odd, sent = odd] of [
    ['x'],
    ['00000000-0000-0000-0000-000000000000'],
    ['%F0%9F%92%A9', '💩'],
    ['019AA7A1-6C2E-7B1F-9D3A-2F4C5E6D7A8B'],
  ] as const) {
    for (const verb of ['confirm', 'reject', 'reconcile']) {
      const { status, body } = await decide(verb, odd)
      assert.deepEqual([body.status, body.actionId], ['NotFound', sent], verb)
      if (verb !== 'reconcile') assert.equal(status, 404)
    }
  }
})

test('what was not staged for its customer or its precondition has a status; what was asked wrongly has an error too', async () => {
  const answers: [number, string, string | undefined][] = []
  const ask = async (...given: Parameters<typeof stage>) => {
    const { status, body, error } = await stage(...given)
    assert.equal(body.actionId, null)
    answers.push([status, body.status, error?.code])
  }
  answering({ state: 'open' })
  await ask('own_refund')
  await ask('refund_checked')
  endpoint.play((_request, response) => void response.writeHead(500).end())
  await ask('refund_checked')
  await ask('no_such_tool')
  await ask('get_order')
  assert.deepEqual(answers, [
    [403, 'customer_required', undefined],
    [409, 'precondition_failed', undefined],
    [502, 'precondition_error', undefined],
    [404, 'unknown_tool', 'unknown_tool'],
    [400, 'invalid_request', 'invalid_request'],
  ])
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
    (await set.house.ask<Listed>('GET', `/v1/actions${query}`, { key: tenant.apiKey })).body.actions.map(
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
      (await set.house.ask('GET', `/v1/actions${bad}`, { key: tenant.apiKey })).error?.code,
      'invalid_request',
      bad,
    )
  }
})

const ageTokens = statement<unknown, { tenantId: number }>(
  'test.age_tokens',
  `update keys set ${setBack('expires_at', '3 days')} where tenant_id = $tenantId::int and kind = 'action'`,
)

test('a token that comes late hears that the window has passed; a day later it is forgotten', async () => {
  const { database } = set.house.database
  const { actionId, confirmationToken: key } = await staged('refund_order')
  await database.run(passWindow, { tenantId: set.shop.tenantId, actionId })
  const late = await set.house.ask<Confirmed>('POST', `/v1/actions/${actionId}/confirm`, { key })
  assert.deepEqual(outcome(late), [410, 'Expired', 'action_expired'])
  await database.run(ageTokens, { tenantId: set.shop.tenantId })
  assert.ok((await forgetAll(set.house.app.house)) >= 1)
  const gone = await set.house.ask('POST', `/v1/actions/${actionId}/confirm`, { key })
  assert.equal(gone.error?.code, 'invalid_api_key')
})
