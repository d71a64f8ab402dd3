// A window that is open is told what became of the writes that its conversation proposed, without asking a question.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { statement } from '../../kernel/db/index.ts'
import { ask, customer, listening, newShop, openTalk, page, type Shop, stream, talk } from './fixtures/talk.ts'

openTalk({ settings: { 'AI:Chat:WatchSeconds': '1' } })

type Frame = { type: string; actionId?: string; status?: string; reason?: string | null; text?: string }
type Who = { readonly key: string; readonly headers: Record<string, string> }

const sale = { call: 'cancel_order', with: { number: 'A-17' } }

async function pageOf(shop: Shop, headers = {}): Promise<Who> {
  return { key: await talk.house.key(shop.tenantId, 'publishable'), headers: { ...page, ...headers } }
}

async function proposed(who: Who, sessionId?: string | null) {
  talk.model.play([sale], ['It waits.'])
  const { body } = await ask({ prompt: 'Cancel order A-17', sessionId }, who)
  const [proposal] = body.meta.proposals
  assert.ok(proposal, JSON.stringify(body))
  return { sessionId: body.sessionId, actionId: proposal.actionId }
}

const reject = (shop: Shop, actionId: string, body: object) =>
  talk.house.ask('POST', `/v1/actions/${actionId}/reject`, { key: shop.apiKey, body })

async function watch(sessionId: unknown, who: Who, { last = '', ...more }: { last?: string; language?: string } = {}) {
  const headers = last === '' ? who.headers : { ...who.headers, 'last-event-id': last }
  const reply = await stream({ sessionId, watch: true, ...more }, { ...who, headers })
  return { ...reply, frames: reply.frames as unknown as Frame[] }
}

const turnsOf = statement<{ turns: number }, { tenantId: number }>(
  'test.turns_of',
  'select count(*)::int as turns from turn_records where tenant_id = $tenantId::int',
)

/** A watch lasts a second here. A decision that took half of it, on a busy machine, says nothing of the watch: then there is another. */
async function rejectedDuringWatch(shop: Shop, guest: Who) {
  for (let tries = 1; ; tries++) {
    const { sessionId, actionId } = await proposed(guest)
    const begun = performance.now()
    const watching = watch(sessionId, guest)
    await pause(50)
    await reject(shop, actionId, { reason: 'We do not like him' })
    const isInTime = performance.now() - begun < 500
    const told = await watching
    if (isInTime || tries === 20) return { sessionId, actionId, told }
  }
}

test('a decision is told as it is made, in the language of the conversation, and the watch ends by itself', async () => {
  const shop = await newShop()
  const guest = await pageOf(shop)
  const { sessionId, actionId, told } = await rejectedDuringWatch(shop, guest)
  const { status, headers, frames, ids, text } = told
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/event-stream/)
  assert.match(text, /^: /, 'a comment at once, so that the reader knows that the line is open')
  assert.deepEqual(frames, [
    { type: 'decision', actionId, status: 'rejected', reason: null, text: 'Declined. Nothing was done.' },
    { type: 'end' },
  ])
  assert.ok(Number.isSafeInteger(ids[0]) && Number(ids[0]) > 0)
  assert.doesNotMatch(text, /like him/)
  const later = await watch(sessionId, guest, { language: 'ka' })
  assert.match(String(later.frames[0]?.text), /უარყოფილია/, 'whoever comes later is told, too')
  const resumed = await watch(sessionId, guest, { last: String(ids[0]) })
  assert.deepEqual(
    resumed.frames.map(({ type }) => type),
    ['end'],
    'and whoever was told is not told again',
  )
})

test('a reason is told where the reject says so, and to the business always', async () => {
  const shop = await newShop()
  const guest = await pageOf(shop)
  const reason = 'The 14 days are over'
  for (const tellVisitor of [true, false]) {
    const { sessionId, actionId } = await proposed(guest)
    await reject(shop, actionId, { reason, tellVisitor })
    const { frames } = await watch(sessionId, guest)
    assert.equal(frames[0]?.reason, tellVisitor ? reason : null)
    assert.equal(frames[0]?.text?.includes(reason), tellVisitor)
    talk.model.play(['Well.'])
    const { body } = await ask({ prompt: 'And?', sessionId }, guest)
    assert.equal(body.meta.decisions[0]?.reason, tellVisitor ? reason : null)
    const system = talk.model.requests.at(-1)?.messages[0]?.text ?? ''
    assert.match(system, /\nrejected: /)
    assert.equal(system.includes(reason), tellVisitor, 'the model of a page knows no more than the page')
  }
  const tenant = { key: shop.apiKey, headers: {} }
  const own = await proposed(tenant)
  await reject(shop, own.actionId, { reason })
  assert.equal((await watch(own.sessionId, tenant)).frames[0]?.reason, reason)
})

test('a watch is its owner’s alone, needs a conversation and no question, and spends nothing', async () => {
  const shop = await newShop()
  const [guest, nino, dato] = [
    await pageOf(shop),
    await pageOf(shop, await customer('nino', shop)),
    await pageOf(shop, await customer('dato', shop)),
  ]
  const { sessionId } = await proposed(nino)
  for (const [who, reason] of [
    [dato, 'other_customer'],
    [guest, 'customer_session'],
    [await pageOf(await newShop()), 'not_issued'],
  ] as const) {
    const { status, error } = await watch(sessionId, who)
    assert.deepEqual([status, error?.code, error?.reason], [403, 'session_not_yours', reason])
  }
  const none = await watch(undefined, nino)
  assert.deepEqual([none.status, none.error?.code], [400, 'invalid_request'])
  const both = await stream({ sessionId, watch: true, prompt: 'Hello' }, nino)
  assert.deepEqual([both.status, both.error?.code], [400, 'invalid_request'])
  await talk.house.app.flush()
  const { database } = talk.house.database
  const turns = async () => (await database.one(turnsOf, { tenantId: shop.tenantId }))?.turns
  const before = await turns()
  await talk.house.ask('PATCH', `/v1/tenants/${shop.tenantId}`, {
    key: talk.house.operatorKey,
    body: { plan: 'free' },
  })
  for (let times = 0; times < 3; times++) assert.equal((await watch(sessionId, nino)).status, 200)
  await talk.house.app.flush()
  assert.equal(await turns(), before)
})

test('a write that is executed, and one whose outcome is not known, are told apart', async () => {
  const shop = await newShop()
  const guest = await pageOf(shop)
  const { sessionId, actionId } = await proposed(guest)
  talk.business.script('cancel_order', { do: 'drop' })
  const confirm = () =>
    talk.house.ask('POST', `/v1/actions/${actionId}/confirm`, {
      key: shop.apiKey,
      headers: { 'x-service-user-id': '7' },
      body: { acknowledgeHighRisk: true },
    })
  assert.equal((await confirm()).body.status, 'Indeterminate')
  const uncertain = await watch(sessionId, guest)
  assert.deepEqual([uncertain.frames[0]?.status, uncertain.frames[0]?.reason], ['indeterminate', null])
  const again = await watch(sessionId, guest, { last: String(uncertain.ids[0]) })
  assert.equal(again.frames[0]?.status, 'indeterminate', 'it is not settled yet')
  talk.business.script('cancel_order', { do: 'answer', body: { refunded: true } })
  await talk.house.ask('POST', `/v1/actions/${actionId}/reconcile`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
  const settled = await watch(sessionId, guest, { last: String(uncertain.ids[0]) })
  assert.equal(settled.frames[0]?.status, 'executed')
})

const settleAt = statement<unknown, { actionId: string; at: string }>(
  'test.settle_at',
  'update actions set settled_at = $at::timestamptz where action_id = $actionId::uuid',
)

test('two decisions of one millisecond are told once each, in the order in which they were made', async () => {
  const { database } = talk.house.database
  const shop = await newShop()
  const guest = await pageOf(shop)
  const { sessionId, actionId: second } = await proposed(guest)
  talk.model.play([{ ...sale, with: { number: 'A-18' } }], ['It waits.'])
  const { body } = await ask({ prompt: 'Cancel order A-18', sessionId }, guest)
  const [{ actionId: first } = assert.fail('nothing was staged')] = body.meta.proposals
  await reject(shop, first, {})
  await database.run(settleAt, { actionId: first, at: '2026-11-21 10:00:00.123400Z' })
  const told = await watch(sessionId, guest)
  assert.deepEqual(
    told.frames.map(({ actionId }) => actionId),
    [first, undefined],
  )
  await reject(shop, second, {})
  await database.run(settleAt, { actionId: second, at: '2026-11-21 10:00:00.123900Z' })
  const resumed = await watch(sessionId, guest, { last: String(told.ids[0]) })
  assert.deepEqual(
    resumed.frames.map(({ actionId }) => actionId),
    [second, undefined],
  )
})

const endTurnAt = statement<unknown, { sessionId: string; at: string }>(
  'test.end_turn_at',
  'update sessions set last_at = $at::timestamptz, told_actions = null where session_id = $sessionId::text',
)

test('a conversation of which only the time of its latest answer is kept tells nothing of its last millisecond again', async () => {
  const { database } = talk.house.database
  const shop = await newShop()
  const guest = await pageOf(shop)
  const { sessionId, actionId } = await proposed(guest)
  await reject(shop, actionId, {})
  const footnotes = async (settled: string, ended: string) => {
    await database.run(settleAt, { actionId, at: `2026-11-21 10:00:00.${settled}Z` })
    await database.run(endTurnAt, { sessionId: String(sessionId), at: `2026-11-21 10:00:00.${ended}Z` })
    talk.model.play(['Well.'])
    const { body } = await ask({ prompt: 'And?', sessionId }, guest)
    return JSON.stringify(body.blocks).includes('What was proposed earlier')
  }
  assert.deepEqual([await footnotes('123456', '123457'), await footnotes('123457', '123456')], [false, true])
})

test('whoever revokes a key is sure that its watches are told nothing more', async () => {
  const shop = await newShop()
  const guest = await pageOf(shop)
  const { sessionId, actionId } = await proposed(guest)
  const url = await listening()
  const answer = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': guest.key, 'content-type': 'application/json', ...guest.headers },
    body: JSON.stringify({ sessionId, watch: true }),
  })
  const revoked = await talk.house.ask('DELETE', `/v1/account/keys/${guest.key.slice(0, 12)}`, { key: shop.apiKey })
  assert.equal(revoked.status, 200)
  await reject(shop, actionId, { reason: 'No', tellVisitor: true })
  const told = await answer.text()
  assert.doesNotMatch(told, /decision/)
  assert.match(told, /"type":"end"/)
})
