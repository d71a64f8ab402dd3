// The newcomer's afternoon in a real browser, without one call of the API by hand: sign up on a page, confirm, the console, a catalog, a
// signed test call, the snippet, the widget on a page of one's own, a write that waits, its approval in the inbox, the trail. And
// every page of the console, found by itself, in both languages, light and dark, wide and narrow. Needs Debian's chromium.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import type { Language } from '@tether/contract'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { linkIn, type MailedHouse, newAddress, openMailedHouse, tokenIn } from '../../../testkit/mailed-house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { MODULES } from '../../modules.ts'
import { CATALOG } from './fixtures/catalog.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }
const LOCALE = { en: 'en-GB', ka: 'ka-GE' } as const

const endpoint = new ScriptedEndpoint()
let house: MailedHouse
let browser: Browser
let base = ''
/** The page of the business, with whatever was pasted into it. */
let shop: Server
let pasted = ''
/** What its page `/held` waits for. */
let gate = Promise.withResolvers<void>()
before(async () => {
  if (skip !== false) return
  // A site is read for as long as a test holds it back, however slow the machine is.
  house = await openMailedHouse({ 'Preview:TimeoutSeconds': '300' }, { modules: MODULES })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${portOf(house.app.server.server)}`
  endpoint.play(({ body }, response) =>
    response.end(JSON.stringify(body.mode === 'execute' ? { done: true } : { state: 'paid', amount: 90 })),
  )
  shop = createServer(async ({ url }, response) => {
    if (url?.startsWith('/held') === true) await gate.promise
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><head><title>Tea</title><link rel="icon" href="data:,"></head><body><h1>Tea</h1>${pasted}</body></html>`,
    )
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  await browser?.close()
  shop?.closeAllConnections()
  shop?.close()
  await house?.close()
  await endpoint.stop()
})

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port

type Window = { readonly page: Page; readonly complaints: string[]; [Symbol.asyncDispose](): Promise<void> }

async function open(options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  const own = [base, `http://127.0.0.1:${portOf(shop)}`, 'data:']
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!own.some((start) => request.url().startsWith(start))) complaints.push(request.url())
  })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

const LOOKS = [
  { colorScheme: 'light', viewport: PHONE },
  { colorScheme: 'dark', viewport: DESK },
  { colorScheme: 'dark', viewport: PHONE },
  { colorScheme: 'light', viewport: DESK },
] as const

/** As the window is now. */
async function holds(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  )
  assert.deepEqual(found, [], what)
  const [wide, most] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  assert.ok(wide <= most, `${what} is wider than ${most}`)
}

/** Presses the one button of a form of the page, and waits for what the page says above it. */
async function send(page: Page, form: string): Promise<void> {
  await page.locator(`#form-${form} button:not([formaction])`).click()
  await page.locator(`#form-${form} .note.good`).waitFor()
}

async function signUp(page: Page, language: Language, email: string): Promise<string> {
  await page.goto(`${base}/signup?lang=${language}`)
  await page.fill('#name', 'Tea & Clay')
  await page.fill('#email', email)
  await page.locator('form[action="/signup"] button').click()
  const lines = await page.locator('pre').innerText()
  await holds(page, 'signed up')
  const confirming = tokenIn((await house.mailsTo(email)).at(-1))
  await page.goto(`${base}/account/confirm?lang=${language}#confirm=${confirming}`)
  await page.locator('#act').click()
  await page.locator('[data-state=done]').waitFor()
  return /TETHER_API_KEY='(tth_[0-9a-f]{48})'/.exec(lines)?.[1] ?? assert.fail(lines)
}

async function setUp(page: Page, person: string): Promise<void> {
  await page.goto(`${base}/console/catalog`)
  await page.fill('#tools', JSON.stringify(CATALOG))
  await page.locator('#form-register button[formaction]').click()
  await page.locator('#form-register .note.good').waitFor()
  await page.fill('#tools', JSON.stringify(CATALOG))
  await send(page, 'register')
  await page.goto(`${base}/console/endpoint`)
  await page.fill('#url', await endpoint.start())
  await send(page, 'save')
  assert.equal(await page.evaluate('document.activeElement.className'), 'note good', 'the focus goes to what changed')
  await send(page, 'test')
  await holds(page, 'a test call')
  await page.goto(`${base}/console/people`)
  await page.fill('#email', person)
  await page.fill('#displayName', 'Ana')
  await send(page, 'invite')
  await page.goto(`${base}/console/website`)
  await page.fill('#origins', `http://127.0.0.1:${portOf(shop)}`)
  await send(page, 'origins')
  await send(page, 'snippet')
  await holds(page, 'the snippet')
  const snippet = await page.locator('#form-snippet pre').innerText()
  // The service of this test listens where no setting could know it.
  pasted = snippet.replaceAll(house.settings.http.publicUrl, base)
}

/** A visitor of the page asks for something that only a person may allow. */
async function talk(window: Window): Promise<void> {
  const { page } = window
  await page.goto(`http://127.0.0.1:${portOf(shop)}/`)
  const assistant = page.locator('service-assistant')
  await assistant.locator('.launcher').click()
  await assistant.getByRole('textbox').fill('Refund order A-17, 12')
  await assistant.getByRole('textbox').press('Enter')
  await assistant.locator('section.card').first().waitFor()
}

/** From the mail of the invitation to the decision. */
async function decide(page: Page, person: string): Promise<void> {
  const mailed = async (sort: RegExp) =>
    linkIn((await house.mailsTo(person)).findLast((mail) => sort.test(linkIn(mail)))).replace(/^http:\/\/[^/]+/, base)
  await page.goto(await mailed(/&for=/))
  await page.locator('form[action="/inbox/sign-in"] button').click()
  await page.locator('.note.good').waitFor()
  await page.goto(await mailed(/#signin=/))
  await page.locator('[data-enter]').click()
  await page.locator('#waiting a').first().click()
  await page.locator('[name=acknowledge]').check()
  await page.locator('button[value=confirm]').click()
  await page.locator('#card[data-state=executed]').waitFor()
}

for (const language of ['en', 'ka'] as const) {
  test(`${language}: the newcomer's afternoon`, { skip }, async () => {
    const [owner, person] = [newAddress(), newAddress()]
    await using desk = await open({ viewport: DESK, locale: LOCALE[language] })
    const { page } = desk
    const key = await signUp(page, language, owner)
    await page.goto(`${base}/console?lang=${language}`)
    await page.fill('#key', key)
    await page.locator('form[action="/console/enter"] button').click()
    await page.locator('.checklist').waitFor()
    await setUp(page, person)
    {
      await using visitor = await open({ viewport: DESK, locale: LOCALE[language] })
      await talk(visitor)
      assert.deepEqual(visitor.complaints, [])
    }
    await page.goto(`${base}/console/waiting`)
    assert.equal(await page.locator('ol.plain > li').count(), 1)
    {
      await using approver = await open({ viewport: PHONE, locale: LOCALE[language] })
      await decide(approver.page, person)
      assert.deepEqual(approver.complaints, [])
    }
    await page.goto(`${base}/console/audit`)
    assert.equal(await page.locator('tbody tr').count(), 3, 'proposed, approved, executed')
    assert.deepEqual(desk.complaints, [])
  })
}

/** A workspace in which every page has something to show. */
async function furnished() {
  const { apiKey: key } = await house.tenant('Tea & Clay')
  const ask = (method: string, path: string, body?: unknown) =>
    house.ask<{ sessionId: string }>(method, path, body === undefined ? { key } : { key, body })
  await ask('PUT', '/v1/endpoint', { url: await endpoint.start() })
  await ask('PUT', '/v1/tools', CATALOG.slice(0, 1))
  await ask('PUT', '/v1/tools', CATALOG)
  await ask('PUT', '/v1/users', [{ displayName: 'Ana Beridze', email: newAddress(), role: 'manager' }])
  await ask('POST', '/v1/knowledge', { name: 'returns.md', text: '# Returns\n\nYou get your money back in 3 days.' })
  await ask('PUT', '/v1/domain-pack', { lexicon: { returns: ['refund'] } })
  await ask('POST', '/v1/domain-pack/suggestions', { lexicon: { returns: ['money back'] }, note: 'From support.' })
  for (const number of ['A-1', 'A-2'])
    await ask('POST', '/v1/actions', { tool: 'refund_order', arguments: { number, amount: 5 } })
  const { sessionId } = (await ask('POST', '/v1/chat', { prompt: 'Where is order A-1?' })).body
  await house.work()
  const paths = house.app.routes
    .filter(
      ({ method, answers, path }) =>
        method === 'GET' && answers[200]?.text === 'text/html' && /^\/console(\/|$)/.test(path),
    )
    .map(({ path }) => path.replace(':sessionId', sessionId))
  return { key, paths }
}

async function enter(page: Page, language: Language, key: string): Promise<void> {
  await page.goto(`${base}/console?lang=${language}`)
  await page.fill('#key', key)
  await page.locator('form[action="/console/enter"] button').click()
  await page.locator('main h1').waitFor()
}

for (const language of ['en', 'ka'] as const) {
  for (const look of LOOKS) {
    test(`${language}, ${look.colorScheme}, ${look.viewport.width}: every page holds`, { skip }, async () => {
      const { key, paths } = await furnished()
      await using window = await open({ ...look, locale: LOCALE[language] })
      const { page } = window
      for (const path of ['/signup', '/console']) {
        await page.goto(`${base}${path}?lang=${language}`)
        await holds(page, path)
      }
      await enter(page, language, key)
      for (const path of paths) {
        const answer = await page.goto(base + path)
        assert.equal(answer?.status(), 200, path)
        assert.equal(await page.locator('html').getAttribute('lang'), language, path)
        await holds(page, path)
      }
      assert.deepEqual(window.complaints, [])
    })
  }
}

/** A document with one operation of each sort, and what stands on the page of its draft. */
async function declare(page: Page): Promise<void> {
  const paths = {
    '/orders': { get: { summary: 'Lists orders.' }, post: { summary: 'Places an order.', deprecated: true } },
    '/orders/{number}': { delete: { summary: 'Takes an order back.' } },
  }
  await page.goto(`${base}/console/import`)
  await page.fill('#baseUrl', 'http://127.0.0.1:9009/api')
  await page.setInputFiles('#file', {
    name: 'shop.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths })),
  })
  await page.locator('#form-draft button').click()
  await page.locator('#form-declare').waitFor()
  assert.equal(await page.locator('input:checked').count(), 0, 'nothing is chosen beforehand')
  await holds(page, 'a draft')
  await page.locator('#form-declare li', { hasText: 'GET /orders' }).locator('[value=read]').check()
  await send(page, 'declare')
  assert.equal(await page.locator('#form-declare li').count(), 2, 'what is declared gives its place to the next')
  await page.check('[type=checkbox][name=skipUndeclared]')
  await send(page, 'import')
  await page.locator('#form-register button').click()
  await page.locator('#form-draft').waitFor()
}

/** A site is read while the page counts, by its script or by loading itself again. */
async function readSite(page: Page, look: () => Promise<void>): Promise<void> {
  gate = Promise.withResolvers()
  await page.goto(`${base}/console/preview`)
  await page.fill('#siteUrl', `http://127.0.0.1:${portOf(shop)}/held`)
  await page.locator('#form-start button').click()
  await page.locator('[data-fill=pages]').waitFor()
  await look()
  gate.resolve()
  await page.locator('#form-forget').waitFor()
}

test('an API is declared and imported, a question tried, a suggestion looked at, a site read with its progress', {
  skip,
}, async () => {
  const { key } = await furnished()
  await using desk = await open({ viewport: DESK, locale: LOCALE.en })
  const { page } = desk
  await enter(page, 'en', key)
  await declare(page)
  await page.goto(`${base}/console/knowledge`)
  await page.fill('#q', 'When do I get my money back?')
  await page.locator('form.filters button').click()
  await page.locator('#found ol').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'found', 'the focus goes to what was found')
  await page.goto(`${base}/console/vocabulary`)
  await page.locator('ol.plain a').click()
  await page.locator('#form-accept').waitFor()
  await holds(page, 'a suggestion')
  await readSite(page, () => holds(page, 'a reading'))
  assert.deepEqual(desk.complaints, [])
  await using phone = await open({ viewport: PHONE, locale: LOCALE.ka, javaScriptEnabled: false })
  await enter(phone.page, 'ka', key)
  await readSite(phone.page, async () => {})
})

test('without scripts, on a phone, the menu opens and a form does its work', { skip }, async () => {
  const { apiKey } = await house.tenant('Tea & Clay')
  await using phone = await open({ viewport: PHONE, javaScriptEnabled: false })
  const { page } = phone
  await page.goto(`${base}/console`)
  await page.fill('#key', apiKey)
  await page.locator('form[action="/console/enter"] button').click()
  assert.equal(await page.locator('nav a').first().isVisible(), false)
  await page.locator('.menu summary').click()
  await page.locator('nav a[href="/console/endpoint"]').click()
  await page.fill('#url', await endpoint.start())
  await send(page, 'save')
  await page.setViewportSize(DESK)
  assert.ok(await page.locator('nav a').first().isVisible(), 'on a wide screen it stands open')
})

test('a turn of the playground is taken along as a case, and looks are tried on the widget while they are typed', {
  skip,
}, async () => {
  const { key } = await furnished()
  await using desk = await open({ viewport: DESK, locale: LOCALE.en })
  const { page } = desk
  await enter(page, 'en', key)
  await page.goto(`${base}/console/playground`)
  await page.fill('#prompt', 'Where is order A-1?')
  await page.locator('#form-ask button').click()
  await page.locator('#turn .answer').waitFor()
  for (const more of await page.locator('details.box > summary').all()) await more.click()
  await holds(page, 'a turn')
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a[download]').click()])
  assert.equal(download.suggestedFilename(), 'trial-case.json')
  assert.equal(readFileSync(await download.path(), 'utf8'), await page.locator('#case').inputValue())
  await page.goto(`${base}/console/website`)
  const widget = page.frameLocator('iframe.preview').locator('service-assistant')
  await widget.getByRole('textbox').waitFor()
  await page.fill('#color', '#0b5cad')
  await page.locator('iframe.preview[src*="color=%230b5cad"]').waitFor()
  await widget.getByRole('textbox').waitFor()
  await holds(page, 'the preview')
  assert.deepEqual(desk.complaints, [])
})
