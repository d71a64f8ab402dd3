// One event on its way: what is sent, when it is tried again, and when it is given up.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { verifySignature } from '../../../../sdk/src/index.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { openScene, reject, staged, statusOf, waitingOf } from './fixtures/shop.ts'

const SECOND = 1_000

test('an event of a committed change reaches the webhook, once, signed, and says what happened', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 204))
  const actionId = await staged(scene, shop)
  assert.equal(seen.length, 0, 'nothing is sent within the request that caused it')
  await scene.deliver()
  await scene.deliver()
  assert.equal(seen.length, 1)
  const [{ headers, body } = assert.fail()] = seen
  const { request_id: requestId, occurred_at: occurredAt, summary, expires_at: expiresAt, ...rest } = body
  assert.deepEqual(rest, {
    type: 'event',
    event: 'action.pending',
    tenant: { organization_id: shop.tenantId, scope_id: 7 },
    action_id: actionId,
    session_id: null,
    tool: 'refund_order',
  })
  assert.match(String(requestId), /^evt_/)
  assert.match(String(occurredAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.match(String(expiresAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.equal(typeof summary, 'string')
  assert.equal(headers['x-service-idempotency-key'], requestId)
  assert.equal(headers['webhook-id'], requestId)
  assert.equal(headers['x-service-delivery-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
  const [attempt = assert.fail()] = await scene.attempts(shop)
  const { durationMs, attemptedAt, ...said } = attempt
  assert.ok(durationMs >= 0 && Math.abs(Date.parse(attemptedAt) - scene.clock.now()) < 60 * SECOND)
  assert.deepEqual(said, {
    event: 'action.pending',
    actionId,
    sessionId: null,
    url: scene.url,
    destination: 'events_webhook',
    delivered: true,
    statusCode: 204,
    error: null,
    eventId: requestId,
    attempt: 1,
    retryAt: null,
  })
  assert.equal(await waitingOf(scene, shop), 0)
})

test('the libraries that others published verify a delivery unchanged, also in the day after a rotation', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  await staged(scene, shop)
  await scene.deliver()
  const rotated = await scene.house.ask<{ signingSecret: string }>('POST', '/v1/account/signing-secret/rotate', {
    key: shop.apiKey,
  })
  const newSecret = rotated.body.signingSecret
  await staged(scene, shop)
  await scene.deliver()
  const [first = assert.fail(), second = assert.fail()] = seen
  const standard = (secret: string, { text, headers }: typeof first) =>
    new StandardWebhook(secret).verify(text, headers as Record<string, string>)
  const stripe = (secret: string, { text, headers }: typeof first) => {
    const signature = String(headers['x-service-signature']).replace('sha256=', 'v1=')
    return Stripe.webhooks.constructEvent(text, `t=${headers['x-service-timestamp']},${signature}`, secret)
  }
  const ours = async (secret: string, { text, headers }: typeof first) =>
    (await verifySignature({ secret, headers, body: Buffer.from(text) })).ok
  assert.deepEqual(standard(shop.signingSecret, first), first.body)
  assert.deepEqual(stripe(shop.signingSecret, first), first.body)
  assert.equal(await ours(shop.signingSecret, first), true)
  // Both secrets count for the header that has room for two.
  assert.deepEqual(standard(newSecret, second), second.body)
  assert.deepEqual(standard(shop.signingSecret, second), second.body)
  assert.deepEqual(stripe(newSecret, second), second.body)
  assert.throws(() => stripe(shop.signingSecret, second))
  // A day later the old secret counts no longer.
  await scene.house.database.database.script(
    `update tenants set ${setBack('signing_secret_rotated_at', '25 hours')} where tenant_id = ${shop.tenantId}`,
  )
  await staged(scene, shop)
  await scene.deliver()
  await scene.house.ask('POST', '/v1/events/test', { key: shop.apiKey })
  assert.equal(seen.length, 4)
  for (const late of seen.slice(2)) {
    assert.deepEqual(standard(newSecret, late), late.body)
    assert.throws(() => standard(shop.signingSecret, late))
  }
  const altered = { ...first, text: first.text.replace('action.pending', 'action.executed') }
  assert.throws(() => standard(shop.signingSecret, altered))
  assert.throws(() => stripe(shop.signingSecret, altered))
  assert.equal(await ours(shop.signingSecret, altered), false)
})

test('a receiver that is down is tried six times, 2, 4, 8, 16 and 32 seconds apart, and then no more', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const cameAt: number[] = []
  const seen = scene.receiver.play((_request, response) => {
    cameAt.push(scene.clock.now())
    return statusOf(response, 503)
  })
  await staged(scene, shop)
  await scene.deliver()
  for (const [index, wait] of [2, 4, 8, 16, 32].entries()) {
    const attempt = index + 1
    assert.equal(seen.length, attempt)
    const [latest = assert.fail()] = await scene.attempts(shop)
    assert.equal(latest.attempt, attempt)
    // However long the attempt took, the wait begins between its arrival and its end.
    const waitsFrom = Date.parse(latest.retryAt ?? '') - wait * SECOND
    const [came = Number.NaN, over] = [cameAt[index], scene.clock.now()]
    assert.ok(waitsFrom >= came - 50 && waitsFrom <= over + 50, `attempt ${attempt}: ${came}, ${waitsFrom}, ${over}`)
    scene.clock.moveOn(wait * SECOND - 500)
    await scene.deliver()
    // Half a second may pass meanwhile on a busy machine.
    const early = Date.parse(latest.retryAt ?? '') - (cameAt[attempt] ?? Number.POSITIVE_INFINITY)
    assert.ok(early <= 1, `attempt ${attempt + 1} came ${early} ms early`)
    scene.clock.moveOn(1_500)
    await scene.deliver()
    assert.equal(seen.length, attempt + 1, `attempt ${attempt + 1} did not come`)
  }
  assert.equal(await waitingOf(scene, shop), 0)
  scene.clock.moveOn(3_600 * SECOND)
  await scene.deliver()
  assert.equal(seen.length, 6)
  assert.deepEqual(
    seen.map(({ headers }) => headers['x-service-delivery-attempt']),
    ['1', '2', '3', '4', '5', '6'],
  )
  assert.equal(new Set(seen.map(({ text }) => text)).size, 1, 'every attempt has the same body')
  assert.ok(new Set(seen.map(({ headers }) => headers['x-service-timestamp'])).size > 1, 'and a time of its own')
  const attempts = await scene.attempts(shop)
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [6, 5, 4, 3, 2, 1],
  )
  assert.ok(
    attempts.every(
      ({ delivered, error, statusCode }) => !delivered && error === 'the receiver answered 503' && statusCode === 503,
    ),
  )
  assert.deepEqual(
    attempts.map(({ retryAt }) => retryAt === null),
    [true, false, false, false, false, false],
  )
})

test('every way to fail is named in the list', async (t) => {
  const scene = await openScene(t, { settings: { 'Events:MaxAttempts': '1', 'Events:AnswerSeconds': '3' } })
  const failed = async (url: string | null): Promise<unknown> => {
    const shop = await scene.shop(url)
    await staged(scene, shop)
    await scene.deliver()
    const attempts = await scene.attempts(shop)
    assert.equal(attempts.length, 1)
    const { error, statusCode, delivered, retryAt, destination } = attempts[0] ?? assert.fail()
    assert.deepEqual([delivered, retryAt], [false, null])
    return [
      String(error).replace(/(timeout|unreachable|invalid_endpoint|no_destination): .+/, '$1: …'),
      statusCode,
      destination,
    ]
  }
  scene.receiver.play((_request, response) => statusOf(response, 410))
  assert.deepEqual(await failed(scene.url), ['the receiver answered 410', 410, 'events_webhook'])
  scene.receiver.play((_request, response) => response.writeHead(302, { location: scene.url }).end())
  assert.deepEqual(await failed(scene.url), ['the receiver answered 302', 302, 'events_webhook'])
  scene.receiver.play(() => undefined)
  assert.deepEqual(await failed(scene.url), ['timeout: …', null, 'events_webhook'])
  scene.receiver.play((_request, response) => response.socket?.destroy())
  assert.deepEqual(await failed(scene.url), ['unreachable: …', null, 'events_webhook'])
  assert.deepEqual(await failed('http://127.0.0.1:1024/'), ['unreachable: …', null, 'events_webhook'])
  assert.deepEqual(await failed(null), ['no_destination: …', null, null])
})

test('an answer of 2xx counts, however long it is', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  scene.receiver.play((_request, response) => response.end('x'.repeat(1_000_000)))
  await staged(scene, shop)
  await scene.deliver()
  assert.equal((await scene.attempts(shop))[0]?.delivered, true)
})

test('an address that the guard refuses fails at once, without a second attempt', async (t) => {
  const scene = await openScene(t, { settings: { 'ToolTransport:AllowPrivateNetworkEndpoint': 'true' } })
  const shop = await scene.shop()
  const hostile = 'http://169.254.169.254/latest/meta-data/'
  const setUrl = unlisted<unknown, { tenantId: number; url: string }>(
    'test.hostile_webhook',
    'update tenants set events_webhook_url = $url::text where tenant_id = $tenantId::int',
  )
  await scene.house.database.database.run(setUrl, { tenantId: shop.tenantId, url: hostile })
  await staged(scene, shop)
  await scene.deliver()
  scene.clock.moveOn(3_600 * SECOND)
  await scene.deliver()
  const attempts = await scene.attempts(shop)
  assert.equal(attempts.length, 1)
  assert.match(attempts[0]?.error ?? '', /^invalid_endpoint: /)
  assert.equal(attempts[0]?.retryAt, null)
})

test('the destination is the one that the workspace has when the event is sent', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop(null)
  const seen = scene.receiver.play((_request, response) => statusOf(response, 500))
  await scene.house.ask('PUT', '/v1/endpoint', { key: shop.apiKey, body: { url: scene.url } })
  await staged(scene, shop)
  await scene.deliver()
  const other = scene.url.replace('/tools', '/events')
  await scene.house.ask('PUT', '/v1/events/webhook', { key: shop.apiKey, body: { url: other } })
  scene.receiver.play((_request, response) => statusOf(response, 200))
  scene.clock.moveOn(3 * SECOND)
  await scene.deliver()
  const attempts = await scene.attempts(shop)
  assert.deepEqual(
    attempts.map(({ url, destination, delivered }) => [url, destination, delivered]),
    [
      [other, 'events_webhook', true],
      [scene.url, 'tool_endpoint', false],
    ],
  )
  assert.equal(seen.length, 1)
})

test('an event waits while the stored secret does not open, and no attempt is counted', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  await staged(scene, shop)
  const db = scene.house.database.database
  const spoilSecret = unlisted<unknown, { tenantId: number; value: string }>(
    'test.spoil',
    'update tenants set signing_secret = $value::text where tenant_id = $tenantId::int',
  )
  const readSealed = unlisted<{ secret: string }, { tenantId: number }>(
    'test.read_sealed',
    'select signing_secret as secret from tenants where tenant_id = $tenantId::int',
  )
  const spoil = (value: string) => db.run(spoilSecret, { tenantId: shop.tenantId, value })
  const sealed = await db.one(readSealed, { tenantId: shop.tenantId })
  await spoil('enc:v1:unknown:a:b')
  await scene.deliver()
  assert.deepEqual([seen.length, await waitingOf(scene, shop), (await scene.attempts(shop)).length], [0, 1, 0])
  await spoil(sealed?.secret ?? '')
  scene.clock.moveOn(301 * SECOND)
  await scene.deliver()
  assert.equal(seen.length, 1)
  assert.equal(seen[0]?.headers['x-service-delivery-attempt'], '1')
})

test('what an event tells beside the common members arrives as it was written', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  const actionId = await staged(scene, shop)
  await reject(scene, shop, actionId)
  await scene.deliver()
  assert.deepEqual(
    seen.map(({ body }) => [body.event, body.action_id]),
    [
      ['action.pending', actionId],
      ['action.rejected', actionId],
    ],
  )
  assert.equal(seen[1]?.body.reason, 'Not this one.')
})

test('handoffs of one conversation arrive in their order, also when the first has to be tried again', async (t) => {
  const model = playedModel()
  // The first is not tried again before the clock is moved, however slow this machine is.
  const scene = await openScene(t, { model, settings: { 'Events:FirstWaitSeconds': '60' } })
  const shop = await scene.shop()
  const handsOver = async (reason: string, sessionId?: string) => {
    model.play([{ call: 'tether_handoff', with: { reason, summary: 'Wants a person.' } }], ['A person will write.'])
    const { status, body } = await scene.house.ask<{ sessionId: string }>('POST', '/v1/chat', {
      key: shop.apiKey,
      body: { prompt: 'A person, please', ...(sessionId === undefined ? {} : { sessionId }) },
    })
    assert.equal(status, 200)
    return body.sessionId
  }
  const conversation = await handsOver('first')
  await handsOver('second', conversation)
  await handsOver('of another conversation')
  const seen = scene.receiver.play(({ body, headers }, response) =>
    statusOf(response, body.reason === 'first' && headers['x-service-delivery-attempt'] === '1' ? 503 : 204),
  )
  const arrived = () => seen.map(({ body, headers }) => [body.reason, headers['x-service-delivery-attempt']])
  await scene.deliver()
  const sentAtFirst = arrived()
  scene.clock.moveOn(61 * SECOND)
  await scene.deliver()
  assert.deepEqual(
    sentAtFirst.filter(([reason]) => reason !== 'of another conversation'),
    [['first', '1']],
    'the second waits for the first',
  )
  assert.deepEqual(sentAtFirst.length, 2, 'and another conversation does not')
  assert.deepEqual(arrived().slice(2), [
    ['first', '2'],
    ['second', '1'],
  ])
  assert.equal(await waitingOf(scene, shop), 0)
})
