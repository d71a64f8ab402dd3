// A person answers: the visitor reads it, the assistant is silent for as long as they have taken over, and knows afterwards what was said.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { z } from 'zod'
import type { MessageSent, Takeover, Transcript } from '../../../../contract/src/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { findTakeover, insertWords } from '../conversations/queries.ts'
import { ask, customer, newShop, openTalk, page, type Shop, stream, talk } from './fixtures/talk.ts'

// A watch of a test reads what there is and ends.
openTalk({ settings: { 'AI:Chat:WatchSeconds': '1' } })

type Frame = { type: string; id?: string; from?: { name: string }; text?: string; after?: string | null }
type Told = { event: string; fields: string; sessionId: string }

const toldOf = statement<Told, { tenantId: number }>(
  'test.told_in_conversations',
  `select event, fields, session_id as "sessionId" from outbox
    where tenant_id = $tenantId::int and event like 'conversation.%' order by outbox_id`,
)
const lapse = statement<unknown, { tenantId: number; seconds: number }>(
  'test.lapse_takeover',
  `update sessions set taken_over_until = (taken_over_until at time zone 'UTC' - make_interval(secs => $seconds::float8)) at time zone 'UTC'
    where tenant_id = $tenantId::int`,
)
const spentBy = statement<{ turns: number }, { tenantId: number }>(
  'test.spent_by',
  `select (select coalesce(sum(used), 0) from turn_quotas where tenant_id = $tenantId::int)::int
        + (select count(*) from turn_records where tenant_id = $tenantId::int)::int as turns`,
)

async function opened(headers = {}) {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const guest = { key, headers: { ...page, ...headers } }
  await talk.house.ask('PUT', '/v1/users', {
    key: shop.apiKey,
    body: [
      { userId: 6, displayName: 'Ana' },
      { userId: 7, displayName: 'Nino' },
      { userId: 8, displayName: 'Gone', active: false },
    ],
  })
  talk.model.play(['Hello.'])
  const { body } = await ask({ prompt: 'Hello' }, guest)
  return { shop, guest, sessionId: String(body.sessionId), requestId: body.requestId }
}

const post = <Answer>(shop: Shop, sessionId: string, what: string, body?: object) =>
  talk.house.ask<Answer>('POST', `/v1/conversations/${sessionId}/${what}`, { key: shop.apiKey, ...(body && { body }) })
const say = (shop: Shop, sessionId: string, body: object) =>
  post<z.output<typeof MessageSent>>(shop, sessionId, 'messages', body)
const takeOver = (shop: Shop, sessionId: string, body: object = {}) =>
  post<z.output<typeof Takeover>>(shop, sessionId, 'takeover', body)

async function watch(sessionId: string, who: { key: string; headers: object }, last = '') {
  const headers = last === '' ? who.headers : { ...who.headers, 'last-event-id': last }
  const reply = await stream({ sessionId, watch: true }, { ...who, headers })
  return { ...reply, frames: reply.frames as unknown as Frame[] }
}

const told = (shop: Shop) => talk.house.database.database.rows(toldOf, { tenantId: shop.tenantId })

test('a person’s message is read by the visitor alone, under their name, once', async () => {
  const { shop, guest, sessionId, requestId } = await opened()
  const sent = await say(shop, sessionId, { text: ' Good morning! ', userId: 7 })
  assert.equal(sent.status, 200)
  const { message, ...rest } = sent.body
  assert.deepEqual(rest, { sessionId, takenOver: false, takenOverUntil: null, takenOverBy: null })
  assert.match(message.id, /^msg_/)
  const { id, at } = message
  const expected = { id, from: { name: 'Nino' }, text: 'Good morning!', at, after: requestId }
  assert.deepEqual(message, expected)
  const { frames, ids } = await watch(sessionId, guest)
  assert.deepEqual(frames, [{ type: 'message', ...expected }, { type: 'end' }])
  assert.deepEqual(
    (await watch(sessionId, guest, String(ids[0]))).frames.map(({ type }) => type),
    ['end'],
    'whoever has read it does not read it again',
  )
  const other = { key: guest.key, headers: { ...page, ...(await customer('dato', shop)) } }
  assert.equal((await watch(sessionId, other)).error?.code, 'session_not_yours')
  assert.deepEqual(await told(shop), [], 'what the business wrote is not told to the business')
})

test('without a userId the business speaks; a person who is unknown, inactive or removed has no name here', async () => {
  const { shop, guest, sessionId } = await opened()
  for (const userId of [8, 9]) {
    for (const [what, body] of [
      ['messages', { text: 'Hi', userId }],
      ['takeover', { userId }],
    ] as const) {
      const { status, error } = await post(shop, sessionId, what, body)
      assert.deepEqual([status, error?.code], [404, 'user_not_found'], `${what} ${userId}`)
    }
  }
  for (const body of [{ text: ' \n' }, { text: 'x'.repeat(4001) }, {}, { text: 7 }, { text: 'Hi', userId: 0 }]) {
    const { status, error } = await say(shop, sessionId, body)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], JSON.stringify(body).slice(0, 40))
  }
  const { body } = await say(shop, sessionId, { text: 'Hi' })
  const business = body.message.from.name
  assert.notEqual(business, '')
  await say(shop, sessionId, { text: 'I am leaving', userId: 7 })
  const people = await talk.house.ask<{ users: { id: number; userId: number }[] }>('GET', '/v1/users', {
    key: shop.apiKey,
  })
  const nino = people.body.users.find(({ userId }) => userId === 7)
  assert.equal((await talk.house.ask('DELETE', `/v1/users/${nino?.id}`, { key: shop.apiKey })).status, 200)
  assert.deepEqual(
    (await watch(sessionId, guest)).frames.flatMap(({ from }) => from?.name ?? []),
    [business, business],
    'the name of somebody who was removed is forgotten',
  )
})

test('a message that is sent twice under one key is written once, also at the same moment', async () => {
  const { shop, guest, sessionId } = await opened()
  const body = { text: 'Once', idempotencyKey: 'ticket-17/4' }
  const sent = await Promise.all([1, 2, 3].map(() => say(shop, sessionId, body)))
  assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(sent.map(({ body: { message } }) => message.id)).size, 1)
  const conflict = await say(shop, sessionId, { ...body, text: 'Other' })
  assert.deepEqual([conflict.status, conflict.error?.code], [409, 'idempotency_conflict'])
  assert.deepEqual(
    (await watch(sessionId, guest)).frames.flatMap(({ text }) => text ?? []),
    ['Once'],
  )
})

test('while a person has taken over no model is asked, nothing is spent, and what the visitor says is kept and announced', async () => {
  const { shop, guest, sessionId } = await opened()
  await talk.house.ask('PATCH', `/v1/tenants/${shop.tenantId}`, { key: talk.house.operatorKey, body: { plan: 'free' } })
  await talk.house.ask('PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url: 'https://nobody.invalid/' } })
  const taken = await takeOver(shop, sessionId, { userId: 7 })
  assert.equal(taken.status, 200)
  assert.deepEqual([taken.body.takenOver, taken.body.takenOverBy], [true, { name: 'Nino' }])
  const minutes = (Date.parse(String(taken.body.takenOverUntil)) - Date.now()) / 60_000
  assert.ok(minutes > 20 && minutes < 31, String(minutes))

  await talk.house.app.flush()
  const { database } = talk.house.database
  const spent = async () => (await database.one(spentBy, { tenantId: shop.tenantId }))?.turns
  const [asked, before] = [talk.model.requests.length, await spent()]
  const { status, body } = await ask({ prompt: 'Is anybody there?', sessionId }, guest)
  assert.equal(status, 200)
  assert.deepEqual([body.blocks, body.meta.takenOver, body.sessionId, body.meta.proposals], [[], true, sessionId, []])
  const { frames } = await stream({ prompt: 'ვინმე არის?', sessionId, resume: true }, guest)
  assert.deepEqual(
    frames.map(({ type }) => type),
    ['start', 'complete'],
  )
  const [, last] = frames
  assert.ok(last?.type === 'complete' && last.meta.takenOver && last.blocks.length === 0)
  await talk.house.app.flush()
  assert.deepEqual([talk.model.requests.length, await spent()], [asked, before])

  const events = (await told(shop)).map(({ event, fields, ...rest }) => ({ event, ...rest, ...JSON.parse(fields) }))
  assert.deepEqual(
    events.map(({ message_id: id, ...rest }) => ({ ...rest, isNamed: /^msg_/.test(id) })),
    [
      {
        event: 'conversation.message',
        sessionId,
        text: 'Is anybody there?',
        customer_id: null,
        language: 'en',
        isNamed: true,
      },
      {
        event: 'conversation.message',
        sessionId,
        text: 'ვინმე არის?',
        customer_id: null,
        language: 'ka',
        isNamed: true,
      },
    ],
  )
  const whole = await talk.house.ask<z.output<typeof Transcript>>('GET', `/v1/conversations/${sessionId}`, {
    key: shop.apiKey,
  })
  assert.deepEqual(
    whole.body.turns.map(({ prompt, takenOver, blocks }) => [prompt, takenOver, blocks.length]),
    [
      ['Hello', false, 1],
      ['Is anybody there?', true, 0],
      ['ვინმე არის?', true, 0],
    ],
  )
  assert.deepEqual([whole.body.takenOver, whole.body.takenOverBy?.name, whole.body.language], [true, 'Nino', 'ka'])
})

test('once it is released, the assistant answers and knows what was said past it', async () => {
  const { shop, guest, sessionId } = await opened()
  await takeOver(shop, sessionId, { userId: 7 })
  const { body: silent } = await ask({ prompt: 'My number is 555', sessionId }, guest)
  const sent = await say(shop, sessionId, { text: 'I will call you at noon', userId: 7 })
  assert.equal(sent.body.message.after, silent.requestId)
  const next = await say(shop, sessionId, { text: 'Is that all right?', userId: 7 })
  assert.equal(next.body.message.after, silent.requestId, 'a message of a person is not a turn')
  const released = await post<z.output<typeof Takeover>>(shop, sessionId, 'release')
  assert.deepEqual(
    [released.status, released.body],
    [200, { sessionId, takenOver: false, takenOverUntil: null, takenOverBy: null }],
  )
  talk.model.play(['At noon.'])
  const { body } = await ask({ prompt: 'When will you call?', sessionId }, guest)
  assert.deepEqual([body.meta.takenOver, body.blocks.length > 0], [false, true])
  const system = talk.model.requests.at(-1)?.messages[0]?.text ?? ''
  assert.match(system, /visitor: My number is 555\nNino: I will call you at noon\n/)
  assert.equal(
    (await post(shop, sessionId, 'release')).status,
    200,
    'and there is nothing wrong with releasing it twice',
  )
})

test('a takeover lapses, and each message of a person makes it last as long again', async () => {
  const { shop, guest, sessionId } = await opened()
  const { database } = talk.house.database
  const later = (minutes: number) => database.run(lapse, { tenantId: shop.tenantId, seconds: minutes * 60 })
  const silent = async () => (await ask({ prompt: 'Hello?', sessionId }, guest)).body.meta.takenOver
  await takeOver(shop, sessionId)
  await later(20)
  assert.equal(await silent(), true)
  assert.equal((await say(shop, sessionId, { text: 'One moment' })).body.takenOver, true)
  await later(20)
  assert.equal(await silent(), true, 'the visitor’s own words do not count, and the person’s do')
  await later(11)
  const read = await talk.house.ask('GET', `/v1/conversations/${sessionId}`, { key: shop.apiKey })
  assert.equal(read.body.takenOver, false, 'it has lapsed before the assistant answers again')
  assert.equal((await say(shop, sessionId, { text: 'Are you there?' })).body.takenOver, false)
  assert.equal(await silent(), false)
  assert.equal((await say(shop, sessionId, { text: 'Sorry' })).body.takenOver, false, 'a message takes nothing over')
  assert.equal(await silent(), false)
})

test('a lapsed takeover is not shown, and takes no words of the visitor', async () => {
  const { shop, sessionId } = await opened()
  const { database } = talk.house.database
  const at = { tenantId: shop.tenantId, sessionId }
  const word = {
    messageId: 'msg_late',
    requestId: 'req_late',
    text: 'Hello?',
    language: 'en',
    eventId: 'evt_late',
  } as const
  await takeOver(shop, sessionId, { userId: 7 })
  assert.notEqual((await database.one(findTakeover, at))?.takenOverUntil, null)
  await database.run(lapse, { tenantId: shop.tenantId, seconds: 31 * 60 })
  assert.equal((await database.one(findTakeover, at))?.takenOverUntil, null)
  assert.equal(await database.one(insertWords, { ...at, ...word }), undefined)
})

test('a conversation in which a person wrote lately is not forgotten, however long ago its last turn was', async () => {
  const { shop, guest, sessionId } = await opened()
  const { body: other } = await ask({ prompt: 'Hello' }, guest)
  const { database } = talk.house.database
  await database.script(`update sessions set last_at = now() - interval '400 days' where tenant_id = ${shop.tenantId}`)
  await say(shop, sessionId, { text: 'We have found it' })
  const forget = talk.house.app.duties.find(({ name }) => name === 'chat.forget')
  await forget?.work(new AbortController().signal)
  assert.equal((await ask({ prompt: 'x', sessionId }, guest)).status, 200)
  assert.equal((await ask({ prompt: 'x', sessionId: other.sessionId }, guest)).error?.reason, 'not_issued')
})

test('a handoff tells a helpdesk who it is about, in which language, and what they said', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  await talk.house.ask('PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url: 'https://nobody.invalid/' } })
  talk.model.play([{ call: 'tether_handoff', with: { reason: 'Asks for a person', summary: 'Late parcel' } }], ['Yes.'])
  const headers = { ...page, ...(await customer('nino', shop)) }
  await ask({ prompt: 'ადამიანი მინდა' }, { key, headers })
  const [event] = await told(shop)
  assert.deepEqual(JSON.parse(event?.fields ?? ''), {
    trigger: 'assistant',
    reason: 'Asks for a person',
    summary: 'Late parcel',
    text: 'ადამიანი მინდა',
    customer_id: 'nino',
    language: 'ka',
  })
})
