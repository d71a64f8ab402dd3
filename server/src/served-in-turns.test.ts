// Who waits for a turn of the event loop, and behind whom.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type InjectOptions, type NewTenant, type OpenHouse, openHouse } from '../testkit/house.ts'
import { placeSession } from '../testkit/sessions.ts'
import { listenTo } from '../testkit/statements.ts'
import { MODULES } from './modules.ts'
import { cookieOf } from './pages/inbox/visit.ts'
import { newSessionToken } from './tenancy/access/index.ts'

let house: OpenHouse
let shop: NewTenant
let session: string
let onStatement = (_name: string): void => undefined
before(async () => {
  house = await openHouse({ modules: MODULES })
  listenTo(house, (name) => onStatement(name))
  shop = await house.tenant()
  const key = shop.apiKey
  await house.ask('PUT', '/v1/users', { key, body: [{ displayName: 'Ana', email: 'ana@shop.example' }] })
  const { users } = (await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key })).body
  session = await placeSession(house.database.database, shop.tenantId, users[0]?.id ?? 0)
})
after(() => house.close())

for (const [method, url] of [
  ['GET', '/%E0%A4'],
  ['OPTIONS', '/v1/chat'],
] as const) {
  test(`refusals and preflights are served one per turn of the event loop: ${method} ${url}`, async () => {
    let answered = 0
    let most = 0
    const all = Array.from({ length: 20 }, async () => {
      const { statusCode } = await house.app.server.inject({ method, url })
      answered++
      return statusCode
    })
    for (let before = 0; answered < 20; before = answered) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, answered - before)
    }
    assert.ok(most <= 2, `${most} in one turn`)
    assert.ok((await Promise.all(all)).every((status) => status < 500))
  })
}

const FLOOD = 200
const FLOODER = '198.51.100.7'

/** How many requests of a flood are answered before the first statement of this one, or before its answer if it has none. */
async function answeredBefore(request: InjectOptions): Promise<number> {
  let answered = 0
  let before: number | undefined
  const note = () => {
    before ??= answered
  }
  onStatement = note
  const flood = Array.from({ length: FLOOD }, async () => {
    await house.app.server.inject({ url: '/docs/no-such-page', remoteAddress: FLOODER })
    answered++
  })
  await house.app.server.inject(request)
  note()
  await Promise.all(flood)
  return before ?? FLOOD
}

const inboxCookie = (token: string): string => {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const cookie = cookieOf(house.app.house, { tenantId: shop.tenantId, token, language: 'en' }, expiresAt)
  return cookie.split(';')[0] ?? ''
}
const inboxWith = (cookie: string): InjectOptions => ({ url: '/inbox', headers: { cookie }, remoteAddress: FLOODER })

test('a signed-in person does not wait behind a flood on public pages, even from the same address', async () => {
  const before = await answeredBefore(inboxWith(inboxCookie(session)))
  assert.ok(before <= 5, `${before} of the flood came first`)
})

test('a cookie that the service did not seal does not skip the flood', async () => {
  const [name = ''] = inboxCookie(session).split('=')
  const before = await answeredBefore(inboxWith(`${name}=${'x'.repeat(80)}`))
  assert.ok(before >= FLOOD - 5, `only ${before} of the flood came first`)
})

test('the cookie of a session that has ended does not skip the flood', async () => {
  const request = inboxWith(inboxCookie(newSessionToken().token))
  // The first request looks the session up.
  await house.app.server.inject(request)
  const before = await answeredBefore(request)
  assert.ok(before >= FLOOD - 5, `only ${before} of the flood came first`)
})

test('every page of the inbox and the console says who is signed in to it', () => {
  const pages = house.app.routes.filter(({ path }) => /^\/(?:inbox|console)(?:\/|$)/.test(path))
  assert.ok(pages.length > 20)
  assert.deepEqual(
    pages.filter(({ signedInTo }) => signedInTo === undefined).map(({ path }) => path),
    [],
  )
})

for (const path of ['/v1/listening/$/deliveries', '/v1/notifications/slack/interactions/$']) {
  test(`a signed request waits for one request of each other address: ${path}`, async () => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', shop.signingSecret).update(`${timestamp}.{}`).digest('hex')
    const before = await answeredBefore({
      method: 'POST',
      url: path.replace('$', String(shop.tenantId)),
      payload: '{}',
      headers: {
        'content-type': path.includes('slack') ? 'application/x-www-form-urlencoded' : 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': `sha256=${signature}`,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      remoteAddress: '203.0.113.9',
    })
    assert.ok(before <= 5, `${before} of the flood came first`)
  })
}
