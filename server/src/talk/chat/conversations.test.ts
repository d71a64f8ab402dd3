// What a business sees of its conversations: the list, one of them whole, and that it is gone once it is erased.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { z } from 'zod'
import type { ConversationList, Transcript } from '../../../../contract/src/index.ts'
import { EARLIER_SESSION } from '../../../testkit/history.ts'
import { statement } from '../../kernel/db/index.ts'
import { ask, customer, newShop, openTalk, page, type Shop, stream, talk } from './fixtures/talk.ts'

openTalk()

type List = z.output<typeof ConversationList>
type Whole = z.output<typeof Transcript>

const messagesOf = statement<{ messages: number }, { tenantId: number }>(
  'test.messages_of',
  'select count(*)::int as messages from conversation_messages where tenant_id = $tenantId::int',
)

const untoldOf = statement<{ event: string; sessionId: string }, { tenantId: number }>(
  'test.untold_of',
  'select event, session_id as "sessionId" from undelivered_events where tenant_id = $tenantId::int order by event',
)

const sale = { call: 'cancel_order', with: { number: 'A-17' } }
const read = { call: 'get_order', with: { number: 'A-17' } }

const get = <Answer>(shop: Shop, path: string) =>
  talk.house.ask<Answer>('GET', `/v1/conversations${path}`, { key: shop.apiKey })

async function begin(shop: Shop, prompt = 'Hello', headers = {}): Promise<string> {
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const { body } = await ask({ prompt }, { key, headers: { ...page, ...headers } })
  return String(body.sessionId)
}

test('the list: newest first, page by page, each conversation once', async () => {
  const shop = await newShop()
  const begun: string[] = [EARLIER_SESSION]
  for (let count = 0; count < 5; count++) begun.unshift(await begin(shop))
  const whole = await get<List>(shop, '')
  assert.equal(whole.status, 200)
  assert.deepEqual(
    whole.body.conversations.map(({ sessionId }) => sessionId),
    begun,
  )
  assert.deepEqual([whole.body.count, whole.body.nextBefore], [6, null])
  const { startedAt, lastAt, ...first } = whole.body.conversations[0] ?? assert.fail()
  assert.ok(startedAt <= lastAt)
  assert.deepEqual(first, {
    sessionId: begun[0],
    turns: 1,
    customerId: null,
    handedOff: false,
    rating: null,
    language: 'en',
  })
  const seen: string[] = []
  for (let before: string | null = ''; before !== null; ) {
    const { body }: { body: List } = await get<List>(
      shop,
      `?limit=2${before === '' ? '' : `&before=${encodeURIComponent(before)}`}`,
    )
    seen.push(...body.conversations.map(({ sessionId }) => sessionId))
    // What the next page begins after may be erased meanwhile.
    await talk.house.ask('DELETE', `/v1/conversations/${seen.at(-1)}`, { key: shop.apiKey })
    before = body.nextBefore
  }
  assert.deepEqual(seen, begun)
  for (const wrong of [
    '?before=x',
    '?before=2026-13-01T00:00:00.000000Z_ses_0123456789abcdef01234567',
    '?rating=fine',
    '?handedOff=x',
    '?from=x',
  ]) {
    const { status, error } = await get(shop, wrong)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], wrong)
  }
  assert.equal((await get(shop, '?from=2026-02-01&to=2026-01-01')).error?.code, 'invalid_period')
})

test('the filters: period, customer, handoff, rating', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const nino = await begin(shop, 'გამარჯობა', await customer('nino', shop))
  await talk.house.ask('PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url: talk.business.url } })
  talk.model.play([{ call: 'tether_handoff', with: { reason: 'Angry', summary: 'Money' } }], ['A person will write.'])
  const handed = await begin(shop, 'A person please')
  const { body: rated } = await ask({ prompt: 'Hi' }, { key, headers: page })
  const feedback = { sessionId: rated.sessionId, requestId: rated.requestId, rating: 'down', comment: 'No.' }
  await talk.house.ask('POST', '/v1/chat/feedback', { key, headers: page, body: feedback })
  const found = async (query: string) =>
    (await get<List>(shop, query)).body.conversations.map(({ sessionId }) => sessionId)
  assert.deepEqual(await found('?customer=nino'), [nino])
  assert.deepEqual(await found('?customer=dato'), [])
  assert.deepEqual(await found('?handedOff=true'), [handed])
  assert.deepEqual(await found('?handedOff=false'), [rated.sessionId, nino, EARLIER_SESSION])
  assert.deepEqual(await found('?rating=down'), [rated.sessionId, EARLIER_SESSION])
  assert.deepEqual(await found('?rating=up'), [])
  assert.deepEqual(await found('?customer=nino&rating=down'), [])
  assert.deepEqual(await found('?rating=down&handedOff=false'), [rated.sessionId, EARLIER_SESSION])
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(await found(`?rating=down&from=${yesterday}`), [rated.sessionId])
  assert.deepEqual(await found(`?to=${yesterday}`), [EARLIER_SESSION])
  assert.deepEqual(await found(`?from=${yesterday}`), [rated.sessionId, handed, nino])
  assert.deepEqual(await found('?to=2020-01-01'), [])
  assert.equal((await found('?from=2020-01-01')).length, 4)
  const { conversations } = (await get<List>(shop, '?customer=nino')).body
  assert.deepEqual([conversations[0]?.customerId, conversations[0]?.language], ['nino', 'ka'])
  // The latest rating of a conversation counts.
  const { body: next } = await ask({ prompt: 'Thanks', sessionId: rated.sessionId }, { key, headers: page })
  const better = { sessionId: rated.sessionId, requestId: next.requestId, rating: 'up' }
  await talk.house.ask('POST', '/v1/chat/feedback', { key, headers: page, body: better })
  assert.deepEqual(await found('?rating=up'), [rated.sessionId])
  assert.deepEqual(await found('?rating=down'), [EARLIER_SESSION])
})

test('one conversation: what was said, called and proposed, what became of it, and what was thought of it', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const who = { key, headers: page }
  talk.model.play([read], [sale], ['It waits.\n```block:kpi\n{"label":"Total","value":7}\n```'])
  const { body: first } = await ask({ prompt: 'Cancel A-17' }, who)
  const [proposal] = first.meta.proposals
  const { sessionId } = first
  await talk.house.ask('POST', `/v1/actions/${proposal?.actionId}/reject`, {
    key: shop.apiKey,
    body: { reason: 'Too late' },
  })
  talk.model.play(['Well.'])
  const { body: second } = await ask({ prompt: 'And?', sessionId }, who)
  const rated = { sessionId, requestId: second.requestId, rating: 'up' }
  assert.equal((await talk.house.ask('POST', '/v1/chat/feedback', { ...who, body: rated })).status, 200)

  const { status, body } = await get<Whole>(shop, `/${sessionId}`)
  assert.equal(status, 200)
  assert.deepEqual(
    [
      body.sessionId,
      body.rating,
      body.handedOff,
      body.takenOver,
      body.takenOverUntil,
      body.takenOverBy,
      body.nextBefore,
    ],
    [sessionId, 'up', false, false, null, null, null],
  )
  const [one, other, ...none] = body.turns
  assert.ok(one !== undefined && other !== undefined && none.length === 0)
  assert.deepEqual([one.requestId, one.prompt, one.takenOver], [first.requestId, 'Cancel A-17', false])
  assert.deepEqual(one.blocks, first.blocks)
  assert.deepEqual(
    one.toolCalls.map(({ tool, status: ended }) => [tool, ended]),
    [
      ['get_order', 'ok'],
      ['cancel_order', 'staged'],
    ],
  )
  assert.deepEqual(
    one.proposals.map(({ actionId, tool, status: now, reason, replaces, verification }) => [
      actionId,
      tool,
      now,
      reason,
      replaces,
      verification,
    ]),
    [[proposal?.actionId, 'cancel_order', 'rejected', 'Too late', null, null]],
  )
  assert.ok(one.proposals[0]?.settledAt)
  assert.equal(one.rating, null)
  assert.deepEqual([other.prompt, other.rating?.rating, other.rating?.comment], ['And?', 'up', null])
  await readsInPages(shop, String(sessionId), [first.requestId, second.requestId])
})

async function readsInPages(shop: Shop, sessionId: string, [earlier, later]: readonly [string, string]) {
  const newest = await get<Whole>(shop, `/${sessionId}?limit=1`)
  assert.deepEqual(
    newest.body.turns.map(({ requestId }) => requestId),
    [later],
  )
  const older = await get<Whole>(
    shop,
    `/${sessionId}?limit=1&before=${encodeURIComponent(String(newest.body.nextBefore))}`,
  )
  assert.deepEqual(
    older.body.turns.map(({ requestId }) => requestId),
    [earlier],
  )
  assert.deepEqual([older.body.nextBefore, older.body.turns[0]?.proposals.length], [null, 1])
}

test('however much people wrote between two turns, every word of it is on one page, and on one alone', async () => {
  const shop = await newShop()
  talk.model.play(['Hello.'])
  const who = { key: shop.apiKey }
  const { sessionId } = (await ask({ prompt: 'Hello' }, who)).body
  const wrote = (count: number, prefix: string) => `
    insert into conversation_messages (tenant_id, message_id, session_id, author, text, at)
    select ${shop.tenantId}, 'msg_${prefix}' || lpad(n::text, 25, '0'), '${sessionId}', 'person', '${prefix} ' || n,
           -- Several at the same moment, too.
           now() + make_interval(secs => (n / 3) * 0.001)
      from generate_series(1, ${count}) n`
  const { database } = talk.house.database
  await database.script(wrote(230, 'a'))
  await database.script('select pg_sleep(0.1)')
  talk.model.play(['Well.'])
  assert.equal((await ask({ prompt: 'And?', sessionId }, who)).status, 200)
  await database.script(wrote(430, 'b'))
  const seen: string[] = []
  const turns: string[] = []
  let before = ''
  for (let page = 0; page < 9; page++) {
    const { body } = await get<Whole>(shop, `/${sessionId}?limit=1${before}`)
    assert.ok(body.messages.length <= 200)
    seen.unshift(...body.messages.map(({ text }) => text))
    turns.unshift(...body.turns.map(({ prompt }) => prompt))
    if (body.nextBefore === null) break
    before = `&before=${encodeURIComponent(body.nextBefore)}`
  }
  const all = [
    ...Array.from({ length: 230 }, (_, n) => `a ${n + 1}`),
    ...Array.from({ length: 430 }, (_, n) => `b ${n + 1}`),
  ]
  assert.deepEqual(seen, all)
  assert.deepEqual(turns, ['Hello', 'And?'])
})

test('a proposal that was amended, and one of a turn that never ended, are not left out', async () => {
  const shop = await newShop()
  talk.model.play([sale], ['It waits.'])
  const who = { key: shop.apiKey }
  const { body: first } = await ask({ prompt: 'Cancel A-17' }, who)
  const { sessionId } = first
  const old = first.meta.proposals[0]?.actionId
  const amended = await talk.house.ask<{ actionId: string }>('POST', `/v1/actions/${old}/amend`, {
    ...who,
    body: { arguments: { number: 'A-18' } },
  })
  talk.model.play([{ call: 'cancel_order', with: { number: 'A-19' } }], [{ fail: new Error('gone') }])
  await stream({ prompt: 'And A-19', sessionId }, who)
  const { body } = await get<Whole>(shop, `/${sessionId}`)
  assert.equal(body.turns.length, 1)
  assert.deepEqual(
    body.turns[0]?.proposals.map(({ replaces, status }) => [replaces, status]),
    [
      [null, 'rejected'],
      [old, 'pending'],
      [null, 'pending'],
    ],
    JSON.stringify(amended.body),
  )
})

test('nobody but the business itself reads, answers or erases: no other key, and no other workspace', async () => {
  const [shop, stranger] = [await newShop(), await newShop()]
  talk.model.play(['Hello.'])
  const sessionId = await begin(shop)
  const key = shop.apiKey
  const routes = [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['POST', '/messages', { text: 'Hello' }],
    ['POST', '/takeover', {}],
    ['POST', '/release', undefined],
  ] as const
  for (const [method, path, body] of routes) {
    for (const kind of ['publishable', 'agent', 'inbox'] as const) {
      const other = { key: await talk.house.key(shop.tenantId, kind), headers: page }
      const { status } = await talk.house.ask(method, `/v1/conversations/${sessionId}${path}`, {
        ...other,
        ...(body && { body }),
      })
      assert.equal(status, 403, `${kind} ${method} ${path}`)
    }
    const { status, error } = await talk.house.ask(method, `/v1/conversations/${sessionId}${path}`, {
      key: stranger.apiKey,
      ...(body && { body }),
    })
    assert.deepEqual([status, error?.code], [404, 'session_not_found'], `${method} ${path}`)
  }
  const foreign = (await get<List>(stranger, '')).body.conversations
  assert.deepEqual(
    foreign.map((one) => one.sessionId),
    [EARLIER_SESSION],
  )
  await talk.house.ask('POST', `/v1/conversations/${sessionId}/messages`, { key, body: { text: 'A secret word' } })
  const { database } = talk.house.database
  assert.equal(
    (await database.one(messagesOf, { tenantId: shop.tenantId }))?.messages,
    2,
    'that of the test and the old one',
  )
  for (const session of [sessionId, 'ses_other'])
    await database.script(`
      insert into undelivered_events (tenant_id, event_id, event, session_id, occurred_at, attempts, sealed_body, failed_at)
      values (${shop.tenantId}, 'evt_${session}', 'conversation.message', '${session}', now(), 6, 'sealed', now())`)
  await database.script(`
    insert into undelivered_events (tenant_id, event_id, event, session_id, occurred_at, attempts, sealed_body, failed_at)
    values (${shop.tenantId}, 'evt_of_action', 'action.rejected', '${sessionId}', now(), 6, 'sealed', now())`)
  const gone = await talk.house.ask('DELETE', `/v1/conversations/${sessionId}`, { key })
  assert.deepEqual([gone.status, gone.body], [200, { deleted: true, sessionId }])
  assert.equal((await get(shop, `/${sessionId}`)).error?.code, 'session_not_found')
  assert.equal((await database.one(messagesOf, { tenantId: shop.tenantId }))?.messages, 1, 'the old one stays')
  assert.deepEqual(await database.rows(untoldOf, { tenantId: shop.tenantId }), [
    { event: 'action.rejected', sessionId },
    { event: 'conversation.message', sessionId: 'ses_other' },
  ])
})
