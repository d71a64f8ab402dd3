import assert from 'node:assert/strict'
import test from 'node:test'
import { EARLIER_EVENT } from '../../../testkit/history.ts'
import { openKeyring } from '../../kernel/crypto/index.ts'
import { unlisted } from '../../kernel/db/index.ts'
import type { MailDeliveries } from '../mail/index.ts'
import { resealRows } from '../sealing/index.ts'
import { deliveriesOf } from './deliveries.ts'
import {
  announce,
  type Deliveries,
  openScene,
  reject,
  staged,
  statusOf,
  type Webhook,
  waitingOf,
} from './fixtures/shop.ts'
import { queuedBodies, sealedBodies } from './index.ts'

const SECOND = 1_000

test('the webhook is set, shown, and cleared; the tool endpoint stands in for it', async (t) => {
  const { house, url } = await openScene(t)
  const { apiKey: key } = await house.tenant()
  const get = async () => (await house.ask<Webhook>('GET', '/v1/events/webhook', { key })).body
  const put = (body: unknown) => house.ask<Webhook>('PUT', '/v1/events/webhook', { key, body })
  const none = { lastDelivery: null, lastFailure: null, signingSecretIssued: true }
  assert.deepEqual(await get(), { configured: false, url: null, effectiveUrl: null, effectiveSource: null, ...none })
  await house.ask('PUT', '/v1/endpoint', { key, body: { url } })
  assert.deepEqual(await get(), {
    configured: false,
    url: null,
    effectiveUrl: url,
    effectiveSource: 'tool_endpoint',
    ...none,
  })
  const webhook = 'http://127.0.0.1:4000/events'
  const set = await put({ url: `  ${webhook} ` })
  assert.deepEqual(set.body, {
    configured: true,
    url: webhook,
    effectiveUrl: webhook,
    effectiveSource: 'events_webhook',
    ...none,
  })
  assert.deepEqual(await get(), set.body)
  for (const body of [{}, { url: 7 }]) {
    const { status, error } = await put(body)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
  }
  for (const bad of [
    'not a url',
    'ftp://example.com/',
    'http://169.254.169.254/',
    'http://user:pass@127.0.0.1:4000/',
  ]) {
    const { status, error } = await put({ url: bad })
    assert.deepEqual([status, error?.code], [400, 'invalid_endpoint'], bad)
  }
  assert.equal((await get()).url, webhook, 'nothing changed')
  assert.equal((await put({ url: '' })).body.effectiveSource, 'tool_endpoint')
  await put({ url: webhook })
  assert.equal((await put({ url: null })).body.configured, false)
})

test('outside Development an address must be public and use HTTPS', async (t) => {
  const { house } = await openScene(t, {
    settings: { 'ToolTransport:AllowInsecureEndpoint': 'false', 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  const { apiKey: key } = await house.tenant()
  for (const [url, words] of [
    ['http://shop.example.com/', /must use HTTPS/],
    ['https://127.0.0.1/', /private|public|address/i],
    ['/relative', /not an absolute URL/],
  ] as const) {
    const { status, error } = await house.ask('PUT', '/v1/events/webhook', { key, body: { url } })
    assert.deepEqual([status, error?.code], [400, 'invalid_endpoint'])
    assert.match(error?.message ?? '', words)
  }
})

test('deliveries are listed newest first, by every filter, page by page', async (t) => {
  // What fails is tried again once: when the clock is moved, however slow this machine is.
  const scene = await openScene(t, { settings: { 'Events:FirstWaitSeconds': '60' } })
  const shop = await scene.shop()
  scene.receiver.play(({ body }, response) => statusOf(response, body.event === 'action.rejected' ? 500 : 200))
  const one = await staged(scene, shop)
  const two = await staged(scene, shop)
  await reject(scene, shop, two)
  await announce(scene, shop, ['ses_9'])
  await scene.deliver()
  scene.clock.moveOn(61 * SECOND)
  await scene.deliver()
  const list = async (query: string) =>
    (await scene.house.ask<Deliveries>('GET', `/v1/events/deliveries?${query}`, { key: shop.apiKey })).body
  const all = await list('')
  assert.equal(all.count, 6, 'those of the test and the old one')
  assert.equal(all.deliveries.at(-1)?.eventId, EARLIER_EVENT)
  assert.equal(all.nextBefore, null)
  const times = all.deliveries.map(({ attemptedAt }) => Date.parse(attemptedAt))
  assert.deepEqual(
    times,
    [...times].sort((a, b) => b - a),
  )
  const names = async (query: string) =>
    (await list(query)).deliveries.map(({ event, attempt }) => `${event} ${attempt}`)
  assert.deepEqual(await names('failed=true'), ['action.rejected 2', 'action.rejected 1', 'action.expired 1'])
  assert.deepEqual((await names('failed=false')).sort(), [
    'action.pending 1',
    'action.pending 1',
    'conversation.handoff 1',
  ])
  assert.deepEqual(await names('event=conversation.handoff'), ['conversation.handoff 1'])
  assert.deepEqual(await names(`actionId=${one}`), ['action.pending 1'])
  assert.deepEqual(await names(`actionId=${two}&failed=true&event=action.rejected`), [
    'action.rejected 2',
    'action.rejected 1',
  ])
  const [failed = assert.fail()] = (await list('failed=true')).deliveries
  assert.deepEqual(await names(`eventId=${failed.eventId}`), ['action.rejected 2', 'action.rejected 1'])
  assert.equal((await list('event=conversation.handoff')).deliveries[0]?.sessionId, 'ses_9')
  assert.deepEqual(await names('eventId=evt_nobody'), [])
  const paged: Deliveries['deliveries'] = []
  for (let query = 'limit=2'; ; ) {
    const page = await list(query)
    paged.push(...page.deliveries)
    if (page.nextBefore === null) break
    assert.equal(page.count, 2)
    query = `limit=2&before=${page.nextBefore}`
  }
  assert.deepEqual(paged, all.deliveries)
  assert.equal((await list('limit=0')).count, 1, 'a limit is clamped')
  assert.equal((await list('limit=100000')).count, 6)
  for (const bad of ['limit=many', 'failed=perhaps', 'actionId=7', 'before=-1', 'before=x']) {
    const { status, error } = await scene.house.ask('GET', `/v1/events/deliveries?${bad}`, { key: shop.apiKey })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], bad)
  }
  const { body: webhook } = await scene.house.ask<Webhook>('GET', '/v1/events/webhook', { key: shop.apiKey })
  assert.equal(all.deliveries[0]?.delivered, false, 'the newest attempt failed')
  const newest = all.deliveries.find(({ delivered }) => delivered)
  assert.deepEqual([webhook.lastDelivery, webhook.lastFailure], [newest, failed])
  const stranger = await scene.shop()
  assert.deepEqual(await scene.attempts(stranger, `&eventId=${failed.eventId}`), [])
})

test('a kind of mail is listed by the room that sends it', async (t) => {
  const { house } = await openScene(t)
  const asked: unknown[] = []
  const mail: MailDeliveries = {
    owns: (event) => event === 'mail.sign_in',
    async list(_house, tenant, filter) {
      asked.push([tenant, filter])
      return { deliveries: [], count: 0, nextBefore: null }
    },
  }
  const { tenantId } = await house.tenant()
  const ctx = { ...house.app.house, asking: { tenantId } } as unknown as Parameters<typeof deliveriesOf>[0]
  await deliveriesOf(ctx, { event: 'mail.sign_in', failed: 'true' }, mail)
  await deliveriesOf(ctx, { event: 'action.executed' }, mail)
  const ofAction = { event: 'mail.sign_in', actionId: '7d2f1c1e-4a52-4c0e-9d4f-3f1f0b6a7c11' }
  assert.deepEqual(await deliveriesOf(ctx, ofAction, mail), { deliveries: [], count: 0, nextBefore: null })
  assert.deepEqual(asked, [[tenantId, { event: 'mail.sign_in', failed: true, limit: 50 }]])
})

test('a test ping is sent at once, signed, shown with its answer, and never again', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => response.writeHead(418).end('no coffee here'))
  type Tested = { delivery: Deliveries['deliveries'][number]; answer: unknown }
  const test = (key = shop.apiKey) => scene.house.ask<Tested>('POST', '/v1/events/test', { key })
  const { status, body } = await test()
  assert.equal(status, 200)
  assert.deepEqual(body.answer, { status: 418, body: 'no coffee here' })
  assert.deepEqual(
    [body.delivery.event, body.delivery.delivered, body.delivery.error, body.delivery.retryAt, body.delivery.attempt],
    ['test.ping', false, 'the receiver answered 418', null, 1],
  )
  assert.equal(seen.length, 1)
  assert.equal(seen[0]?.body.event, 'test.ping')
  assert.equal(seen[0]?.headers['webhook-id'], body.delivery.eventId)
  scene.clock.moveOn(3_600 * SECOND)
  await scene.deliver()
  assert.equal(seen.length, 1)
  assert.deepEqual(await scene.attempts(shop), [body.delivery])
  const nowhere = await scene.shop(null)
  const told = (await test(nowhere.apiKey)).body
  assert.match(told.delivery.error ?? '', /^no_destination: /)
  assert.equal(told.answer, null)
})

test('an event that was given up is sent again on demand, as it was', async (t) => {
  const scene = await openScene(t, { settings: { 'Events:MaxAttempts': '1' } })
  const shop = await scene.shop()
  const redeliver = (eventId: string, key = shop.apiKey) =>
    scene.house.ask('POST', `/v1/events/${eventId}/redeliver`, { key })
  let status = 500
  const seen = scene.receiver.play((_request, response) => statusOf(response, status))
  const actionId = await staged(scene, shop)
  await scene.deliver()
  const [{ body, text } = assert.fail()] = seen
  const eventId = String(body.request_id)
  assert.equal(await waitingOf(scene, shop), 0)
  const stranger = await scene.shop()
  assert.deepEqual(
    [(await redeliver(eventId, stranger.apiKey)).status, (await redeliver('evt_none')).error?.code],
    [404, 'event_not_found'],
  )
  assert.deepEqual((await redeliver(eventId)).body, { queued: true, eventId, event: 'action.pending' })
  await scene.deliver()
  assert.equal(seen.length, 2)
  status = 200
  assert.equal((await redeliver(eventId)).status, 200, 'it failed again and is kept again')
  await scene.deliver()
  assert.deepEqual(
    seen.map((one) => one.text),
    [text, text, text],
  )
  assert.deepEqual(
    (await scene.attempts(shop)).map((one) => [one.attempt, one.delivered, one.actionId]),
    [
      [3, true, actionId],
      [2, false, actionId],
      [1, false, actionId],
    ],
  )
  assert.equal((await redeliver(eventId)).status, 404, 'what was delivered is not kept')
})

test('the body of an event that is sent again follows a new encryption key while it waits', async (t) => {
  const scene = await openScene(t, { settings: { 'Events:MaxAttempts': '1' } })
  const shop = await scene.shop()
  let status = 500
  const seen = scene.receiver.play((_request, response) => statusOf(response, status))
  await staged(scene, shop)
  await scene.deliver()
  const eventId = String(seen[0]?.body.request_id)
  await scene.house.ask('POST', `/v1/events/${eventId}/redeliver`, { key: shop.apiKey })
  const { house } = scene.house.app
  const key = Buffer.alloc(32, 7).toString('base64')
  const turned = openKeyring({ key, previous: [house.settings.encryption.key] })
  assert.deepEqual(await resealRows({ ...house, keyring: turned }, sealedBodies), {
    resealed: 0,
    alreadyCurrent: 0,
    unreadable: 0,
  })
  assert.deepEqual(await resealRows({ ...house, keyring: turned }, queuedBodies), {
    resealed: 1,
    alreadyCurrent: 0,
    unreadable: 0,
  })
  const alone = openKeyring({ key, previous: [] })
  assert.deepEqual(await resealRows({ ...house, keyring: alone }, queuedBodies), {
    resealed: 0,
    alreadyCurrent: 1,
    unreadable: 0,
  })
  // Back under the key that this service runs with: what is sent is what was sent.
  const back = openKeyring({ key: house.settings.encryption.key, previous: [key] })
  assert.equal((await resealRows({ ...house, keyring: back }, queuedBodies)).resealed, 1)
  status = 200
  await scene.deliver()
  assert.deepEqual(
    seen.map((one) => one.text),
    [seen[0]?.text, seen[0]?.text],
  )
})

test('an event that waits for its next attempt can be sent at once', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  let status = 500
  const seen = scene.receiver.play((_request, response) => statusOf(response, status))
  await staged(scene, shop)
  await scene.deliver()
  status = 200
  const eventId = String(seen[0]?.body.request_id)
  const { body } = await scene.house.ask('POST', `/v1/events/${eventId}/redeliver`, { key: shop.apiKey })
  assert.deepEqual(body, { queued: true, eventId, event: 'action.pending' })
  await scene.deliver()
  assert.equal(seen.length, 2)
})

test('the body of an event that was given up is sealed, follows a new encryption key, and is dropped after its time', async (t) => {
  const scene = await openScene(t, { settings: { 'Events:MaxAttempts': '1' } })
  const shop = await scene.shop()
  scene.receiver.play((_request, response) => statusOf(response, 500))
  await staged(scene, shop)
  await scene.deliver()
  const db = scene.house.database.database
  const readSealed = unlisted<{ body: string }, { tenantId: number }>(
    'test.sealed_body',
    'select sealed_body as body from undelivered_events where tenant_id = $tenantId::int',
  )
  const sealed = async () => (await db.one(readSealed, { tenantId: shop.tenantId }))?.body
  const before = (await sealed()) ?? assert.fail()
  assert.match(before, /^enc:v1:/)
  assert.ok(!before.includes('refund_order'))
  const { house } = scene.house.app
  const key = Buffer.alloc(32, 7).toString('base64')
  const keyring = openKeyring({ key, previous: [house.settings.encryption.key] })
  assert.deepEqual(await resealRows({ ...house, keyring }, sealedBodies), {
    resealed: 1,
    alreadyCurrent: 0,
    unreadable: 0,
  })
  assert.deepEqual(await resealRows({ ...house, keyring }, sealedBodies), {
    resealed: 0,
    alreadyCurrent: 1,
    unreadable: 0,
  })
  const alone = openKeyring({ key, previous: [] })
  assert.deepEqual(await resealRows({ ...house, keyring: alone }, sealedBodies), {
    resealed: 0,
    alreadyCurrent: 1,
    unreadable: 0,
  })
  const forget = scene.house.app.duties.find(({ name }) => name === 'events.forget') ?? assert.fail()
  const ageBoth = unlisted<unknown, { tenantId: number; days: number }>(
    'test.age',
    `with d as (
       update deliveries set attempted_at = now() - make_interval(days => $days::int)
        where tenant_id = $tenantId::int and event_id <> '${EARLIER_EVENT}'
     )
     update undelivered_events set failed_at = now() - make_interval(days => $days::int) where tenant_id = $tenantId::int`,
  )
  const age = (days: number) => db.run(ageBoth, { tenantId: shop.tenantId, days })
  await age(29)
  assert.equal(await forget.work(new AbortController().signal), 0)
  await age(31)
  assert.equal(await forget.work(new AbortController().signal), 2)
  assert.deepEqual([await sealed(), (await scene.attempts(shop)).length], [undefined, 0])
  const { body } = await scene.house.ask<Deliveries>('GET', '/v1/events/deliveries', { key: shop.apiKey })
  assert.deepEqual(
    body.deliveries.map(({ eventId }) => eventId),
    [EARLIER_EVENT],
    'it is 20 days old',
  )
})
