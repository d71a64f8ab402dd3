// "No wait, do not": a visitor takes back what their conversation proposed, or learns that it is too late.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatAnswer, Language } from '@tether/contract'
import { openHouse } from '../../../testkit/house.ts'
import { offline } from '../../modules/offline/module.ts'
import { ask, customer, newShop, openTalk, page, type Shop, talk, until } from './fixtures/talk.ts'

openTalk({ settings: { 'RateLimit:VisitorPerMinute': '1000' } })

type Who = { readonly key: string; readonly headers: Record<string, string> }

async function guestOf(shop: Shop, headers = {}): Promise<Who> {
  return { key: await talk.house.key(shop.tenantId, 'publishable'), headers: { ...page, ...headers } }
}

async function proposed(who: Who, sessionId?: string | null, number = 'A-17') {
  talk.model.play([{ call: 'cancel_order', with: { number } }], [`I have prepared this and it waits.`])
  const { body } = await ask({ prompt: `Cancel order ${number}`, sessionId }, who)
  const [proposal] = body.meta.proposals
  assert.ok(proposal, JSON.stringify(body))
  return { sessionId: body.sessionId, actionId: proposal.actionId }
}

const takesBack = { call: 'tether-withdraw', with: {} }

async function stateOf(shop: Shop, actionId: string) {
  const { body } = await talk.house.ask<{
    events: { event: string; userId: number; subject: string | null; source: string; reason: string | null }[]
  }>('GET', `/v1/audit?actionId=${actionId}`, { key: shop.apiKey })
  return body.events.map(({ event, userId, subject, source, reason }) => [event, userId, subject, source, reason])
}

const confirm = (shop: Shop, actionId: string) =>
  talk.house.ask('POST', `/v1/actions/${actionId}/confirm`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '7' },
    body: { acknowledgeHighRisk: true },
  })

test('a visitor takes back the newest proposal of their conversation, and the trail says who', async () => {
  const shop = await newShop()
  for (const [headers, subject] of [
    [{}, null],
    [await customer('nino', shop), 'nino'],
  ] as const) {
    const who = await guestOf(shop, headers)
    const first = await proposed(who)
    const { sessionId, actionId } = await proposed(who, first.sessionId, 'A-18')
    talk.model.play([takesBack], ['Taken back.'])
    const { body } = await ask({ prompt: 'No wait, do not', sessionId }, who)
    assert.deepEqual(
      body.meta.toolCalls.map(({ tool, status }) => [tool, status]),
      [['tether-withdraw', 'ok']],
    )
    assert.deepEqual((await stateOf(shop, actionId)).at(-1), [
      'rejected',
      0,
      subject,
      'POST /v1/chat',
      'withdrawn by the visitor',
    ])
    assert.equal((await stateOf(shop, first.actionId)).length, 1, 'what was proposed before still waits')
    assert.equal((await confirm(shop, actionId)).body.status, 'Rejected')
    talk.model.play(['Well.'])
    const next = await ask({ prompt: 'And?', sessionId, language: 'ka' }, who)
    assert.deepEqual(next.body.meta.decisions, [
      { actionId, status: 'rejected', reason: 'withdrawn by the visitor', text: 'უკან გაწვეულია. არაფერი შეცვლილა.' },
    ])
  }
})

test('nobody takes back what another conversation proposed, and no one is offered it where nothing waits', async () => {
  const shop = await newShop()
  const guest = await guestOf(shop)
  const { actionId } = await proposed(guest)
  const other = await proposed(guest)
  assert.equal((await confirm(shop, other.actionId)).status, 200)
  talk.model.play(['Well.'])
  await ask({ prompt: 'And?', sessionId: other.sessionId }, guest)
  const offered = () => talk.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
  for (const sessionId of [undefined, other.sessionId]) {
    talk.model.play([takesBack], ['Taken back.'])
    const { body } = await ask({ prompt: 'No wait, do not', sessionId }, guest)
    assert.equal(body.meta.toolCalls[0]?.status, 'unknown_tool')
    assert.ok(!offered().includes('tether-withdraw'))
  }
  assert.equal((await stateOf(shop, actionId)).length, 1)
  const own = { key: shop.apiKey, headers: {} }
  const { sessionId } = await proposed(own)
  talk.model.play(['Well.'])
  await ask({ prompt: 'No', sessionId }, own)
  assert.ok(!offered().includes('tether-withdraw'), 'the business rejects by its own route')
})

const SAID = {
  en: { prompt: 'No wait, do not', taken: /I have taken back/, late: /too late/ },
  ka: { prompt: 'არა, მოიცა, არ გინდა', taken: /უკან გავიწვიე/, late: /გვიანია/ },
} as const satisfies Record<Language, object>

for (const language of ['en', 'ka'] as const) {
  const { prompt, taken, late } = SAID[language]
  test(`${language}: without a model the same words do it, and say so once it is too late`, async () => {
    const shop = await newShop()
    const guest = await guestOf(shop)
    // The same service where no model is set up.
    await using plain = await openHouse({ beside: talk.house, modules: [offline] })
    const asks = (body: object) => plain.ask<ChatAnswer>('POST', '/v1/chat', { ...guest, body })
    const begun = await asks({ prompt: 'Cancel order A-17', language: 'en' })
    const { sessionId, meta } = begun.body
    assert.equal(begun.status, 200, begun.text)
    const actionId = meta.proposals[0]?.actionId ?? assert.fail(JSON.stringify(begun.body))
    const { body } = await asks({ prompt, sessionId, language })
    const said = JSON.stringify(body.blocks)
    assert.match(said, taken)
    assert.doesNotMatch(said, /took and proposed no action|არც შეთავაზებულა/, 'and nothing contradicts it')
    assert.equal((await stateOf(shop, actionId)).at(-1)?.[0], 'rejected')

    const again = await asks({ prompt: 'Cancel order A-18', sessionId, language: 'en' })
    const second = again.body.meta.proposals[0]?.actionId ?? assert.fail(JSON.stringify(again.body))
    const before = talk.business.callsTo('cancel_order').length
    talk.business.script('cancel_order', { do: 'answer', body: { cancelled: true }, delayMs: 1500 })
    const confirming = confirm(shop, second)
    await until(() => talk.business.callsTo('cancel_order').length > before)
    const tooLate = await asks({ prompt, sessionId, language })
    assert.match(JSON.stringify(tooLate.body.blocks), late)
    assert.equal((await confirming).body.status, 'Executed')

    const last = await asks({ prompt: 'Cancel order A-19', sessionId, language: 'en' })
    const third = last.body.meta.proposals[0]?.actionId ?? assert.fail(JSON.stringify(last.body))
    talk.business.script('cancel_order', { do: 'answer', body: { cancelled: true } })
    assert.equal((await confirm(shop, third)).body.status, 'Executed')
    const done = await asks({ prompt, sessionId, language })
    assert.match(JSON.stringify(done.body.blocks), late, 'and it has been done before the visitor heard of it')
    const heard = await asks({ prompt, sessionId, language })
    assert.doesNotMatch(JSON.stringify(heard.body.blocks), late, 'whoever has heard of it takes back nothing')
  })
}

test('of a withdrawal and a confirm at the same moment at most one wins, and both say which', async () => {
  const shop = await newShop()
  const guest = await guestOf(shop)
  const wins = { withdrawn: 0, executed: 0 }
  // The last is too late: by then the business has been asked.
  const pauses = [0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 30, 50, 'asked'] as const
  for (const moment of [...pauses, ...pauses]) {
    const { sessionId, actionId } = await proposed(guest)
    const before = talk.business.callsTo('cancel_order').length
    talk.model.play([takesBack], ['Well.'])
    const [taken, confirmed] = await Promise.all([
      (moment === 'asked' ? until(() => talk.business.callsTo('cancel_order').length > before) : pause(moment)).then(
        () => ask({ prompt: 'No wait, do not', sessionId }, guest),
      ),
      confirm(shop, actionId),
    ])
    const withdrawn = taken.body.meta.toolCalls[0]?.status === 'ok'
    const sent = talk.business.callsTo('cancel_order').length - before
    assert.equal(sent, withdrawn ? 0 : 1)
    assert.equal(confirmed.body.status, withdrawn ? 'Rejected' : 'Executed')
    wins[withdrawn ? 'withdrawn' : 'executed']++
  }
  assert.ok(wins.executed >= 2, JSON.stringify(wins))
})
