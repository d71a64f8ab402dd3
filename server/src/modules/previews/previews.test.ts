import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { ChatAnswer, ChatFrame } from '@tether/contract'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { offline } from '../offline/module.ts'
import { reading, type Scripted, SITE, scriptedSite } from './fixtures/scripted-site.ts'
import { previews, previewsWith } from './module.ts'

let house: OpenHouse
let site: Scripted
let shop: NewTenant
before(async () => {
  site = scriptedSite()
  house = await openHouse({ modules: [previewsWith(site.read), offline] })
})
after(() => house.close())
beforeEach(async () => {
  site.next = reading()
  shop = await house.tenant()
})

const ingest = (body: unknown = { siteUrl: SITE }, key = shop.apiKey) => house.ask('POST', '/v1/preview', { key, body })
const held = async (key = shop.apiKey) =>
  (await house.ask<{ previewOnly: boolean; preview: Record<string, unknown> | null }>('GET', '/v1/preview', { key }))
    .body
const ask = async (prompt: string, key = shop.apiKey) =>
  (await house.ask<ChatAnswer>('POST', '/v1/chat', { key, body: { prompt } })).body
const words = ({ blocks }: ChatAnswer) => JSON.stringify(blocks)

const TOOL = [{ name: 'get_order', description: 'Looks up one order by its number, with its state.', is_write: false }]

test('a page whose heading is its title is named once, and one of another heading by that', async () => {
  const about = (title: string, heading: string, text: string) => ({
    ...{ url: `${SITE}/${title.length}`, title, isFeed: false },
    text: `# ${heading}\n\n${text}`,
  })
  site.next = {
    ...reading(),
    pages: [
      about('Delivery and returns', 'Delivery and returns', 'An unused lamp may be returned within 21 days.'),
      about('Workshop', 'Repairs of lamps', 'A broken shade is replaced for twelve lari.'),
    ],
  }
  await ingest()
  const returned = words(await ask('How long may I return an unused lamp?'))
  assert.match(returned, /From “Delivery and returns”:/)
  assert.match(returned, /"¹ Delivery and returns"/)
  const repaired = words(await ask('Is a broken shade replaced?'))
  assert.match(repaired, /From “Repairs of lamps”:/)
  assert.match(repaired, /"¹ Workshop > Repairs of lamps"/)
})

test('a site is read, shown, answered from with labels, and forgotten', async () => {
  assert.deepEqual(await held(), { previewOnly: true, preview: null })
  const stored = await ingest()
  assert.equal(stored.status, 200)
  const shown = {
    site: SITE,
    name: 'Lamp House',
    brand: { color: '#0b5cad', logo: `${SITE}/logo.png` },
    pages: 2,
    feedItems: 1,
    items: 1,
    chunks: 4,
    pagesRefusedByRobots: 2,
    stoppedAtPageLimit: false,
  }
  assert.deepEqual(stored.body, { ingested: true, ...shown })
  const { preview } = await held()
  assert.deepEqual(preview, {
    ...shown,
    topics: ['Delivery and returns', 'About us'],
    crawledAt: preview?.crawledAt,
    refresh: null,
  })

  const answer = await ask('How long may I return an unused lamp?')
  assert.match(words(answer), /within 21 days/)
  assert.equal(answer.meta.preview, true)
  assert.deepEqual(answer.meta.previewSources, [`${SITE}/delivery`])
  assert.deepEqual(answer.meta.sources, [{ kind: 'page', title: 'Delivery and returns', url: `${SITE}/delivery` }])
  assert.ok(answer.blocks.length > 0 && answer.blocks.every(({ preview }) => preview === true))

  assert.deepEqual((await house.ask('DELETE', '/v1/preview', { key: shop.apiKey })).body, { deleted: true })
  assert.deepEqual((await house.ask('DELETE', '/v1/preview', { key: shop.apiKey })).body, { deleted: false })
  const after = await ask('How long may I return an unused lamp?')
  assert.deepEqual([after.meta.preview, after.meta.previewSources, after.meta.sources], [false, [], []])
  assert.doesNotMatch(words(after), /21 days/)
})

test('an item is quoted with its price, currency, availability and link, as the page states them', async () => {
  await ingest()
  const answer = await ask('What does the Heron reading lamp cost?')
  assert.match(words(answer), /189\.00 GEL/)
  assert.match(words(answer), /InStock/)
  assert.match(words(answer), /lamps\.example\/lamps\/heron/)
  assert.deepEqual(answer.meta.previewSources, [`${SITE}/lamps/heron`])
})

test('what an item does not state is not said', async () => {
  const [item] = reading().items
  assert.ok(item)
  site.next = reading({ items: [{ ...item, price: null, currency: 'GEL', availability: null }] })
  await ingest()
  assert.doesNotMatch(words(await ask('Tell me about the Heron reading lamp')), /GEL|InStock|null/)
})

test('a question that nothing on the site fits gets no answer from it, and no label', async () => {
  await ingest()
  const answer = await ask('Who won the world cup in 1998?')
  assert.deepEqual([answer.meta.preview, answer.meta.previewSources], [false, []])
})

test('the frames of a stream carry the labels, too', async () => {
  await ingest()
  const { text } = await house.ask('POST', '/v1/chat/stream', {
    key: shop.apiKey,
    body: { prompt: 'Do you deliver to Batumi?' },
  })
  const frames = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  const last = frames.at(-1) as Extract<ChatFrame, { type: 'complete' }>
  assert.equal(last.type, 'complete')
  assert.deepEqual([last.meta.preview, last.meta.previewSources], [true, [`${SITE}/delivery`]])
  assert.ok(last.blocks.every(({ preview }) => preview === true))
  const shown = (frames as ChatFrame[]).flatMap((frame) => (frame.type === 'block' ? [frame.block] : []))
  assert.ok(shown.length > 0 && shown.every(({ preview }) => preview === true))
})

test('what the business wrote comes first, and an answer that rests on it alone is no preview', async () => {
  await ingest()
  const document = { name: 'returns', text: 'An unused lamp may be returned within 30 days. Keep the receipt.' }
  await house.ask('POST', '/v1/knowledge', { key: shop.apiKey, body: document })
  const answer = await ask('How long may I return an unused lamp?')
  assert.match(words(answer), /30 days/)
  assert.doesNotMatch(words(answer), /21 days/)
  assert.equal(answer.meta.sources[0]?.kind, 'knowledge')
  assert.deepEqual([answer.meta.preview, answer.meta.previewSources], [false, []])
  assert.ok(answer.blocks.every(({ preview }) => preview === undefined))
})

test('a tool makes the workspace more than a preview; what the site says stays labelled', async () => {
  await ingest()
  assert.equal((await held()).previewOnly, true)
  await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body: TOOL })
  assert.equal((await held()).previewOnly, false)
  assert.equal((await ask('Do you deliver to Batumi?')).meta.preview, true)
})

test('another crawl replaces all of it, and one that reads nothing leaves it as it is', async () => {
  await ingest()
  site.next = reading({ pages: reading().pages.slice(0, 1), items: [], feedItems: 0, name: 'Lamp House 2' })
  assert.equal((await ingest()).status, 200)
  assert.deepEqual([(await held()).preview?.pages, (await held()).preview?.name], [1, 'Lamp House 2'])
  assert.equal((await ask('Do you deliver to Batumi?')).meta.preview, false)
  const before = await held()
  for (const reason of [undefined, 'site_challenged'] as const) {
    site.next = {
      fault: 'preview_empty',
      message: 'Nothing was readable.',
      ...(reason === undefined ? {} : { reason }),
    }
    const { status, error } = await ingest()
    assert.deepEqual([status, error?.code, error?.reason], [422, 'preview_empty', reason])
  }
  site.next = reading({ pages: [], items: [] })
  assert.equal((await ingest()).error?.code, 'preview_empty')
  assert.deepEqual(await held(), before)
})

test('one crawl at a time: a second one is refused, and the first one stores what it read', async () => {
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  site.next = async () => {
    began.resolve()
    await gate.promise
    return reading()
  }
  const first = ingest()
  await began.promise
  const second = await ingest()
  assert.deepEqual([second.status, second.error?.code], [409, 'preview_in_progress'])
  const other = await house.tenant()
  site.next = reading()
  assert.equal((await ingest({ siteUrl: SITE }, other.apiKey)).status, 200, 'nobody waits for another workspace')
  gate.resolve()
  assert.equal((await first).status, 200)
  assert.equal((await ingest()).status, 200)
})

test('a crawl that throws frees its place', async () => {
  site.next = () => Promise.reject(new Error('a parser failed'))
  assert.equal((await ingest()).status, 500)
  site.next = reading()
  assert.equal((await ingest()).status, 200)
})

test('addresses that are none, or that the guard refuses, are refused before anything is read', async () => {
  await using strict = await openHouse({
    modules: [previewsWith(site.read), offline],
    settings: { 'ToolTransport:AllowInsecureEndpoint': 'false', 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  const { apiKey: key } = await strict.tenant()
  site.asked.length = 0
  for (const [body, code] of [
    [{}, 'invalid_site_url'],
    [{ siteUrl: 7 }, 'invalid_site_url'],
    [{ siteUrl: '' }, 'invalid_site_url'],
    [{ siteUrl: 'lamps.example' }, 'invalid_site_url'],
    [{ siteUrl: 'ftp://lamps.example' }, 'invalid_site_url'],
    [{ siteUrl: 'http://lamps.example' }, 'invalid_site_url'],
    [{ siteUrl: 'https://ana:secret@lamps.example' }, 'invalid_site_url'],
    [{ siteUrl: 'https://127.0.0.1/' }, 'invalid_site_url'],
    [{ siteUrl: 'https://[::1]/' }, 'invalid_site_url'],
    [{ siteUrl: `https://lamps.example/${'a'.repeat(2048)}` }, 'invalid_site_url'],
    [{ siteUrl: SITE, feedUrl: 'file:///etc/passwd' }, 'invalid_feed_url'],
    [{ siteUrl: 'https://1.1.1.1/', feedUrl: 'https://10.0.0.1/feed' }, 'invalid_feed_url'],
  ] as const) {
    const { status, error } = await strict.ask('POST', '/v1/preview', { key, body })
    assert.deepEqual([status, error?.code], [400, code], JSON.stringify(body))
  }
  assert.deepEqual(site.asked, [])
})

test('the limits of the settings are those of the crawl', async () => {
  site.asked.length = 0
  await ingest({ siteUrl: `${SITE}/#top`, feedUrl: `${SITE}/feed.xml` })
  const [{ limits, siteUrl, feedUrl } = assert.fail()] = site.asked
  assert.deepEqual([siteUrl, feedUrl], [`${SITE}/`, `${SITE}/feed.xml`])
  assert.deepEqual(limits, {
    pages: 40,
    bytesPerPage: 1_048_576,
    totalBytes: 8_388_608,
    timeoutMs: 15_000,
    concurrency: 1,
    feedItems: 500,
    dataEndpoints: 6,
    items: 300,
  })
})

test('the brand of the site becomes that of a workspace that has none, and of no other', async () => {
  const origins = { origins: ['http://localhost:3000'] }
  await house.ask('PUT', '/v1/origins', { key: shop.apiKey, body: origins })
  const widget = await house.key(shop.tenantId, 'publishable')
  const brand = async () =>
    (await house.ask('GET', '/v1/chat/brand', { key: widget, headers: { origin: 'http://localhost:3000' } })).body
  assert.deepEqual(await brand(), { color: null, logo: null })
  await ingest()
  assert.deepEqual(await brand(), { color: '#0b5cad', logo: `${SITE}/logo.png` })
  await house.ask('PUT', '/v1/chat/brand', { key: shop.apiKey, body: { color: '#112233', logo: null } })
  await ingest()
  assert.deepEqual(await brand(), { color: '#112233', logo: null })
})

test('nothing of one workspace’s site is seen by another', async () => {
  await ingest()
  const other = await house.tenant()
  assert.deepEqual(await held(other.apiKey), { previewOnly: true, preview: null })
  assert.equal((await ask('Do you deliver to Batumi?', other.apiKey)).meta.preview, false)
  assert.deepEqual((await house.ask('DELETE', '/v1/preview', { key: other.apiKey })).body, { deleted: false })
  assert.ok((await held()).preview)
})

test('turned off, it says so', async () => {
  await using off = await openHouse({ modules: [previews], settings: { 'Preview:Enabled': 'false' } })
  const { apiKey: key } = await off.tenant()
  for (const method of ['POST', 'GET', 'DELETE']) {
    const body = method === 'POST' ? { body: { siteUrl: SITE } } : {}
    assert.equal((await off.ask(method, '/v1/preview', { key, ...body })).error?.code, 'preview_disabled')
  }
})

test('replaces NUL and lone surrogates in every text of a site, and stores the rest', async () => {
  const broken = 'a\0b \ud800c'
  const whole = 'a\ufffdb \ufffdc'
  const [item] = reading().items
  assert.ok(item)
  site.next = async () => {
    site.asked.at(-1)?.onProgress?.({
      ...{ pages: 1, refused: 0, bytes: 1, seconds: 1 },
      name: broken,
      brand: { name: broken, color: null, logoUrl: null },
    })
    return reading({
      name: broken,
      topics: [broken],
      brand: { name: broken, color: null, logoUrl: `${SITE}/${broken}` },
      pages: [{ url: `${SITE}/lost`, title: broken, text: `Delivery takes ${broken} days.`, isFeed: false }],
      items: [{ ...item, name: broken, description: broken, price: broken, currency: broken, availability: broken }],
    })
  }
  const stored = await ingest()
  assert.deepEqual(
    [stored.status, stored.body.name, stored.body.brand],
    [200, whole, { color: null, logo: `${SITE}/${whole}` }],
  )
  assert.deepEqual((await held()).preview?.topics, [whole])
  assert.match(words(await ask('How many days does delivery take?')), /Delivery takes a\ufffdb \ufffdc days/)
})
