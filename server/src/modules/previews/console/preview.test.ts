import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../../testkit/house.ts'
import { PageBrowser } from '../../../../testkit/page-browser.ts'
import { listenTo } from '../../../../testkit/statements.ts'
import { unlisted } from '../../../kernel/db/index.ts'
import { console } from '../../console/module.ts'
import { reading, type Scripted, SITE, scriptedSite } from '../fixtures/scripted-site.ts'
import { previewsWith } from '../module.ts'

let house: OpenHouse
let site: Scripted
before(async () => {
  site = scriptedSite()
  const readsInSteps = previewsWith(async (parts, request) => {
    request.onProgress?.({ pages: 12, refused: 3, bytes: 1_140_000, seconds: 4, name: null, brand: null })
    return await site.read(parts, request)
  })
  house = await openHouse({ modules: [readsInSteps, console] })
})
after(() => house.close())

async function workspace() {
  const tenant = await house.tenant('Lamp House')
  const browser = new PageBrowser(house)
  await browser.get('/console')
  await browser.post('/console/enter', { key: tenant.apiKey })
  await browser.get('/console/preview')
  return { tenant, browser }
}

type Told = { isDone: boolean; texts: Record<string, string> }
const told = async (browser: PageBrowser): Promise<Told> =>
  JSON.parse((await browser.get('/console/preview/progress.json')).text) as Told

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; !(await holds()); round++) {
    assert.ok(round < 6_000, 'it never came')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('a site is read in the background, in the numbers of its limits; then it is held, and forgotten', async () => {
  const { tenant, browser } = await workspace()
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading({ brand: { name: 'Lamp House', color: '#0b5cad', logoUrl: null } })
  }
  await browser.post('/console/preview/start', { siteUrl: 'http://lamps.example', feedUrl: '' })
  assert.equal(browser.page.status, 200, browser.page.text)
  await until(async () => (await told(browser)).texts.pages?.startsWith('12 ') === true)
  const { isDone, texts } = await told(browser)
  assert.equal(isDone, false)
  assert.match(texts.pages ?? '', /^12 of \d+$/)
  assert.match(texts.size ?? '', /^1\.1 of [\d.]+ MB$/)
  const { text } = await browser.get('/console/preview')
  assert.match(text, /<noscript><meta http-equiv="refresh" content="2"><\/noscript>/)
  assert.match(text, /<body data-watch="\/console\/preview\/progress\.json">/)
  assert.match(text, /lamps\.example\/ is being read[\s\S]*data-fill="pages">12 of[\s\S]*data-fill="refused">3</)
  assert.doesNotMatch(text, /action="\/console\/preview\//, 'nothing can be begun meanwhile')
  const second = await browser.post('/console/preview/start', { siteUrl: 'http://lamps.example', feedUrl: '' })
  assert.equal(second.status, 409)
  assert.match(second.text, /role="alert"[\s\S]*preview_in_progress/)
  const stranger = (await workspace()).browser
  assert.equal((await told(stranger)).isDone, true, 'nobody else hears of it')
  gate.resolve()
  await until(async () => (await told(browser)).isDone)
  const held = (await browser.get('/console/preview')).text
  assert.match(held, /What is held[\s\S]*Lamp House[\s\S]*https:\/\/lamps\.example[\s\S]*fill="#0b5cad"/)
  assert.match(held, /Refused by robots\.txt<\/dt><dd>2</)
  assert.doesNotMatch(held, /http-equiv|data-watch/)
  const shown = await house.ask<{ preview: { pages: number } }>('GET', '/v1/preview', { key: tenant.apiKey })
  assert.equal(shown.body.preview.pages, 2)
  await browser.post('/console/preview/forget', {})
  assert.match(browser.page.text, /Forgotten\./)
  assert.equal((await house.ask('GET', '/v1/preview', { key: tenant.apiKey })).body.preview, null)
})

test('why a reading brought nothing is told in both languages, whoever began it, and what was held stays', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  site.next = reading()
  assert.equal((await house.ask('POST', '/v1/preview', { key, body: { siteUrl: SITE } })).status, 200)
  site.next = { fault: 'preview_empty', reason: 'robots_refused', message: 'Its robots.txt <refuses> everything.' }
  await browser.post('/console/preview/start', { siteUrl: SITE })
  await until(async () => (await told(browser)).isDone)
  const { text } = await browser.get('/console/preview?lang=ka')
  assert.match(text, /ბოლო წაკითხვამ არაფერი მოიტანა[\s\S]*robots\.txt წაკითხვას კრძალავს[\s\S]*&lt;refuses&gt;/)
  assert.match(text, /რა გვაქვს წაკითხული[\s\S]*Lamp House/)
  site.next = () => Promise.reject(new Error('a parser failed'))
  assert.equal((await house.ask('POST', '/v1/preview', { key, body: { siteUrl: SITE } })).status, 500)
  const failed = await browser.get('/console/preview?lang=en&said=start')
  assert.match(failed.text, /brought nothing[\s\S]*Something failed on our side/)
  assert.doesNotMatch(failed.text, /a parser failed|Saved/)
  site.next = reading()
  await browser.post('/console/preview/start', { siteUrl: SITE })
  await until(async () => (await told(browser)).isDone)
  assert.doesNotMatch((await browser.get('/console/preview')).text, /brought nothing/)
  await browser.post('/console/preview/start', { siteUrl: 'http://me:pw@shop.example/' })
  assert.match(browser.page.text, /invalid_site_url[\s\S]*value="http:\/\/me:pw@shop\.example\/"/, 'it stays typed')
})

test('the overview knows what there is to answer from, and still asks the database little', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  assert.match(
    (await browser.get('/console')).text,
    /missing:<\/span>\s*<span class="grow">It has something to answer from<\/span>[\s\S]*href="\/console\/knowledge">Add a document/,
  )
  site.next = reading()
  await house.ask('POST', '/v1/preview', { key, body: { siteUrl: SITE } })
  await house.ask('PUT', '/v1/tools', { key, body: [{ name: 'get_order', description: 'Looks up one order.' }] })
  const ran: string[] = []
  listenTo(house, (name) => ran.push(name))
  assert.match(
    (await browser.get('/console')).text,
    /It has something to answer from <span class="meta">· your website/,
  )
  assert.ok(ran.length <= 12, ran.join(', '))
  await house.ask('POST', '/v1/knowledge', { key, body: { name: 'returns.md', text: 'Within 21 days.' } })
  ran.length = 0
  assert.match(
    (await browser.get('/console')).text,
    /It has something to answer from <span class="meta">· one document/,
  )
  assert.ok(ran.length <= 12, ran.join(', '))
})

test('a reading whose process died says so, and another one can begin', async () => {
  const { tenant, browser } = await workspace()
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading()
  }
  await browser.post('/console/preview/start', { siteUrl: SITE })
  const lapse = unlisted<unknown, { tenantId: number }>(
    'test.lapse_preview_crawl',
    `update preview_crawls set lease_until = now() - interval '1 second' where tenant_id = $tenantId::int`,
  )
  await house.database.database.run(lapse, { tenantId: tenant.tenantId })
  assert.match((await browser.get('/console/preview')).text, /ended unexpectedly[\s\S]*\/console\/preview\/start/)
  gate.resolve()
  await until(async () => (await told(browser)).isDone)
})
