import assert from 'node:assert/strict'
import test from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { ModelFailure } from '../../kernel/model/index.ts'
import { ask, customer, newShop, openTalk, page, stream, talk } from './fixtures/talk.ts'

openTalk()

const recordsOf = statement<
  { path: string; code: string | null; surface: string },
  { tenantId: number; requestId: string }
>(
  'test.records_of',
  `select result_path as path, error_code as code, surface from turn_records
    where tenant_id = $tenantId::int and request_id = $requestId::text`,
)
const toldOf = statement<{ event: string; sessionId: string; fields: string }, { tenantId: number }>(
  'test.told_of',
  `select event, session_id as "sessionId", fields from outbox where tenant_id = $tenantId::int order by outbox_id`,
)
const records = async (requestId: string) => {
  await talk.house.app.flush()
  return await talk.house.database.database.rows(recordsOf, { tenantId: talk.shop.tenantId, requestId })
}

test('a question is answered from the business’s own system', async () => {
  const { model, business } = talk
  business.script('get_order', { do: 'answer', body: { state: 'on its way' } })
  model.play([{ call: 'get_order', with: { number: 'A-1001' } }], ['It is on its way.'])
  const { status, body } = await ask({ prompt: 'Where is A-1001?' })
  assert.equal(status, 200)
  assert.deepEqual(body.blocks, [{ type: 'text', markdown: 'It is on its way.' }])
  assert.deepEqual(
    body.meta.toolCalls.map(({ tool, status: how }) => [tool, how]),
    [['get_order', 'ok']],
  )
  const call = business.callsTo('get_order').at(-1)
  assert.equal(call?.body?.session_id, body.sessionId)
  assert.equal(call?.body?.mode, 'read')
  assert.match(model.requests.at(-1)?.messages.at(-1)?.text ?? '', /on its way/)
  assert.deepEqual(await records(body.requestId), [{ path: 'ok', code: null, surface: 'chat' }])
})

test('a conversation goes on with what was said, and knows the tools that it used', async () => {
  const { model } = talk
  model.play(['You are Nino.'])
  const first = await ask({ prompt: 'I am Nino.' })
  const second = await ask({ prompt: 'Who am I?', session_id: first.body.sessionId })
  assert.equal(second.body.sessionId, first.body.sessionId)
  const messages = model.requests.at(-1)?.messages.map(({ role, text }) => `${role}: ${text}`) ?? []
  assert.deepEqual(messages.slice(1), ['user: I am Nino.', 'assistant: You are Nino.', 'user: Who am I?'])
  const other = await ask({ prompt: 'Who am I?' })
  assert.notEqual(other.body.sessionId, first.body.sessionId)
  assert.equal(model.requests.at(-1)?.messages.length, 2, 'another conversation knows nothing of it')
})

test('each way in which a conversation is not the caller’s has its reason', async () => {
  const { house, shop, model } = talk
  model.play(['Hello.'])
  const publishable = await house.key(shop.tenantId, 'publishable')
  const [agent, otherAgent] = [await house.key(shop.tenantId, 'agent'), await house.key(shop.tenantId, 'agent')]
  const nino = { key: publishable, headers: { ...page, ...(await customer('nino')) } }
  const gio = { key: publishable, headers: { ...page, ...(await customer('gio')) } }
  const guest = { key: publishable, headers: page }
  const begin = async (who: object) => (await ask({ prompt: 'Hi' }, who)).body.sessionId
  const refusal = async (sessionId: string | null, who: object) =>
    (await ask({ prompt: 'Hi', sessionId }, who)).error ?? 'let in'
  const hers = await begin(nino)
  const guests = await begin(guest)
  const agents = await begin({ key: agent })
  const users = await begin({ headers: { 'x-service-user-id': '7' } })
  const foreign = await newShop()
  const cases = [
    [hers, gio, 'other_customer'],
    [hers, guest, 'customer_session'],
    [hers, {}, 'customer_session'],
    [guests, nino, 'anonymous_session'],
    [guests, {}, 'not_issued'],
    [agents, { key: otherAgent }, 'not_issued'],
    [users, { headers: { 'x-service-user-id': '8' } }, 'not_issued'],
    [hers, { key: foreign.apiKey }, 'not_issued'],
    ['ses_000000000000000000000000', guest, 'not_issued'],
    ['a made-up id', guest, 'not_issued'],
  ] as const
  for (const [sessionId, who, reason] of cases) {
    const error = await refusal(sessionId, who)
    assert.deepEqual(
      typeof error === 'object' && [error.code, error.reason],
      ['session_not_yours', reason],
      `${sessionId} ${reason}`,
    )
  }
  for (const [sessionId, who] of [
    [hers, nino],
    [hers, { headers: await customer('nino') }],
    [guests, guest],
    [agents, { key: agent }],
    [users, { headers: { 'x-service-user-id': '7' } }],
  ] as const) {
    assert.equal(await refusal(sessionId, who), 'let in')
  }
})

test('what a prompt may not be', async () => {
  for (const [body, code] of [
    [{}, 'empty_prompt'],
    [{ prompt: '  \n' }, 'empty_prompt'],
    [{ prompt: 7 }, 'empty_prompt'],
    [{ prompt: 'x'.repeat(8001) }, 'invalid_request'],
    [{ prompt: 'x', capabilityMode: 'Deeper' }, 'invalid_request'],
  ] as const) {
    assert.equal((await ask(body)).error?.code, code, JSON.stringify(body))
    if ('prompt' in body) assert.equal((await stream(body)).error?.code, code)
  }
})

test('a proposal waits: the tenant’s server gets the token, a page and an agent do not', async () => {
  const { house, shop, model, business } = talk
  const write = [{ call: 'cancel_order', with: { number: 'A-1' } }]
  const callers = [
    [{}, true],
    [{ key: await house.key(shop.tenantId, 'agent') }, false],
    [{ key: await house.key(shop.tenantId, 'publishable'), headers: { ...page, ...(await customer('nino')) } }, false],
  ] as const
  for (const [who, hasToken] of callers) {
    model.play(write, ['I cancelled it.'])
    const { body } = await ask({ prompt: 'Cancel A-1' }, who)
    const [proposal] = body.meta.proposals
    assert.equal(proposal?.confirmationToken !== undefined, hasToken)
    assert.deepEqual(proposal?.arguments, { number: 'A-1' })
    assert.match(JSON.stringify(body.blocks.at(-1)), /Nothing has been changed yet/)
  }
  assert.equal(business.callsTo('cancel_order').length, 0)
  const listed = await house.ask<{ actions: { sessionId: string | null; status: string }[] }>('GET', '/v1/actions', {
    key: shop.apiKey,
  })
  assert.ok(
    listed.body.actions.length >= 3 && listed.body.actions.every(({ sessionId }) => sessionId?.startsWith('ses_')),
  )
})

test('only a server and an agent may opt into writes that are not for chat', async () => {
  const { house, shop, model } = talk
  const offered = async (who: object) => {
    model.play(['Fine.'])
    await ask({ prompt: 'Hi', enableWriteActions: true }, who)
    return model.requests.at(-1)?.tools.some(({ name }) => name === 'wipe_orders')
  }
  assert.equal(await offered({}), true)
  assert.equal(await offered({ key: await house.key(shop.tenantId, 'agent') }), true)
  assert.equal(await offered({ key: await house.key(shop.tenantId, 'publishable'), headers: page }), false)
})

test('deep tools on the plans that have them', async () => {
  const { model } = talk
  const names = async (who: object) => {
    model.play(['Fine.'])
    const { body } = await ask({ prompt: 'Hi', capabilityMode: 'Deep' }, who)
    return [body.meta.capabilityMode, model.requests.at(-1)?.tools.some(({ name }) => name === 'deep_report')]
  }
  assert.deepEqual(await names({}), ['Deep', true])
  assert.deepEqual(await names({ key: (await newShop('Starter')).apiKey }), ['Standard', false])
})

test('a handoff is an event of the conversation, once per turn', async () => {
  const shop = await newShop()
  const call = { call: 'tether_handoff', with: { reason: 'Angry', summary: 'Wants money back' } }
  talk.model.play([call, call], ['A person will write.'])
  const { body } = await ask({ prompt: 'A person please' }, { key: shop.apiKey })
  const told = await talk.house.database.database.rows(toldOf, { tenantId: shop.tenantId })
  assert.equal(told.length, 1)
  assert.deepEqual([told[0]?.event, told[0]?.sessionId], ['conversation.handoff', body.sessionId])
  assert.deepEqual(JSON.parse(told[0]?.fields ?? ''), {
    trigger: 'assistant',
    reason: 'Angry',
    summary: 'Wants money back',
    text: 'A person please',
    customer_id: null,
    language: 'en',
  })
})

test('a model that fails is 503, one that is busy is 429, and the stream says the same in a frame', async () => {
  const { model } = talk
  for (const [failure, status, code, frame] of [
    [new ModelFailure('late', 'x'), 503, 'model_unavailable', 'MODEL_UNAVAILABLE'],
    [new ModelFailure('busy', 'x', 9), 429, 'rate_limited', 'RATE_LIMITED'],
  ] as const) {
    model.play([{ fail: failure }])
    const reply = await ask({ prompt: 'Hi' })
    assert.deepEqual([reply.status, reply.error?.code], [status, code])
    if (status === 429) assert.equal(reply.headers['retry-after'], '9')
    const { frames } = await stream({ prompt: 'Hi' })
    const last = frames.at(-1)
    assert.deepEqual(last?.type === 'error' && [last.code, last.retryAfterSeconds], [
      frame,
      status === 429 ? 9 : undefined,
    ])
  }
})

test('an agent has its own tools and rounds, and insights keep no conversation', async () => {
  const { house, shop, model } = talk
  model.play([{ call: 'get_order', with: { number: 'A' } }])
  const asked = model.requests.length
  const agent = await house.ask<ChatAnswer>('POST', '/v1/agent', {
    key: shop.apiKey,
    body: { goal: 'Look', maxRounds: 2 },
  })
  assert.equal(agent.status, 200)
  assert.equal(model.requests.length - asked, 3, 'two that call, and the answer')
  assert.equal((await house.ask('POST', '/v1/agent', { key: shop.apiKey, body: {} })).error?.code, 'empty_prompt')
  model.play(['Figures.'])
  const insights = await house.ask<ChatAnswer>('POST', '/v1/insights', {
    key: shop.apiKey,
    body: { from: '2026-11-01', to: '2026-11-21' },
  })
  assert.deepEqual([insights.body.sessionId, insights.body.session_id], [null, null])
  assert.ok(
    model.requests
      .at(-1)
      ?.tools.every(({ name }) => ['get_order', 'list_stock', 'my_orders', 'deep_report'].includes(name)),
  )
  assert.match(model.requests.at(-1)?.messages[0]?.text ?? '', /2026-11-01T00:00:00/)
  const bad = await house.ask('POST', '/v1/insights', {
    key: shop.apiKey,
    body: { from: '2026-11-21', to: '2026-11-01' },
  })
  assert.equal(bad.error?.code, 'invalid_period')
})

test('a conversation, and everything of a customer, can be erased', async () => {
  const { house, shop, model } = talk
  model.play(['Hello.'])
  const headers = await customer('erika')
  const [one, two] = [await ask({ prompt: 'One' }, { headers }), await ask({ prompt: 'Two' }, { headers })]
  const erased = await house.ask('DELETE', `/v1/chat/sessions/${one.body.sessionId}`, { key: shop.apiKey })
  assert.deepEqual(erased.body, { deleted: true, sessionId: one.body.sessionId })
  assert.equal((await ask({ prompt: 'Again', sessionId: one.body.sessionId }, { headers })).error?.reason, 'not_issued')
  const customers = await house.ask('DELETE', '/v1/customers/erika', { key: shop.apiKey })
  assert.deepEqual(customers.body, { deleted: true, customerId: 'erika', sessions: 1 })
  assert.equal((await ask({ prompt: 'Again', sessionId: two.body.sessionId }, { headers })).error?.reason, 'not_issued')
  assert.equal(
    (await house.ask('DELETE', '/v1/customers/erika', { key: shop.apiKey })).error?.code,
    'session_not_found',
  )
})

test('an answer is rated once, by whoever’s conversation it is', async () => {
  const { house, shop, model } = talk
  model.play(['Hello.'])
  const publishable = await house.key(shop.tenantId, 'publishable')
  const nino = { ...page, ...(await customer('nino')) }
  const { sessionId, requestId } = (await ask({ prompt: 'Hi' }, { key: publishable, headers: nino })).body
  const give = (body: object, headers: Record<string, string> = nino) =>
    house.ask('POST', '/v1/chat/feedback', { key: publishable, body: { sessionId, requestId, ...body }, headers })
  assert.deepEqual((await give({ rating: 'up' })).body, { recorded: true, rating: 'up', replaced: false })
  assert.deepEqual((await give({ rating: 'down', comment: 'Wrong' })).body, {
    recorded: true,
    rating: 'down',
    replaced: true,
  })
  for (const headers of [page, { ...page, ...(await customer('gio')) }]) {
    assert.equal((await give({ rating: 'up' }, headers)).error?.code, 'session_not_found')
  }
  for (const bad of [
    { rating: 'sideways' },
    { rating: 'up', comment: 'x'.repeat(1001) },
    { rating: 'up', requestId: '' },
  ]) {
    assert.equal((await give(bad)).error?.code, 'invalid_feedback', JSON.stringify(bad))
  }
  const foreign = await newShop()
  const stranger = await house.ask('POST', '/v1/chat/feedback', {
    key: foreign.apiKey,
    body: { sessionId, requestId, rating: 'up' },
  })
  assert.equal(stranger.error?.code, 'session_not_found')
  const { body } = await house.ask<{
    feedback: { comment: string; customerId: string; requestId: string }[]
    count: number
  }>('GET', '/v1/chat/feedback?rating=down', { key: shop.apiKey })
  const [newest, ...older] = body.feedback
  assert.deepEqual([newest?.requestId, newest?.comment, newest?.customerId], [requestId, 'Wrong', 'nino'])
  assert.deepEqual([body.count, older.map(({ customerId }) => customerId)], [2, ['earlier-customer']])
  assert.equal(
    (await house.ask('GET', '/v1/chat/feedback?rating=up', { key: shop.apiKey })).text,
    '{"feedback":[],"count":0}',
  )
})
