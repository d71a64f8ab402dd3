// The whole way of an API that knows nothing of us: its document is drafted, declared and registered; a conversation reads
// from it and proposes a write; a person confirms it; it runs once, and what came back decides what became of it.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { ChatAnswer } from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { answer, PretendApi } from '../../../testkit/pretend-api.ts'
import { importCalls } from './fixtures/import-calls.ts'
import { SHOP } from './fixtures/shop.ts'
import { openApiImport } from './module.ts'

type Confirmed = z.output<typeof contract.ConfirmAnswer>
type Staged = z.output<typeof contract.StageAnswer>

const api = new PretendApi()
const model = playedModel()
let house: OpenHouse
let shop: NewTenant
let baseUrl = ''
const calls = importCalls(() => house)

const DECLARED = {
  list_orders: { is_write: false, parameters: { limit: { omit: true } } },
  get_order: { is_write: false },
  refund_order: {
    is_write: true,
    outcomes: { 409: 'refused', 423: 'indeterminate' },
    verify: {
      tool: 'get_order',
      arguments: { number: { from: 'number' } },
      check: { path: 'state', equals: 'refunded' },
    },
  },
}

before(async () => {
  baseUrl = `${await api.start()}/v2`
  house = await openHouse({
    modules: [openApiImport],
    model,
    settings: { 'ToolTransport:TimeoutSeconds': '4', 'ToolTransport:MaxAttempts': '1' },
  })
  shop = await house.tenant()
  const sent = { document: SHOP, baseUrl, operations: DECLARED, skipUndeclared: true, credential: 'secret-of-the-shop' }
  const { status, body, text } = await calls.send(shop.apiKey, sent)
  assert.equal(status, 200, text)
  const registered = await calls.register(shop.apiKey, body.catalog)
  assert.equal(registered.status, 200, registered.text)
})
after(async () => {
  await house.close()
  await api.stop()
})

const confirm = (actionId: string | null) =>
  house.ask<Confirmed>('POST', `/v1/actions/${actionId}/confirm`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
async function staged(): Promise<string> {
  const { body, text } = await house.ask<Staged>('POST', '/v1/actions', {
    key: shop.apiKey,
    body: { tool: 'refund_order', arguments: { number: 'A-1', amount: 12.5 } },
  })
  return body.actionId ?? assert.fail(text)
}

test('a conversation reads from the imported API and proposes a write; a person confirms it; it is verified', async () => {
  const seen = api.play((call, response) =>
    answer(
      response,
      200,
      call.method === 'GET' ? { number: 'A-1', state: 'refunded', total: 12.5 } : { refund: 'R-9' },
    ),
  )
  model.play(
    [{ call: 'get_order', with: { number: 'A-1' } }],
    [{ call: 'refund_order', with: { number: 'A-1', amount: 12.5, reason: null } }],
    ['A colleague decides it.'],
  )
  const turn = await house.ask<ChatAnswer>('POST', '/v1/chat', {
    key: shop.apiKey,
    body: { prompt: 'Refund order A-1, please.', enableWriteActions: true },
  })
  assert.equal(turn.status, 200, turn.text)
  assert.deepEqual(
    turn.body.meta.toolCalls.map(({ tool, status }) => [tool, status]),
    [
      ['get_order', 'ok'],
      ['refund_order', 'staged'],
    ],
  )
  assert.deepEqual(
    seen.map(({ method, target }) => `${method} ${target}`),
    ['GET /v2/orders/A-1'],
  )
  const [proposal] = turn.body.meta.proposals
  const { status, body } = await confirm(proposal?.actionId ?? null)
  assert.deepEqual([status, body.status, body.appliedChanges], [200, 'Executed', { refund: 'R-9' }])
  assert.equal(body.verification?.status, 'verified')
  const [, write, verify] = seen
  assert.deepEqual(
    [write?.method, write?.target, write?.json],
    ['POST', '/v2/orders/A-1/refunds', { amount: 12.5, reason: null }],
  )
  assert.equal(write?.headers.authorization, 'Bearer secret-of-the-shop')
  assert.ok(String(write?.headers['idempotency-key']).length > 10)
  assert.equal(verify?.target, '/v2/orders/A-1')
  assert.ok(!turn.text.includes('secret-of-the-shop'))
})

/** What the API answers to the write, and what becomes of it. */
const ENDS: readonly (readonly [what: string, status: number | 'hangs', http: number, ends: string, then: string])[] = [
  ['a 409 that is declared refused', 409, 409, 'ProviderRefused', 'failed'],
  ['a 423 that is declared indeterminate', 423, 409, 'Indeterminate', 'indeterminate'],
  ['a 422 that nobody declared', 422, 409, 'ProviderRefused', 'failed'],
  ['a 429', 429, 400, 'FailedRetryable', 'pending'],
  ['a 408', 408, 400, 'FailedRetryable', 'pending'],
  ['a 500', 500, 409, 'Indeterminate', 'indeterminate'],
  ['no answer in time', 'hangs', 409, 'Indeterminate', 'indeterminate'],
]
for (const [what, status, http, ends, then] of ENDS) {
  test(`${what}: ${ends}, and the write is ${then}`, async () => {
    const seen = api.play((_call, response) => {
      if (status !== 'hangs') answer(response, status, { error: { code: 'not_now', message: 'The shop says why.' } })
    })
    const actionId = await staged()
    const confirmed = await confirm(actionId)
    assert.deepEqual([confirmed.status, confirmed.body.status], [http, ends], confirmed.text)
    assert.equal(seen.length, 1)
    if (ends === 'ProviderRefused') assert.match(confirmed.body.errorMessage ?? '', /The shop says why/)
    const waiting = await house.ask<{ actions: { actionId: string }[] }>(
      'GET',
      `/v1/actions?status=${then}&limit=200`,
      {
        key: shop.apiKey,
      },
    )
    assert.ok(waiting.body.actions.some((one) => one.actionId === actionId))
  })
}

test('a credential that is changed counts from the next call, and a required token is asked for at confirm', async () => {
  const seen = api.answering(200, { state: 'refunded' })
  const actionId = await staged()
  await calls.patch(shop.apiKey, { credential: 'the-next-credential', userToken: 'require' })
  const { body } = await confirm(actionId)
  assert.deepEqual([body.errorCode, seen.length], ['user_token_required', 0])
  await calls.patch(shop.apiKey, { userToken: 'ignore' })
  assert.equal((await confirm(await staged())).body.status, 'Executed')
  assert.equal(seen[0]?.headers.authorization, 'Bearer the-next-credential')
})
