// Trials of a catalog: what a turn would choose is judged, and nothing of it reaches the business, a person or a conversation.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TrialsAnswer } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { ModelFailure } from '../../kernel/model/index.ts'
import { offline } from '../../modules/offline/module.ts'
import { customer, listening, newShop, openTalk, type Shop, talk } from '../chat/fixtures/talk.ts'

openTalk({
  modules: [offline],
  settings: { 'RateLimit:FreePlanRequestsPerDay': '3', 'AI:Trials:MaxCases': '6', 'AI:Trials:MaxConcurrent': '2' },
  price: { inputMicros: 1_000_000, outputMicros: 2_000_000 },
})

const trial = (shop: Shop, cases: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  talk.house.ask<TrialsAnswer>('POST', '/v1/tools/trials', { key: shop.apiKey, body: { cases, ...more }, headers })
const usage = (outputTokens: number) => ({ type: 'usage', usage: { inputTokens: 3, outputTokens } }) as const

const traces = statement<Record<string, number>, { tenantId: number }>(
  'test.traces_of_trials',
  `select (select count(*) from actions where tenant_id = $tenantId::int)::int as actions,
          (select count(*) from keys where tenant_id = $tenantId::int and kind = 'action')::int as tokens,
          (select count(*) from sessions where tenant_id = $tenantId::int)::int as sessions,
          (select count(*) from turn_records where tenant_id = $tenantId::int)::int as turns,
          (select count(*) from tool_calls where tenant_id = $tenantId::int)::int as calls,
          (select count(*) from outbox where tenant_id = $tenantId::int)::int as events,
          (select count(*) from audit_events where tenant_id = $tenantId::int)::int as trail`,
)
/** The old rows of the shop. */
const HISTORY = { actions: 1, tokens: 0, sessions: 1, turns: 1, calls: 1, events: 0, trail: 0 }
async function tracesOf({ tenantId }: Shop) {
  await talk.house.app.flush()
  return { ...(await talk.house.database.database.one(traces, { tenantId })) }
}

test('a case passes with the tool, the arguments and the words that it expects, and its read answers what it gives', async () => {
  const shop = await newShop()
  const called = talk.business.calls.length
  talk.model.play([{ call: 'get_order', with: { number: 'A-1' } }], ['It was shipped on Monday.', usage(5)])
  const one = {
    prompt: 'Where is order A-1?',
    results: { get_order: { state: 'shipped', big: '§' } },
    expect: { tool: 'get_order', arguments: { number: 'A-1' }, answerHas: ['shipped', 'monday'] },
  }
  const { status, body } = await trial(shop, [one])
  assert.equal(status, 200)
  assert.deepEqual([body.passed, body.failed, body.count, body.model], [1, 0, 1, 'played'])
  const [result] = body.results
  assert.deepEqual([result?.passed, result?.failures, result?.language, result?.warnings], [true, [], 'en', []])
  assert.deepEqual(result?.chosen, [{ tool: 'get_order', arguments: { number: 'A-1' }, status: 'ok' }])
  assert.equal(result?.answer, 'It was shipped on Monday.')
  assert.equal(result?.transcript, undefined, 'only a failure shows what was said')
  const told = talk.model.requests.at(-1)?.messages.at(-1)?.text ?? ''
  assert.match(told, /"state":"shipped","big":"§"/)
  assert.equal(talk.business.calls.length, called, 'the business was asked nothing')
  assert.deepEqual(await tracesOf(shop), HISTORY)
})

test('a failure says what was expected and what happened, with its transcript', async () => {
  const shop = await newShop()
  talk.model.play([{ call: 'list_stock' }], ['There is tea.'])
  const { body } = await trial(shop, [
    {
      prompt: 'Where is order A-1?',
      results: { list_stock: ['tea'] },
      expect: { tool: 'get_order', answerHas: 'A-1' },
    },
  ])
  const [result] = body.results
  assert.deepEqual([body.passed, body.failed, result?.passed], [0, 1, false])
  assert.deepEqual(result?.failures, [
    'Expected a call of "get_order". The turn chose list_stock (ok).',
    'Expected the answer to have "A-1", and it does not.',
  ])
  assert.deepEqual(result?.transcript, [
    { role: 'visitor', text: 'Where is order A-1?' },
    { role: 'assistant', text: '', calls: [{ tool: 'list_stock', arguments: '{}' }] },
    { role: 'tool', tool: 'list_stock', text: '["tea"]' },
    { role: 'assistant', text: 'There is tea.' },
  ])
})

test('a read without a result is not_configured; null, "not found" and a result that is too large mean what they would', async () => {
  const shop = await newShop()
  const order = { call: 'get_order', with: { number: 'A-1' } }
  const played = async (results?: object) => {
    talk.model.play([order], ['So it is.'])
    const { body } = await trial(shop, [
      { prompt: 'Where is A-1?', ...(results === undefined ? {} : { results }), expect: {} },
    ])
    const told = talk.model.requests.at(-1)?.messages.at(-1)?.text ?? ''
    return { status: body.results[0]?.chosen[0]?.status, told, warnings: body.results[0]?.warnings }
  }
  const none = await played()
  assert.equal(none.status, 'not_configured')
  assert.match(none.told, /The case gives no result for "get_order"/)
  const empty = await played({ get_order: null })
  assert.equal(empty.status, 'ok')
  assert.match(empty.told, /\nnull\n/)
  assert.match(
    (await played({ get_order: { status: 'not_found', message: 'No A-1 here' } })).told,
    /Not found\. No A-1 here/,
  )
  assert.equal((await played({ get_order: 'x'.repeat(300_000) })).status, 'response_too_large')
  assert.deepEqual(
    (await played({ get_ordr: 1, cancel_order: 2, get_order: 3 })).warnings?.map((text) => /"(\w+)"/.exec(text)?.[1]),
    ['get_ordr', 'cancel_order'],
  )
})

test('a write stays a proposal that nobody can confirm, and nobody is told of it', async () => {
  const shop = await newShop()
  const cancel = { call: 'cancel_order', with: { number: 'A-1' } }
  talk.model.play([cancel, cancel], ['It waits for a person.'])
  const { body } = await trial(shop, [{ prompt: 'Cancel A-1', expect: { tool: 'cancel_order', proposal: true } }])
  const [result] = body.results
  assert.equal(result?.passed, true)
  assert.deepEqual(
    result?.chosen.map(({ status }) => status),
    ['staged', 'staged'],
  )
  assert.equal(result?.proposals.length, 1, 'the same write twice is one proposal')
  const [proposal] = result?.proposals ?? []
  assert.deepEqual(
    [proposal?.tool, proposal?.arguments, proposal?.confirmationToken],
    ['cancel_order', { number: 'A-1' }, undefined],
  )
  assert.deepEqual(await tracesOf(shop), HISTORY)
  const headers = { 'x-service-user-id': '7' }
  for (const verb of ['confirm', 'reject', 'reconcile']) {
    const path = `/v1/actions/${proposal?.actionId}/${verb}`
    const refused = await talk.house.ask<{ status: string }>('POST', path, { key: shop.apiKey, headers })
    assert.deepEqual([refused.status, refused.body.status], [404, 'NotFound'], verb)
  }
})

test('a precondition reads the results of its case', async () => {
  const orderIsPaid = {
    tool: 'get_order',
    arguments: { number: { from: 'number' } },
    check: { path: 'state', equals: 'paid' },
  }
  const checked = {
    name: 'refund_order',
    description: 'Refunds an order that was paid for.',
    is_write: true,
    precondition: orderIsPaid,
  }
  const order = { name: 'get_order', description: 'Looks up one order of the shop.', is_write: false }
  const number = { parameters: { type: 'object', properties: { number: { type: 'string' } } } }
  const shop = await newShop('Growth', [
    { ...order, ...number },
    { ...checked, ...number },
  ])
  const refund = { call: 'refund_order', with: { number: 'A-1' } }
  const statusWith = async (results: object, expect: object) => {
    talk.model.play([refund], ['So it is.'])
    const { body } = await trial(shop, [{ prompt: 'Refund A-1', results, expect }])
    return [body.results[0]?.chosen[0]?.status, body.passed]
  }
  assert.deepEqual(await statusWith({ get_order: { state: 'paid' } }, { proposal: true }), ['staged', 1])
  assert.deepEqual(await statusWith({ get_order: { state: 'open' } }, { tool: 'refund_order', proposal: false }), [
    'precondition_failed',
    1,
  ])
  assert.deepEqual(await statusWith({}, { proposal: true }), ['precondition_error', 0])
})

test('calling for a person tells nobody', async () => {
  const shop = await newShop()
  talk.model.play(
    [{ call: 'tether_handoff', with: { reason: 'Upset', summary: 'A visitor is upset.' } }],
    ['A person comes.'],
  )
  const { body } = await trial(shop, [{ prompt: 'A person!', expect: { tool: 'tether_handoff', noCall: false } }])
  assert.deepEqual([body.passed, body.results[0]?.handoff?.reason], [1, 'Upset'])
  assert.deepEqual(await tracesOf(shop), HISTORY)
})

const spent = statement<{ purpose: string; rows: number; usd: number }, { tenantId: number }>(
  'test.spent_on_trials',
  `select purpose, count(*)::int as rows, sum(cost_usd)::float8 as usd from usage_rows
    where tenant_id = $tenantId::int group by purpose order by purpose`,
)

test('what a model costs is in the answer, in the ledger and in the budgets; without a model the same cases cost nothing', async () => {
  const shop = await newShop()
  talk.model.play(['Hello.', usage(2)])
  const cases = [
    { prompt: 'Hello', expect: { noCall: true } },
    { prompt: 'Where is order A-17?', expect: { tool: 'get_order' } },
  ]
  const { body } = await trial(shop, cases)
  assert.deepEqual([body.passed, body.failed, body.costUsd], [1, 1, 0.000014])
  assert.deepEqual(
    body.results.map(({ costUsd, outputTokens }) => [costUsd, outputTokens]),
    [
      [0.000007, 2],
      [0.000007, 2],
    ],
  )
  assert.deepEqual(body.offline, { passed: 2, failed: 0 })
  assert.deepEqual(
    body.results.map(({ offline }) => [offline?.model, offline?.costUsd]),
    [
      ['offline', 0],
      ['offline', 0],
    ],
  )
  assert.deepEqual(body.results[1]?.offline?.chosen, [
    { tool: 'get_order', arguments: { number: 'A-17' }, status: 'not_configured' },
  ])
  await talk.house.app.flush()
  const rows = await talk.house.database.database.rows(spent, { tenantId: shop.tenantId })
  assert.deepEqual(
    rows.map(({ purpose, usd }) => [purpose, usd]),
    [
      ['trial', 0.000014],
      ['turn', 0.01],
    ],
    'the trial and the old turn',
  )
})

test('a ceiling that is reached ends the case, and it fails with the code', async () => {
  const shop = await newShop()
  const path = `/v1/tenants/${shop.tenantId}`
  await talk.house.ask('PATCH', path, { key: talk.house.operatorKey, body: { budget: { dailyCapUsd: 0.000001 } } })
  talk.model.play(['Hello.', usage(2)])
  await trial(shop, [{ prompt: 'Hello', expect: {} }])
  await talk.house.app.flush()
  const asked = talk.model.requests.length
  const { status, body } = await trial(shop, [{ prompt: 'Hello', expect: {} }])
  const [result] = body.results
  assert.deepEqual([status, result?.passed, result?.resultPath], [200, false, 'budget_exceeded'])
  assert.match(result?.error?.code ?? '', /_BUDGET_EXCEEDED$/)
  assert.match(result?.failures[0] ?? '', /^The turn ended with .*_BUDGET_EXCEEDED/)
  assert.equal(talk.model.requests.length, asked, 'no model was asked')
  assert.equal(result?.offline?.passed, true)
})

test('a model that fails fails its case alone', async () => {
  const shop = await newShop()
  talk.model.play((request) =>
    JSON.stringify(request.messages).includes('Good')
      ? ['Hello.']
      : [{ fail: new ModelFailure('unreachable', 'Nobody there.') }],
  )
  const { body } = await trial(shop, [
    { prompt: 'Good day', expect: {} },
    { prompt: 'Bad day', expect: {} },
  ])
  assert.deepEqual(
    body.results.map(({ passed, error }) => [passed, error?.code]),
    [
      [true, undefined],
      [false, 'MODEL_UNAVAILABLE'],
    ],
  )
})

test('on the free plan a case is a turn; where too few are left, none is taken and no model asked', async () => {
  const shop = await newShop('free')
  talk.model.play(['Hello.'])
  const one = { prompt: 'Hello', expect: {} }
  assert.equal((await trial(shop, [one, one])).status, 200)
  const asked = talk.model.requests.length
  const refused = await trial(shop, [one, one])
  assert.deepEqual([refused.status, refused.error?.code], [429, 'plan_quota_exceeded'])
  assert.equal(talk.model.requests.length, asked)
  assert.equal((await trial(shop, [one])).status, 200)
})

const bad: readonly [cases: unknown, code: string, says: RegExp][] = [
  [undefined, 'invalid_request', /cases/],
  [[], 'invalid_request', /cases/],
  [Array.from({ length: 7 }, () => ({ prompt: 'x', expect: {} })), 'invalid_request', /7 cases, and 6 is the most/],
  [[{ prompt: 'x' }], 'invalid_request', /expect/],
  [
    [
      { prompt: 'x', expect: {} },
      { prompt: ' ', expect: {} },
    ],
    'empty_prompt',
    /cases\[1\]\.prompt/,
  ],
  [[{ prompt: 'x'.repeat(9000), expect: {} }], 'invalid_request', /cases\[0\]\.prompt is longer/],
  [[{ prompt: 'x', expect: { tol: 'get_order' } }], 'invalid_request', /tol/],
  [[{ prompt: 'x', expect: { answerHas: [] } }], 'invalid_request', /answerHas/],
  [
    [{ prompt: 'x', expect: { noCall: true, tool: 'get_order' } }],
    'invalid_request',
    /cases\[0\] expects a call and no call/,
  ],
  [[{ prompt: 'x', results: [1], expect: {} }], 'invalid_request', /results/],
]
test('cases that are malformed, too many or contradict themselves are refused before any is played', async () => {
  talk.model.play(['Hello.'])
  const asked = talk.model.requests.length
  for (const [cases, code, says] of bad) {
    const { status, error } = await trial(talk.shop, cases)
    assert.deepEqual([status, error?.code], [400, code], says.source)
    assert.match(error?.message ?? '', says)
  }
  assert.equal(talk.model.requests.length, asked)
})

test('one trial of a workspace runs at a time, and the next one after it', async () => {
  const shop = await newShop()
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  talk.model.play((): readonly ['hang'] => {
    begun.resolve()
    return ['hang']
  })
  const leaving = new AbortController()
  const running = fetch(`${await listening()}/v1/tools/trials`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ cases: [{ prompt: 'Hello', expect: {} }] }),
  }).catch(() => gate.resolve())
  await begun.promise
  const refused = await trial(shop, [{ prompt: 'Hello', expect: {} }])
  assert.deepEqual([refused.status, refused.error?.code, refused.headers['retry-after']], [429, 'rate_limited', '5'])
  // Whoever leaves stops what they began.
  leaving.abort()
  await running
  await gate.promise
  talk.model.play(['Hello.'])
  for (let turn = 0; turn < 6_000; turn++) {
    const { status } = await trial(shop, [{ prompt: 'Hello', expect: {} }])
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the workspace never got its turn back')
})

test('only what a visitor’s turn may use is offered: more with enableWriteActions, Deep and a signed-in customer', async () => {
  const shop = await newShop()
  const offered = async (more: object = {}) => {
    talk.model.play(['Hello.'])
    await trial(shop, [{ prompt: 'Hello', expect: {} }], more)
    return talk.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
  }
  const usual = await offered()
  assert.ok(usual.includes('cancel_order') && !usual.includes('wipe_orders') && !usual.includes('deep_report'))
  assert.ok((await offered({ enableWriteActions: true })).includes('wipe_orders'))
  assert.ok((await offered({ capabilityMode: 'Deep' })).includes('deep_report'))
  const mine = async (headers: Record<string, string>) => {
    talk.model.play([{ call: 'my_orders' }], ['Here.'])
    const cases = [{ prompt: 'My orders', results: { my_orders: [] }, expect: { tool: 'my_orders' } }]
    return (await trial(shop, cases, {}, headers)).body.results[0]
  }
  assert.match((await mine({}))?.failures[0] ?? '', /my_orders \(customer_required\)/)
  assert.equal((await mine(await customer('nino', shop)))?.passed, true)
})

test('other kinds of key do not reach it', async () => {
  for (const kind of ['publishable', 'agent', 'ci'] as const) {
    const key = await talk.house.key(talk.shop.tenantId, kind)
    const body = { cases: [{ prompt: 'Hello', expect: {} }] }
    assert.equal((await talk.house.ask('POST', '/v1/tools/trials', { key, body })).status, 403, kind)
  }
})

test('a model that never stops saying and calling makes no answer without end', async () => {
  const shop = await newShop()
  const many = Array.from({ length: 400 }, () => ({ call: 'get_order', with: { number: 'x'.repeat(5_000) } }))
  talk.model.play(many)
  const { body, text } = await trial(shop, [{ prompt: 'Hello', expect: { noCall: true } }])
  assert.equal(body.results[0]?.chosen.length, 20)
  assert.equal(body.results[0]?.chosen[0]?.arguments, null)
  assert.ok(text.length < 60_000, `${text.length} characters`)
})
