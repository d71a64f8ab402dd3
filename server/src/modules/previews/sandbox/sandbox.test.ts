import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { ChatAnswer, SandboxStatus } from '@tether/contract'
import { type OpenHouse, openHouse, type Reply } from '../../../../testkit/house.ts'
import { playedModel } from '../../../../testkit/played-model.ts'
import { unlisted } from '../../../kernel/db/index.ts'
import { TENANT_TABLES } from '../../../tenancy/tenants/index.ts'
import { offline } from '../../offline/module.ts'
import { reading, type Scripted, SITE, scriptedSite } from '../fixtures/scripted-site.ts'
import { previewsWith } from '../module.ts'

// An address needs no look-up, and the guard lets a public one pass.
const PUBLIC = 'https://1.1.1.1/'
const OPEN = {
  'PreviewSandbox:Enabled': 'true',
  'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
  'PreviewSandbox:MaxPerAddressPerDay': '1000',
  'PreviewSandbox:MaxGlobalPerHour': '1000',
}

let house: OpenHouse
let site: Scripted
const readsSite = () => [previewsWith(site.read), offline]
before(async () => {
  site = scriptedSite()
  house = await openHouse({ modules: readsSite(), settings: OPEN })
})
after(() => house.close())
beforeEach(() => {
  site.next = reading()
})

type Opened = { sandboxKey: string; keyPrefix: string; state: string; site: string; expiresAt: string; limits: object }

const open = (body: unknown = { siteUrl: PUBLIC }, at = house, headers: Record<string, string> = {}) =>
  at.ask<Opened>('POST', '/v1/preview/sandbox', { body, headers })
const statusOf = async (key: string, at = house) =>
  (await at.ask<SandboxStatus>('GET', '/v1/preview/sandbox', { key })).body
const ask = (key: string, prompt: string, more: object = {}, at = house): Promise<Reply<ChatAnswer>> =>
  at.ask<ChatAnswer>('POST', '/v1/chat', { key, body: { prompt, ...more } })

async function settled(key: string, at = house): Promise<SandboxStatus> {
  for (let round = 0; round < 6_000; round++) {
    const status = await statusOf(key, at)
    if (status.state !== 'crawling') return status
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the crawl never ended')
}

async function readySandbox(at = house): Promise<string> {
  const { status, body, text } = await open(undefined, at)
  assert.equal(status, 200, text)
  assert.equal((await settled(body.sandboxKey, at)).state, 'ready')
  return body.sandboxKey
}

const tenantOfKey = unlisted<{ tenantId: number }, { prefix: string }>(
  'test.tenant_of_key',
  'select tenant_id as "tenantId" from keys where prefix = $prefix::text',
)
const age = unlisted<unknown, { tenantId: number; hours: number }>(
  'test.age_sandbox',
  `update sandboxes set expires_at = now() - $hours::float8 * interval '1 hour' where tenant_id = $tenantId::int`,
)
const ownerOf = async (key: string): Promise<number> =>
  (await house.database.database.one(tenantOfKey, { prefix: key.slice(0, 12) }))?.tenantId ?? 0
const endHoursAgo = async (key: string, hours: number) =>
  house.database.database.run(age, { tenantId: await ownerOf(key), hours })
const sweepOnce = async () => {
  const duty = house.app.duties.find(({ name }) => name === 'previews.sandboxes')
  return await duty?.work(new AbortController().signal)
}
const rowsOf = async (tenantId: number): Promise<string[]> => {
  const held: string[] = []
  for (const table of [...TENANT_TABLES, 'tenants']) {
    const count = unlisted<{ count: number }, { tenantId: number }>(
      `test.count_${table}`,
      `select count(*)::int as count from ${table} where tenant_id = $tenantId::int`,
    )
    if (((await house.database.database.one(count, { tenantId }))?.count ?? 0) > 0) held.push(table)
  }
  return held
}

test('a stranger opens a sandbox, watches it, and talks with what was read', async () => {
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading()
  }
  const { status, body } = await open({ siteUrl: `${PUBLIC}lamps?all=1#top` })
  assert.equal(status, 200)
  const { sandboxKey: key, expiresAt, ...rest } = body as Opened & { notice: string }
  assert.match(key, /^tsb_[0-9a-f]{48}$/)
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000) < 60_000)
  assert.match(rest.notice, /preview/)
  assert.deepEqual(
    { ...rest, notice: '' },
    {
      keyPrefix: key.slice(0, 12),
      state: 'crawling',
      site: 'https://1.1.1.1',
      limits: { pages: 8, bytes: 1_048_576, seconds: 20, lifetimeMinutes: 60, turns: 20 },
      notice: '',
    },
  )
  const empty = { chunks: 0, topics: [], name: null, items: 0, brand: null, error: null, errorCode: null }
  assert.deepEqual(await statusOf(key), { state: 'crawling', pagesRead: 0, ...empty, turnsLeft: 20, expiresAt })
  const early = await ask(key, 'Do you deliver to Batumi?')
  assert.deepEqual([early.status, early.error?.code], [409, 'sandbox_not_ready'])
  gate.resolve()
  assert.deepEqual(await settled(key), {
    state: 'ready',
    pagesRead: 2,
    chunks: 4,
    topics: ['Delivery and returns', 'About us'],
    name: 'Lamp House',
    items: 1,
    brand: { color: '#0b5cad', logo: `${SITE}/logo.png` },
    turnsLeft: 20,
    expiresAt,
    error: null,
    errorCode: null,
  })
  const answer = (await ask(key, 'Do you deliver to Batumi?')).body
  assert.deepEqual([answer.meta.preview, answer.meta.previewSources], [true, [`${SITE}/delivery`]])
  assert.match(JSON.stringify(answer.blocks), /three working days/)
  assert.ok(answer.blocks.every(({ preview }) => preview === true))
  const again = await ask(key, 'And returns?', {
    sessionId: answer.sessionId,
    capabilityMode: 'Deep',
    enableWriteActions: true,
  })
  assert.deepEqual([again.body.sessionId, again.body.meta.capabilityMode], [answer.sessionId, 'Standard'])
  assert.equal((await statusOf(key)).turnsLeft, 18)
  const stream = await house.ask('POST', '/v1/chat/stream', { key, body: { prompt: 'What does the Heron lamp cost?' } })
  assert.match(stream.text, /"type":"complete"[^\n]*"preview":true/)
  assert.match(stream.text, /189\.00 GEL/)
})

test('progress is told while the site is read', async () => {
  const gate = Promise.withResolvers<void>()
  const told = scriptedSite()
  const slow = previewsWith(async (parts, request) => {
    request.onProgress?.({ pages: 3, refused: 1, bytes: 4096, seconds: 1, name: null, brand: null })
    await gate.promise
    return await told.read(parts, request)
  })
  await using other = await openHouse({ beside: house, modules: [slow] })
  const { body } = await open(undefined, other)
  for (let round = 0; (await statusOf(body.sandboxKey)).pagesRead !== 3; round++) {
    assert.ok(round < 6_000, 'the progress was never told')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  gate.resolve()
  await settled(body.sandboxKey)
})

test('how a site fails is told, and there is nothing to talk with', async () => {
  const message = 'It did not work.'
  for (const [next, state, errorCode] of [
    [{ fault: 'preview_empty', reason: 'site_challenged', message }, 'failed', 'site_challenged'],
    [{ fault: 'preview_empty', reason: 'unreachable', message }, 'failed', 'unreachable'],
    [{ fault: 'preview_empty', reason: 'robots_refused', message }, 'failed', 'robots_refused'],
    [{ fault: 'preview_empty', reason: 'too_slow', message }, 'failed', 'too_slow'],
    [{ fault: 'preview_empty', message }, 'empty', null],
    [{ fault: 'invalid_site_url', message }, 'failed', 'unreachable'],
    [() => Promise.reject(new Error('a parser failed')), 'failed', null],
    [reading({ pages: [], items: [] }), 'empty', null],
  ] as const) {
    site.next = next
    const { sandboxKey: key } = (await open()).body
    const status = await settled(key)
    assert.deepEqual([status.state, status.errorCode, status.chunks], [state, errorCode, 0])
    assert.ok((status.error ?? '').length > 10)
    assert.equal((await ask(key, 'Hello')).error?.code, 'sandbox_not_ready')
    const claim = await house.ask('POST', '/v1/preview/sandbox/claim', {
      key,
      body: { email: 'a@b.example', name: 'Shop' },
    })
    assert.deepEqual([claim.status, claim.error?.code], [409, 'sandbox_not_ready'])
  }
})

test('what is turned off, not set up, wrong or private creates nothing', async () => {
  await using off = await openHouse({ modules: readsSite(), settings: { ...OPEN, 'PreviewSandbox:Enabled': 'false' } })
  assert.deepEqual(
    [(await open(undefined, off)).status, (await open(undefined, off)).error?.code],
    [404, 'sandbox_disabled'],
  )
  await using saltless = await openHouse({
    modules: readsSite(),
    settings: { ...OPEN, 'PreviewSandbox:IpHashSalt': '' },
  })
  assert.deepEqual((await open(undefined, saltless)).error?.code, 'sandbox_unavailable')
  const strictly = {
    'ToolTransport:AllowInsecureEndpoint': 'false',
    'ToolTransport:AllowPrivateNetworkEndpoint': 'false',
  }
  await using strict = await openHouse({ modules: readsSite(), settings: { ...OPEN, ...strictly } })
  site.asked.length = 0
  for (const [body, code] of [
    [{}, 'invalid_site_url'],
    [{ siteUrl: 'shop' }, 'invalid_site_url'],
    [{ siteUrl: 'http://1.1.1.1/' }, 'invalid_site_url'],
    [{ siteUrl: 'https://me:pw@1.1.1.1/' }, 'invalid_site_url'],
    [{ siteUrl: 'https://127.0.0.1/' }, 'site_refused'],
    [{ siteUrl: 'https://[::ffff:10.0.0.1]/' }, 'site_refused'],
    [{ siteUrl: 'https://192.168.1.1/' }, 'site_refused'],
    [{ siteUrl: PUBLIC, feedUrl: 'https://169.254.169.254/' }, 'site_refused'],
  ] as const) {
    const { status, error } = await open(body, strict)
    assert.deepEqual([status, error?.code], [400, code], JSON.stringify(body))
  }
  assert.deepEqual(site.asked, [])
})

test('sandboxes are counted by address, behind a proxy too, and all together', async () => {
  const settings = {
    ...OPEN,
    'PreviewSandbox:MaxPerAddressPerDay': '2',
    'PreviewSandbox:MaxGlobalPerHour': '5',
    // However long the crawls take, none is refused for them.
    'PreviewSandbox:MaxConcurrentCrawls': '100',
  }
  await using counting = await openHouse({ modules: readsSite(), settings })
  const from = (address: string) => open(undefined, counting, { 'x-forwarded-for': address })
  const first = await from('198.51.100.7')
  await settled(first.body.sandboxKey, counting)
  assert.equal((await from('198.51.100.7')).status, 200)
  const third = await from('198.51.100.7')
  assert.deepEqual([third.status, third.error?.code], [429, 'rate_limited'])
  assert.ok(Number(third.headers['retry-after']) > 3600)
  for (const address of ['198.51.100.8', '198.51.100.9', '198.51.100.10'])
    assert.equal((await from(address)).status, 200)
  const sixth = await from('198.51.100.11')
  assert.deepEqual([sixth.status, sixth.error?.code], [429, 'rate_limited'])
  assert.ok(Number(sixth.headers['retry-after']) <= 3600)
  // Ten at once of another address are counted one after the other.
  await using racing = await openHouse({ modules: readsSite(), settings })
  const all = await Promise.all(Array.from({ length: 10 }, () => open(undefined, racing)))
  assert.equal(all.filter(({ status }) => status === 200).length, 2)
})

test('as many crawls at a time as there are places, and none waits for one', async () => {
  const narrowSettings = { ...OPEN, 'PreviewSandbox:MaxConcurrentCrawls': '2' }
  await using narrow = await openHouse({ modules: readsSite(), settings: narrowSettings })
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading()
  }
  const [one, two] = [await open(undefined, narrow), await open(undefined, narrow)]
  assert.deepEqual([one.status, two.status], [200, 200])
  const third = await open(undefined, narrow)
  assert.deepEqual([third.status, third.error?.code, third.headers['retry-after']], [503, 'sandbox_busy', '5'])
  gate.resolve()
  await settled(one.body.sandboxKey, narrow)
  await settled(two.body.sandboxKey, narrow)
  // A refusal takes no place.
  for (let round = 0; round < 5; round++) await open({ siteUrl: 'nonsense' }, narrow)
  assert.equal((await open(undefined, narrow)).status, 200)
})

test('a sandbox answers so many questions, also if they come at once', async () => {
  const fewSettings = { ...OPEN, 'PreviewSandbox:MaxTurnsPerSandbox': '3' }
  await using few = await openHouse({ modules: readsSite(), settings: fewSettings })
  const key = await readySandbox(few)
  const all = await Promise.all(Array.from({ length: 8 }, () => ask(key, 'Do you deliver?', {}, few)))
  assert.equal(all.filter(({ status }) => status === 200).length, 3)
  for (const { status, error } of all.filter((one) => one.status !== 200)) {
    assert.deepEqual([status, error?.code, error?.reason], [429, 'sandbox_budget_exhausted', 'sandbox_limit'])
  }
  assert.equal((await statusOf(key, few)).turnsLeft, 0)
})

const DEAR = { inputMicros: 1_000_000, outputMicros: 1_000_000 }

test('what a sandbox may cost, and all of them in a day, is refused before a model is called', async () => {
  const model = () => playedModel(['From the site.'])
  for (const [settings, reason] of [
    [{ 'PreviewSandbox:SandboxBudgetUsd': '0' }, 'sandbox_limit'],
    [{ 'PreviewSandbox:DailyBudgetUsd': '0' }, 'daily_limit'],
  ] as const) {
    await using none = await openHouse({ modules: readsSite(), settings: { ...OPEN, ...settings }, model: model() })
    const { status, error } = await ask(await readySandbox(none), 'Hello', {}, none)
    assert.deepEqual([status, error?.code, error?.reason], [429, 'sandbox_budget_exhausted', reason])
  }
  const settings = {
    ...OPEN,
    'PreviewSandbox:SandboxBudgetUsd': '0.000001',
    'PreviewSandbox:DailyBudgetUsd': '0.000002',
  }
  await using dear = await openHouse({ modules: readsSite(), settings, model: model(), price: DEAR })
  const [one, two] = [await readySandbox(dear), await readySandbox(dear)]
  assert.equal((await ask(one, 'Hello', {}, dear)).status, 200)
  await dear.app.flush()
  assert.equal((await ask(one, 'Hello again', {}, dear)).error?.reason, 'sandbox_limit')
  assert.equal((await ask(two, 'Hello', {}, dear)).error?.reason, 'daily_limit')
})

test('after its end it says so for a day and shows nothing; then its key is none', async () => {
  const key = await readySandbox()
  const tenantId = await ownerOf(key)
  await ask(key, 'Do you deliver to Batumi?')
  // What a turn cost is written after its answer, and a sweep that came between would leave it.
  await house.app.flush()
  await endHoursAgo(key, 1)
  for (const swept of [false, true]) {
    if (swept) await sweepOnce()
    const { expiresAt: _, ...status } = await statusOf(key)
    const nothing = { pagesRead: 0, chunks: 0, topics: [], name: null, items: 0, brand: null, turnsLeft: 0 }
    assert.deepEqual(status, { state: 'expired', ...nothing, error: null, errorCode: null })
    for (const [path, body] of [
      ['/v1/chat', { prompt: 'Hello' }],
      ['/v1/chat', { prompt: '' }],
      ['/v1/chat', { prompt: 'Hello', sessionId: 'ses_0123456789abcdefghjkmnpq' }],
      ['/v1/chat/stream', { prompt: 'Hello' }],
      ['/v1/chat/stream', { prompt: '' }],
      ['/v1/chat/stream', { requestId: 'req_0123456789abcdefghjkmnpq' }],
      ['/v1/preview/sandbox/claim', { email: 'ana@lamps.example', name: 'Lamps' }],
    ] as const) {
      const { status: code, error } = await house.ask('POST', path, { key, body })
      assert.deepEqual([code, error?.code], [410, 'sandbox_expired'], path)
    }
  }
  const kept = await rowsOf(tenantId)
  assert.deepEqual(
    kept.filter((table) => !['keys', 'sandboxes', 'spend', 'tenants'].includes(table)),
    [],
  )
  await endHoursAgo(key, 25)
  await sweepOnce()
  assert.equal((await house.ask('GET', '/v1/preview/sandbox', { key })).status, 401)
  assert.deepEqual(await rowsOf(tenantId), [])
})

test('a crawl that its process did not end is a failure, and one that ends too late stores nothing', async () => {
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading()
  }
  const { sandboxKey: key } = (await open()).body
  const lapse = unlisted<unknown, { tenantId: number }>(
    'test.lapse_crawl',
    `update sandboxes set crawl_until = now() - interval '1 second' where tenant_id = $tenantId::int`,
  )
  const tenantId = await ownerOf(key)
  await house.database.database.run(lapse, { tenantId })
  const status = await statusOf(key)
  assert.deepEqual([status.state, status.errorCode], ['failed', null])
  await endHoursAgo(key, 0.01)
  await sweepOnce()
  gate.resolve()
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(
    (await rowsOf(tenantId)).filter((table) => table.startsWith('preview')),
    [],
  )
})

test('a sandbox key reaches its sandbox alone, no other kind reaches it, and the operator does not see it', async () => {
  const key = await readySandbox()
  for (const [method, path] of [
    ['GET', '/v1/preview'],
    ['DELETE', '/v1/preview'],
    ['GET', '/v1/account'],
    ['GET', '/v1/tenants'],
    ['GET', '/v1/knowledge'],
    ['POST', '/v1/chat/feedback'],
    ['POST', '/v1/agent'],
  ] as const) {
    const { status, error } = await house.ask(method, path, {
      key,
      ...(method === 'POST' ? { body: { goal: 'x' } } : {}),
    })
    assert.deepEqual([status, error?.code, error?.reason], [403, 'insufficient_scope', 'not_a_sandbox_route'], path)
  }
  const shop = await house.tenant()
  const refused = await house.ask('GET', '/v1/preview/sandbox', { key: shop.apiKey })
  assert.deepEqual([refused.status, refused.error?.reason], [403, 'sandbox_credential_required'])
  const image = await ask(key, 'What is this?', { image: { data: 'AAAA', mimeType: 'image/png' } })
  assert.deepEqual([image.status, image.error?.code], [400, 'invalid_image'])
  const { body } = await house.ask<{ tenants: { tenantId: number }[] }>('GET', '/v1/tenants?limit=200', {
    key: house.operatorKey,
  })
  const sandbox = await ownerOf(key)
  assert.ok(!body.tenants.some(({ tenantId }) => tenantId === sandbox))
})

test('one sandbox knows nothing of another', async () => {
  const [one, two] = [await readySandbox(), await readySandbox()]
  const { sessionId } = (await ask(one, 'Do you deliver to Batumi?')).body
  const foreign = await ask(two, 'Hello', { sessionId })
  assert.deepEqual([foreign.status, foreign.error?.code], [403, 'session_not_yours'])
})
