import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { listenTo } from '../../../testkit/statements.ts'

const model = playedModel(['Hello.'])
/** Time goes by between any two looks at the clock. */
let ticks = 0
function later(): number {
  ticks += 1
  return Date.now() + ticks
}
let house: OpenHouse
let shop: NewTenant
before(async () => {
  house = await openHouse({ model, clock: { now: later, wait: async () => {} } })
  shop = await house.tenant()
  const body = [{ name: 'cancel_order', description: 'Cancels an order, for the test of outcomes.', is_write: true }]
  await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body })
  // Without a destination nobody is told, and then nothing is handed over.
  const url = 'http://127.0.0.1:1999/events'
  await house.ask('PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url } })
})
after(() => house.close())

const ask = async (prompt: string, sessionId?: string) =>
  (await house.ask<ChatAnswer>('POST', '/v1/chat', { key: shop.apiKey, body: { prompt, sessionId } })).body
type Totals = Record<string, unknown> & { unanswered: { question: string; count: number }[] }
const read = async (query = '') =>
  await house.ask<{ totals: Totals; days: Totals[] }>('GET', `/v1/outcomes${query}`, { key: shop.apiKey })

test('conversations, proposals, decisions, ratings and unanswered questions are counted', async () => {
  model.play(['Hello.'])
  const first = await ask('Hi')
  await ask('And?', first.sessionId ?? '')
  model.play(['I could not find that.'])
  for (const prompt of ['Do you sell lamps?', 'do you sell  LAMPS', 'Where are you?']) await ask(prompt)
  model.play([{ call: 'cancel_order' }], ['It waits.'])
  const [proposal] = (await ask('Cancel it')).meta.proposals
  await house.ask('POST', `/v1/actions/${proposal?.actionId}/reject`, { key: shop.apiKey, body: {} })
  model.play([{ call: 'tether_handoff', with: { reason: 'Asked', summary: 'A person' } }], ['Somebody will write.'])
  await ask('A person please')
  const rating = { sessionId: first.sessionId, requestId: first.requestId, rating: 'down' }
  await house.ask('POST', '/v1/chat/feedback', { key: shop.apiKey, body: rating })
  await house.app.flush()

  const { body } = await read()
  const { unanswered, ...totals } = body.totals
  const expected = {
    ...{ conversations: 6, turns: 7, answered: 3, handedOff: 1, proposals: 1, executed: 0, verified: 0, unverified: 0 },
    ...{ rejected: 1, expired: 0, ratings: { up: 0, down: 1 } },
  }
  assert.deepEqual(totals, expected)
  assert.deepEqual(
    unanswered.map(({ question, count }) => [question.toLowerCase().includes('lamps'), count]),
    [
      [true, 2],
      [false, 1],
      [false, 1],
    ],
  )
  const daily = await read('/daily')
  assert.equal(daily.body.days.length, 31)
  const { date: _, ...today } = daily.body.days.at(-1) ?? { date: '' }
  assert.deepEqual(today, expected)
})

test('a period is read as it is meant, and one that ends before it begins is refused', async () => {
  const past = await read('?from=2020-01-01&to=2020-02-01')
  assert.equal(past.body.totals.conversations, 0)
  assert.equal((await read('/daily?from=2020-01-01&to=2020-02-01')).body.days.length, 31)
  assert.equal((await read('?from=2020-02-01&to=2020-01-01')).error?.code, 'invalid_period')
  assert.equal((await read('?from=2010-02-01&to=2020-01-01')).error?.code, 'invalid_period')
  for (const [written, meant] of [
    ['2026-11-21T01:30:00+04:00', '2026-11-20T21:30:00.000Z'],
    ['2026-11-21T09:30:15.123001Z', '2026-11-21T09:30:15.124Z'],
    ['2026-11-21 09:30', '2026-11-21T09:30:00.000Z'],
  ] as const) {
    const { body } = await house.ask<{ from: string }>('GET', `/v1/outcomes?from=${written}&to=2026-11-22`, {
      key: shop.apiKey,
    })
    assert.equal(body.from, meant, 'as /v1/audit reads it')
  }
  for (const bad of [
    '2026-11-21T09:60:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:30.5Z',
    '%202026-11-21',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '1',
  ]) {
    assert.equal((await read(`?from=${bad}`)).error?.code, 'invalid_request', bad)
  }
})

test('a period that ends now holds the current day whole, however long it takes to come to the counting', async () => {
  const ran: string[] = []
  listenTo(house, (name) => ran.push(name))
  const midnight = `${new Date(later()).toISOString().slice(0, 10)}T00:00:00Z`
  for (const path of ['', '/daily']) await read(`${path}?from=${midnight}`)
  assert.equal(ran.filter((name) => name === 'usage.list_turn_days').length, 2)
  assert.ok(!ran.includes('usage.count_turns'), 'no turn of the day is looked at')
})
