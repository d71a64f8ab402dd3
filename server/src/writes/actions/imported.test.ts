// Staged writes of an imported API, from the proposal to what became of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiCredential } from '@tether/contract'
import { type ApiScript, answer, PretendApi } from '../../../testkit/pretend-api.ts'
import { api, importing, set } from '../../tools/calls/fixtures/imported-shop.ts'
import {
  decide,
  events,
  named,
  outcome,
  say,
  selling,
  stage,
  stateOf,
  trail,
  writes,
} from './fixtures/imported-writes.ts'

const lookAt = async ({ actionId }: { actionId: string }) =>
  (
    await set.house.ask<{ requestPreview: { method: string; headers: string[]; body: unknown } }>(
      'GET',
      `/v1/actions/${actionId}`,
      { key: set.shop.apiKey },
    )
  ).body

test('a write goes to the API once it is confirmed, once, under the key of its action, and is verified there', async () => {
  await importing({ credential: 'secret-of-the-shop' })
  const looked = await lookAt(await stage('refund_verified'))
  const seen = selling('refunded', say(201, '{"id":9007199254740993,"amount":12.50}'))
  const staged = await stage('refund_verified')
  assert.equal(seen.length, 0)
  const confirmed = await decide('confirm', staged)
  assert.deepEqual(outcome(confirmed), [200, 'Executed', null])
  assert.ok(confirmed.text.includes('"appliedChanges":{"id":9007199254740993,"amount":12.50}'), confirmed.text)
  assert.equal(confirmed.body.verification?.status, 'verified')
  const [write, ...others] = writes(seen)
  assert.equal(others.length, 0)
  assert.equal(write?.target, '/v2/orders/A-1/refunds')
  assert.equal(write?.text, '{"amount":12.5}')
  const { headers } = write ?? assert.fail('nothing came')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers.authorization, 'Bearer secret-of-the-shop')
  assert.equal(headers['idempotency-key'], headers['x-service-idempotency-key'])
  assert.match(String(headers['x-service-signature']), /^sha256=/)
  const ofTheConnection = ['accept-encoding', 'connection', 'content-length', 'host', 'transfer-encoding', 'user-agent']
  assert.deepEqual(
    looked.requestPreview.headers.map((name) => name.toLowerCase()).sort(),
    Object.keys(headers)
      .filter((name) => !ofTheConnection.includes(name))
      .sort(),
    'what a person was shown is what was sent',
  )
  assert.deepEqual([looked.requestPreview.method, looked.requestPreview.body], ['POST', { amount: 12.5 }])
  assert.deepEqual(await named(staged), ['proposed', 'approved', 'executed', 'verified'])
  assert.deepEqual(outcome(await decide('confirm', staged)), [404, 'NotFound', 'PENDING_ACTION_NOT_FOUND'])
  assert.equal(writes(seen).length, 1)
})

const REFUSED: readonly (readonly [what: string, script: ApiScript, reason: RegExp])[] = [
  [
    '409 with a code',
    say(409, { error: { code: 'refunded', message: 'It was refunded before.' } }),
    /409 refunded: It was refunded before\./,
  ],
  [
    '422 of problem details',
    say(422, { title: 'Unprocessable', detail: 'The amount is too high.' }),
    /422: Unprocessable: The amount is too high\./,
  ],
  ['404 in words', say(404, 'No such order'), /404: No such order/],
  ['400 that says nothing', say(400, ''), /400/],
]

for (const [what, script, reason] of REFUSED) {
  test(`a write that the API refuses (${what}) is over, with its reason in the answer, the trail and the event`, async () => {
    const seen = selling('paid', script)
    const staged = await stage('refund_order')
    const refused = await decide('confirm', staged)
    assert.deepEqual(outcome(refused), [409, 'ProviderRefused', 'provider_refused'])
    assert.match(refused.body.errorMessage ?? '', reason)
    assert.equal(await stateOf(staged), 'failed')
    const last = (await trail(staged)).at(-1)
    assert.deepEqual([last?.event, last?.userId], ['provider_refused', 7])
    assert.match(last?.reason ?? '', reason)
    const event = (await events(staged)).at(-1)
    assert.equal(event?.event, 'action.provider_refused')
    assert.match(JSON.parse(event?.fields ?? '{}').reason, reason)
    assert.deepEqual(outcome(await decide('confirm', staged)), [404, 'NotFound', 'PENDING_ACTION_NOT_FOUND'])
    assert.equal(writes(seen).length, 1)
  })
}

test('after a 429 or a 408 the write can be confirmed again, under the same key, three times in all', async () => {
  const seen = selling('paid', (_call, response, turn) =>
    answer(response, turn === 1 ? 429 : 408, { message: 'Later.' }),
  )
  const staged = await stage('refund_order')
  for (const said of ['EXECUTION_FAILED_RETRYABLE', 'EXECUTION_FAILED_RETRYABLE'])
    assert.deepEqual(outcome(await decide('confirm', staged)), [400, 'FailedRetryable', said])
  assert.equal(await stateOf(staged), 'pending')
  const last = await decide('confirm', staged)
  assert.deepEqual(outcome(last), [400, 'FailedTerminal', 'EXECUTION_ATTEMPTS_EXHAUSTED'])
  assert.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.equal(seen.length, 3)
})

const UNKNOWN: readonly (readonly [what: string, script: ApiScript])[] = [
  ['a 500', say(500)],
  ['a 503', say(503, 'down')],
  ['a redirect', say(302, '', { location: '/elsewhere' })],
  ['no answer in time', () => {}],
  ['a lost connection', (_call, response) => void response.socket?.destroy()],
  ['more than we read', say(200, { much: 'x'.repeat(5000) })],
  ['a word that it still runs', say(409, { status: 'in_flight' })],
]

for (const [what, script] of UNKNOWN) {
  test(`after ${what} nobody knows, and a reconcile asks again under the same key`, async () => {
    await importing({ credential: 'secret-of-the-shop' })
    const seen = selling('paid', script)
    const staged = await stage('refund_order')
    assert.deepEqual(outcome(await decide('confirm', staged)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
    assert.equal(await stateOf(staged), 'indeterminate')
    const [first, ...others] = writes(seen)
    assert.equal(others.length, 0, 'it is not tried again, nor anywhere else')
    const again = selling('paid', say(200, { refunded: true }))
    const reconciled = await decide('reconcile', staged)
    assert.deepEqual(outcome(reconciled), [200, 'Executed', null])
    assert.deepEqual(reconciled.body.appliedChanges, { refunded: true })
    assert.equal(writes(again)[0]?.headers['idempotency-key'], first?.headers['idempotency-key'])
    assert.equal(writes(again)[0]?.text, first?.text)
  })
}

test('what the tenant declares of a status decides', async () => {
  selling('paid', say(409, { message: 'Maybe.' }))
  const maybe = await stage('refund_declared')
  assert.deepEqual(outcome(await decide('confirm', maybe)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  selling('paid', say(429, { message: 'Never.' }))
  const never = await stage('refund_declared')
  assert.deepEqual(outcome(await decide('confirm', never)), [409, 'ProviderRefused', 'provider_refused'])
})

test('an API that cannot be reached has applied nothing', async () => {
  const gone = new PretendApi()
  const baseUrl = await gone.start()
  await gone.stop()
  await importing({ baseUrl })
  const staged = await stage('refund_order')
  assert.deepEqual(outcome(await decide('confirm', staged)), [400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE'])
})

const client = async (): Promise<ApiCredential> => ({
  scheme: 'oauth2_client_credentials',
  tokenUrl: `${await api.start()}/token`,
  clientId: `shop ${Math.random()}`,
  clientSecret: 'secret-of-the-shop',
})

test('a write that the API answers with 401 is refused with each scheme, is never sent again, and repeats nothing', async () => {
  const schemes: ApiCredential[] = [
    'secret-of-the-shop',
    { scheme: 'bearer', token: 'secret-of-the-shop' },
    { scheme: 'header', name: 'X-Api-Key', value: 'secret-of-the-shop' },
    { scheme: 'query', name: 'key', value: 'secret-of-the-shop' },
    { scheme: 'basic', username: 'shop', password: 'secret-of-the-shop' },
    await client(),
  ]
  for (const credential of schemes) {
    await importing({ credential })
    api.issuing()
    const seen = selling('paid', ({ target, headers }, response) =>
      answer(response, 401, { message: `${target} ${JSON.stringify(headers)} is not known` }),
    )
    const staged = await stage('refund_order')
    const refused = await decide('confirm', staged)
    assert.deepEqual(outcome(refused), [409, 'ProviderRefused', 'provider_refused'])
    assert.match(refused.body.errorMessage ?? '', /It was called with the stored credential\.$/)
    assert.equal(writes(seen).length, 1)
    const everything = `${refused.text}${JSON.stringify([await trail(staged), await events(staged)])}`
    for (const secret of [
      'secret-of-the-shop',
      'token-number-',
      Buffer.from('shop:secret').toString('base64').slice(0, 12),
    ])
      assert.ok(!everything.includes(secret), `${JSON.stringify(credential)}: ${everything}`)
  }
})

test('a write that is refused for its token is not sent again with another, and the token is not used again', async (t) => {
  if (set.house.instances > 1) return t.skip('each instance has a token of its own')
  await importing({ credential: await client() })
  const tokens = api.issuing()
  selling('paid', say(200))
  await decide('confirm', await stage('refund_order'))
  const refused = selling('paid', say(401))
  // The token was good a moment ago. A read would be sent again with a new one.
  assert.deepEqual(outcome(await decide('confirm', await stage('refund_order'))), [
    409,
    'ProviderRefused',
    'provider_refused',
  ])
  assert.equal(refused.length, 1)
  const seen = selling('paid', say(200))
  assert.deepEqual(outcome(await decide('confirm', await stage('refund_order'))), [200, 'Executed', null])
  assert.equal(seen[0]?.headers.authorization, 'Bearer token-number-2')
  assert.equal(tokens.length, 2)
})

test('a confirm without the person’s token, where the API wants one, calls nothing and ends the action', async () => {
  await importing({ userToken: 'require', credential: 'secret-of-the-shop' })
  const seen = selling('refunded', say(200))
  const without = await stage('refund_order')
  assert.deepEqual(outcome(await decide('confirm', without)), [400, 'FailedTerminal', 'user_token_required'])
  assert.equal(await stateOf(without), 'failed')
  assert.deepEqual(await named(without), ['proposed', 'approved', 'failed'])
  assert.equal(seen.length, 0)
  const token = { 'x-service-upstream-token': 'token-of-the-person' }
  const staged = await stage('refund_verified')
  const confirmed = await decide('confirm', staged, token)
  assert.deepEqual([...outcome(confirmed), confirmed.body.verification?.status], [200, 'Executed', null, 'verified'])
  assert.deepEqual(new Set(seen.map(({ headers }) => headers.authorization)), new Set(['Bearer token-of-the-person']))
  const bad = await decide('confirm', await stage('refund_order'), { 'x-service-upstream-token': 'a b' })
  assert.deepEqual(
    [bad.status, bad.error?.code, bad.error?.reason],
    [400, 'invalid_upstream_token', 'invalid_characters'],
  )
})

test('a precondition is read at the API, with its own word for why it could not be', async () => {
  const seen = selling('shipped', say(200))
  const unmet = await set.house.ask('POST', '/v1/actions', {
    key: set.shop.apiKey,
    body: { tool: 'refund_checked', arguments: { number: 'A-1' } },
  })
  assert.deepEqual([unmet.status, unmet.body.status], [409, 'precondition_failed'])
  api.answering(403, { message: 'Not yours.' })
  const unread = await set.house.ask('POST', '/v1/actions', {
    key: set.shop.apiKey,
    body: { tool: 'refund_checked', arguments: { number: 'A-1' } },
  })
  assert.deepEqual([unread.status, unread.body.status], [502, 'precondition_error'])
  assert.match(String(unread.body.message), /403: Not yours\. It was called without a credential: none was sent\./)
  assert.equal(writes(seen).length, 0)
})

test('a write that must not be sent twice waits for a person’s word, which is theirs in the trail', async () => {
  const cases = [
    ['refund_once', true, 'I saw it there.', [200, 'Executed', null], 'executed', ['executed']],
    ['refund_once', false, undefined, [400, 'FailedTerminal', 'EXECUTION_FAILED'], 'failed', ['failed']],
    ['refund_once_verified', true, undefined, [200, 'Executed', null], 'executed', ['executed', 'verified']],
  ] as const
  for (const [tool, performed, note, said, state, events] of cases) {
    const seen = selling('refunded', say(500))
    const staged = await stage(tool)
    assert.deepEqual(outcome(await decide('confirm', staged)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
    for (let times = 0; times < 2; times++) {
      const asked = await decide('reconcile', staged)
      assert.deepEqual(outcome(asked), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
      assert.match(asked.body.errorMessage ?? '', /"performed": true/)
    }
    assert.equal(writes(seen).length, 1, 'nothing is sent again')
    assert.deepEqual(await named(staged), ['proposed', 'approved'])
    const nobodys = await decide('reconcile', staged, { 'x-service-user-id': '' }, { performed, note })
    assert.deepEqual(outcome(nobodys), [403, 'ApproverUnknown', 'approver_unknown'])
    assert.equal(await stateOf(staged), 'indeterminate')
    const settled = await decide('reconcile', staged, { 'x-service-user-id': '9' }, { performed, note })
    assert.deepEqual(outcome(settled), said)
    assert.equal(await stateOf(staged), state)
    assert.equal(writes(seen).length, 1)
    const after = (await trail(staged)).slice(2)
    assert.deepEqual(
      after.map(({ event }) => event),
      events,
    )
    assert.deepEqual([after[0]?.userId, after[0]?.reason], [9, note ?? null])
    assert.deepEqual(
      outcome(await decide('reconcile', staged, { 'x-service-user-id': '9' }, { performed: !performed })),
      [400, 'Conflict', 'ACTION_NOT_INDETERMINATE'],
    )
  }
})

test('of two people who say different things at once, one is heard', async () => {
  for (let round = 0; round < 5; round++) {
    selling('refunded', say(500))
    const staged = await stage('refund_once')
    await decide('confirm', staged)
    const both = await Promise.all(
      [true, false].map((performed) => decide('reconcile', staged, { 'x-service-user-id': '9' }, { performed })),
    )
    const heard = both.filter(({ body }) => body.status === 'Executed' || body.status === 'FailedTerminal')
    assert.ok(heard.length >= 1)
    const settled = (await named(staged)).filter((event) => event === 'executed' || event === 'failed')
    assert.equal(settled.length, 1)
    const state = await stateOf(staged)
    assert.equal(state, settled[0])
  }
})

test('a person’s word is not taken where the API can be asked', async () => {
  const seen = selling('paid', say(500))
  const staged = await stage('refund_order')
  await decide('confirm', staged)
  const refused = await decide('reconcile', staged, {}, { performed: true })
  assert.deepEqual(outcome(refused), [400, 'Conflict', 'CONFLICT'])
  assert.equal(await stateOf(staged), 'indeterminate')
  assert.equal(writes(seen).length, 1)
})
