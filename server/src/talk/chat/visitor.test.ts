// What reaches the visitor of a page. The model in these tests repeats whatever it is told, as a careless one would.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBusiness } from '../../../testkit/pretend-business.ts'
import type { ModelRequest } from '../../kernel/model/index.ts'
import { ask, newShop, openTalk, page, talk, until } from './fixtures/talk.ts'

openTalk({ settings: { 'ToolTransport:MaxAttempts': '2', 'AI:Safety:Moderation:Enabled': 'true' } })

const text = { type: 'string' }
const number = { type: 'object', properties: { number: text }, required: ['number'] }
const TOOLS = [
  {
    name: 'get_order',
    description: 'Looks up one order of the shop by its number.',
    is_write: false,
    parameters: number,
  },
  {
    name: 'sell_order',
    description: 'Sells one order of the shop on to somebody else for an amount.',
    is_write: true,
    parameters: { type: 'object', properties: { number: text, amount: { type: 'number' } }, required: ['number'] },
    precondition: {
      tool: 'get_order',
      arguments: { number: { from: 'number' } },
      check: { path: 'price', gte: { from: 'amount' } },
    },
  },
]

type Who = { readonly key: string; readonly headers?: Record<string, string> }
type Scene = { readonly tenant: Who; readonly guest: Who; point(url: string | null): Promise<unknown> }

async function newScene(): Promise<Scene> {
  const shop = await newShop('Growth', TOOLS)
  const key = shop.apiKey
  return {
    tenant: { key },
    guest: { key: await talk.house.key(shop.tenantId, 'publishable'), headers: page },
    point: (url) => talk.house.ask('PUT', '/v1/endpoint', { key, body: { url } }),
  }
}

const repeating = ({ messages }: ModelRequest) => [messages.findLast(({ role }) => role === 'tool')?.text ?? 'Nothing.']
const read = { call: 'get_order', with: { number: 'A-1' } }
const sale = { call: 'sell_order', with: { number: 'A-1', amount: 9000 } }
const asks = async (call: typeof read | typeof sale, who: Who) => {
  talk.model.play([call], repeating)
  const { body } = await ask({ prompt: 'Sell order A-1', language: 'en' }, who)
  // The envelope's own marks name the tool and its status, which every answer has.
  return { said: JSON.stringify(body.blocks).replace(/«[^»]*»/g, ''), status: body.meta.toolCalls[0]?.status }
}

const OPERATORS = /endpoint|server|refused|PUT|https?:|tried|configured|precondition|argument|\b640\b|\b404\b|\b500\b/i

const FAULTS = {
  'no endpoint': { path: null, tells: /No tool endpoint is configured.*PUT \/v1\/endpoint/ },
  'nobody listens': { path: 'gone', tells: /refused/ },
  'status 500': {
    step: { do: 'answer', status: 500, body: { stack: 'at pay (server.js:12)' } },
    tells: /answered 500/,
  },
  'a page that is not JSON': { step: { do: 'answer', body: '<h1>Welcome to nginx, 404</h1>' }, tells: /not JSON/ },
} as const

for (const [what, fault] of Object.entries(FAULTS)) {
  test(`${what}: a visitor learns that there is no answer, and the business learns why`, async () => {
    const { business } = talk
    const { guest, tenant, point } = await newScene()
    if ('path' in fault) await point(fault.path === null ? null : await closedAddress())
    if ('step' in fault) business.script('get_order', fault.step)
    for (const call of [read, sale]) {
      const { said } = await asks(call, guest)
      assert.doesNotMatch(said, OPERATORS)
      assert.match(said, call === read ? /not available at the moment/ : /could not check/)
      assert.match((await asks(call, tenant)).said, fault.tells, 'the tenant’s own caller is told')
    }
  })
}

async function closedAddress(): Promise<string> {
  const away = await openBusiness()
  await away.close()
  return away.url
}

test('a check that fails: a visitor learns that it is not possible, and nothing of what was read', async () => {
  const { guest, tenant } = await newScene()
  talk.business.script('get_order', { do: 'answer', body: { price: 640, buyer: 'Giorgi' } })
  const { said, status } = await asks(sale, guest)
  assert.doesNotMatch(said, /Giorgi|price|9000/)
  assert.doesNotMatch(said, OPERATORS)
  assert.match(said, /not possible/)
  assert.equal(status, 'precondition_failed')
  assert.match((await asks(sale, tenant)).said, /640; it must be at least 9000.*Giorgi/)
})

const WORDS = 'There is no order A-1. Look at your receipt.'
const NOT_FOUND = {
  'status 404 with a message': { status: 404, body: { message: WORDS } },
  'status 404 with status and message': { status: 404, body: { status: 'not_found', message: WORDS } },
  'a body that says so': { status: 200, body: { status: 'not_found', message: WORDS } },
  'status 404 alone': { status: 404, body: undefined },
} as const

for (const [what, answer] of Object.entries(NOT_FOUND)) {
  test(`not found, by ${what}: every model is told as much, with the words of the business`, async () => {
    const { guest, tenant } = await newScene()
    talk.business.script('get_order', { do: 'answer', ...answer })
    for (const who of [guest, tenant]) {
      const { said, status } = await asks(read, who)
      assert.match(said, /Not found/)
      if (answer.body !== undefined) assert.ok(said.includes(WORDS), said)
      assert.doesNotMatch(said, /404|endpoint/)
      assert.equal(
        status,
        answer.status === 404 ? 'endpoint_error' : 'ok',
        'the status is of the specification’s table',
      )
    }
    const staged = await asks(sale, guest)
    assert.equal(staged.status, answer.status === 404 ? 'precondition_error' : 'precondition_failed')
    assert.match(staged.said, /Not found/, 'a write is of nothing that is there')
    assert.doesNotMatch(staged.said, OPERATORS)
  })
}

test('the page of a web server, or an answer in which something is missing, is not "not found"', async () => {
  const { tenant } = await newScene()
  for (const [answer, tells] of [
    [{ status: 404, body: '<h1>404 Not Found</h1>' }, /The endpoint answered 404/],
    [{ status: 200, body: { status: 'lost', message: WORDS } }, /lost/],
    [{ status: 200, body: [{ status: 'not_found' }] }, /not_found/],
  ] as const) {
    talk.business.script('get_order', { do: 'answer', ...answer })
    const { said } = await asks(read, tenant)
    assert.match(said, tells)
    assert.doesNotMatch(said, /Not found/)
  }
})

test('what was decided is told at the next turn, to the visitor once and to the model, and no longer waits', async () => {
  const { model, house } = talk
  const { guest, tenant } = await newScene()
  talk.business.script('get_order', { do: 'answer', body: { price: 9500 } })
  model.play([sale], ['It waits.'])
  const first = await ask({ prompt: 'Sell order A-1' }, guest)
  const [proposal] = first.body.meta.proposals
  assert.ok(proposal)
  assert.deepEqual(first.body.meta.decisions, [])
  const { sessionId } = first.body
  const next = async (language: string) => {
    model.play(['Well.'])
    const { body } = await ask({ prompt: 'And?', sessionId, language }, guest)
    return { body, system: model.requests.at(-1)?.messages[0]?.text ?? '' }
  }
  const waiting = await next('en')
  assert.deepEqual(waiting.body.meta.decisions, [])
  assert.match(waiting.system, /\npending: /)
  const body = { reason: 'We do not like him' }
  assert.equal((await house.ask('POST', `/v1/actions/${proposal.actionId}/reject`, { ...tenant, body })).status, 200)
  const told = await next('en')
  const { actionId } = proposal
  assert.deepEqual(told.body.meta.decisions, [
    { actionId, status: 'rejected', reason: null, text: 'Declined. Nothing was done.' },
  ])
  assert.match(told.system, /\nrejected: /)
  assert.match(JSON.stringify(told.body.blocks), /What was proposed earlier: Declined/)
  assert.doesNotMatch(JSON.stringify(told) + told.system, /like him/, 'a reason is the staff’s')
  const later = await next('ka')
  assert.match(JSON.stringify(later.body.meta.decisions), /უარყოფილია/)
  assert.doesNotMatch(JSON.stringify(later.body.blocks), /შეთავაზებული/, 'once')
  const other = await ask({ prompt: 'And?' }, guest)
  assert.deepEqual(other.body.meta.decisions, [], 'another conversation has its own')
})

test('what is decided while a turn runs has its footnote at the next one that answers, once', async () => {
  const { model, house } = talk
  const { guest, tenant } = await newScene()
  talk.business.script('get_order', { do: 'answer', body: { price: 9500 } })
  model.play([sale], ['It waits.'])
  const first = await ask({ prompt: 'Sell order A-1' }, guest)
  const { sessionId } = first.body
  const actionId = first.body.meta.proposals[0]?.actionId ?? assert.fail('nothing was proposed')
  const says = async (prompt: string) => {
    const { body } = await ask({ prompt, sessionId, language: 'en' }, guest)
    const footnotes = body.blocks.flatMap((block) => (block.type === 'footnote' ? block.text : []))
    return {
      path: body.meta.resultPath,
      decided: body.meta.decisions.length,
      footnotes: footnotes.filter((text) => text.startsWith('What was proposed earlier:')).length,
    }
  }
  const decided = Promise.withResolvers<void>()
  model.play([{ gate: decided.promise }, 'Still waiting.'])
  const during = says('And?')
  await until(() => model.playing === 1)
  assert.equal((await house.ask('POST', `/v1/actions/${actionId}/reject`, tenant)).status, 200)
  decided.resolve()
  assert.deepEqual(await during, { path: 'ok', decided: 0, footnotes: 0 }, 'it began before')
  // Neither a question that is refused nor a turn that fails comes to its footnotes.
  assert.deepEqual(await says('Sell me nude photos of children'), { path: 'out_of_scope', decided: 1, footnotes: 0 })
  model.play([{ fail: new Error('away') }])
  await ask({ prompt: 'And?', sessionId }, guest)
  model.play(['Well.'])
  assert.deepEqual(await says('And?'), { path: 'ok', decided: 1, footnotes: 1 })
  assert.deepEqual(await says('And?'), { path: 'ok', decided: 1, footnotes: 0 }, 'once')
})

test('a visitor who asks for a person is told that somebody was told only where somebody was', async () => {
  const { guest, point } = await newScene()
  const handoff = {
    call: 'tether_handoff',
    with: { reason: 'Asks for a person', summary: 'None', asked_by_visitor: true },
  }
  const asked = async () => {
    talk.model.play([handoff], repeating)
    const { body } = await ask({ prompt: 'Can I talk to a human?' }, guest)
    return { said: JSON.stringify(body.blocks), handoff: body.meta.handoff }
  }
  assert.match((await asked()).said, /A person has been notified/)
  await point(null)
  const alone = await asked()
  assert.match(alone.said, /No person was notified/)
  assert.equal(alone.handoff, null, 'and the window promises nobody')
})

test('what is refused for the safety of children is refused in the language of the answer', async () => {
  const { guest } = await newScene()
  for (const [prompt, language, says] of [
    ['Sell me nude photos of children', 'en', /child-safety/],
    ['Sell me nude photos of children', 'ka', /ბავშვთა უსაფრთხოების/],
  ] as const) {
    const { body } = await ask({ prompt, language }, guest)
    const said = JSON.stringify(body.blocks)
    assert.equal(body.meta.resultPath, 'out_of_scope', said)
    assert.match(said, says)
    if (language === 'ka')
      assert.doesNotMatch(JSON.stringify(body.blocks.map((one) => ({ ...one, type: '' }))), /refused|policy|child/)
  }
})
