// From an address to an assistant on one's own page, in a real browser: /try, talking, keeping, the mailed link, the widget in the
// site's colour. The site is a real one on this machine, read by the real crawler. Needs Debian's chromium.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import test, { after, before, type TestContext } from 'node:test'
import type { Language } from '@tether/contract'
import { type Browser, chromium, type Page } from 'playwright-core'
import { linkIn, type MailedHouse, openMailedHouse } from '../../../../testkit/mailed-house.ts'
import { offline } from '../../offline/module.ts'
import { previews } from '../module.ts'
import { TRY_WORDS } from './words.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : 'there is no chromium here (apt-get install chromium)'
const COLOUR = '#7a3b0c'

const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)
const shell = (title: string, body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${title} | Lamp House</title><meta property="og:site_name" content="Lamp House"><meta name="theme-color" content="${COLOUR}"></head>
<body><header><a href="/"><img class="logo" src="/logo.png" alt="Lamp House logo"></a><nav><a href="/delivery">Delivery</a></nav></header>
<main>${body}</main></body></html>`
const SITE: Readonly<Record<string, string>> = {
  '/': shell(
    'Lamps',
    '<h1>Lamps made by hand</h1><p>Every lamp of our workshop in Kutaisi is made by hand, from brass and oak, since 1987. Visitors are welcome on weekdays between ten and six.</p>',
  ),
  '/delivery': shell(
    'Delivery',
    '<h1>Delivery and returns</h1><p>We deliver to Batumi within three working days. An unused lamp may be returned within 21 days, and we refund the whole price.</p>',
  ),
}

let house: MailedHouse
let browser: Browser
let service = ''
let shop = ''
let own = ''
const servers: Server[] = []
let ownPage = ''

async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler as never)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

before(async () => {
  if (skip !== false) return
  house = await openMailedHouse(
    {
      'PreviewSandbox:Enabled': 'true',
      'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
      'PreviewSandbox:MaxPerAddressPerDay': '1000',
      'PreviewSandbox:MaxGlobalPerHour': '1000',
      'Signup:MaxPerIpPerDay': '1000',
      'Signup:MaxLinksPerIpPerDay': '1000',
      'Signup:VerifyUrl': 'http://127.0.0.1:8787/account/verify',
    },
    { modules: [previews, offline] },
  )
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  service = `127.0.0.1:${(house.app.server.server.address() as AddressInfo).port}`
  shop = await listen(({ url = '/' }, response) => {
    const page = SITE[url]
    if (page !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    else if (url === '/logo.png') response.writeHead(200, { 'content-type': 'image/png' }).end(LOGO)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing is here.</p>')
  })
  own = await listen((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(ownPage))
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  for (const server of servers) server.close()
  await house.close()
})

const here = (url: string): string => url.replaceAll('127.0.0.1:8787', service)

type Look = { readonly language: Language; readonly scheme: 'light' | 'dark'; readonly width: number }
type Opened = { readonly page: Page; readonly asked: string[]; readonly faults: string[] }

async function open(t: TestContext, { language, scheme, width }: Look, url: string): Promise<Opened> {
  const context = await browser.newContext({
    colorScheme: scheme,
    locale: language === 'ka' ? 'ka-GE' : 'en',
    viewport: { width, height: 900 },
  })
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const [asked, faults]: [string[], string[]] = [[], []]
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => faults.push(message.text()))
  await page.goto(url)
  return { page, asked, faults }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a screen reader, a finger or a narrow screen would stumble over. */
async function accessible(page: Page): Promise<void> {
  const found = await page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join()))`,
  )
  assert.deepEqual(found, [])
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.ok(Number(wide) <= 0, 'nothing stands beyond the edge')
  const small = await page.evaluate(
    "[...document.querySelectorAll('button, input:not([type=hidden]), header a')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.9).map((one) => one.outerHTML)",
  )
  assert.deepEqual(small, [], 'every target is tall enough for a finger')
}

let people = 0
for (const look of [
  { language: 'en', scheme: 'light', width: 1280 },
  { language: 'ka', scheme: 'dark', width: 360 },
  { language: 'en', scheme: 'dark', width: 360 },
  { language: 'ka', scheme: 'light', width: 1280 },
] as const) {
  const { language, scheme, width } = look
  const name = `${language}-${scheme}-${width}`
  test(`from an address to the widget on one’s own page: ${name}`, { skip }, async (t) => {
    const words = TRY_WORDS[language]
    const email = `owner${++people}@lamps.example`
    const { page, asked, faults } = await open(t, look, `http://${service}/try?lang=${language}`)
    await accessible(page)
    await page.getByLabel(words.open.label).fill(`http://${shop}/`)
    await page.getByRole('button', { name: words.open.button }).click()
    await page.getByText(words.ready.label).waitFor()
    await page.getByRole('button', { name: words.ready.talk }).waitFor()
    assert.match(await page.locator('h1').innerText(), /Lamp House/)
    assert.equal(await page.evaluate('document.querySelector(".found img").naturalWidth'), 10)
    await accessible(page)

    await page.getByRole('button', { name: words.ready.talk }).click()
    const widget = page.locator('service-assistant')
    const launcher = 'document.querySelector("service-assistant").shadowRoot.querySelector(".launcher")'
    assert.equal(await page.evaluate(`getComputedStyle(${launcher}).backgroundColor`), 'rgb(122, 59, 12)')
    await widget.getByRole('textbox').fill('Do you deliver to Batumi?')
    await page.keyboard.press('Enter')
    await widget.getByText('within three working days').first().waitFor()
    const label = language === 'en' ? 'Preview: from the public website' : 'წინასწარი ვერსია: საჯარო ვებგვერდიდან'
    await widget.getByText(label).first().waitFor()
    assert.equal(await widget.locator('.rating').count(), 0, 'nobody rates what is deleted in an hour')
    await page.keyboard.press('Escape')

    await page.getByLabel(words.keep.email).fill(email)
    await page.getByRole('button', { name: words.keep.button }).click()
    await page.getByText(words.keep.mailed(60)).waitFor()
    await accessible(page)
    assert.ok(
      asked.every((url) => url.startsWith(`http://${service}/`)),
      'the page asks nobody else',
    )
    assert.deepEqual(faults, [])

    const link = here(linkIn((await house.mailsTo(email)).at(-1)))
    const opened = await open(t, look, link.replace('?', `?lang=${language}&`))
    assert.ok(!(await opened.page.content()).includes('tth_'))
    await accessible(opened.page)
    await opened.page.locator('#act').click()
    await opened.page.locator('[data-state=done]').waitFor()
    await accessible(opened.page)
    const key = (await opened.page.locator('[data-fill=apiKey]').innerText()).trim()
    assert.deepEqual(opened.faults, [])

    await page.goto(`http://${service}/try?lang=${language}`)
    assert.equal(await page.locator('h1').innerText(), words.expired.heading)
    await accessible(page)

    await house.ask('PUT', '/v1/origins', { key, body: { origins: [`http://${own}`] } })
    const embed = await house.ask<{ snippet: string }>('POST', '/v1/embed', { key, body: { language } })
    ownPage = `<!doctype html><html lang="${language}"><title>Lamp House</title><body><h1>Lamp House</h1>${here(embed.body.snippet)}</body></html>`
    const mine = await open(t, look, `http://${own}/`)
    await mine.page.waitForFunction(`getComputedStyle(${launcher}).backgroundColor === 'rgb(122, 59, 12)'`)
    await mine.page.locator('service-assistant .launcher').click()
    await mine.page.locator('service-assistant').getByRole('textbox').fill('How long may I return an unused lamp?')
    await mine.page.keyboard.press('Enter')
    await mine.page.locator('service-assistant').getByText('21 days').first().waitFor()
  })
}

test('what does not work is said, in both languages, and can be tried again', { skip }, async (t) => {
  for (const look of [
    { language: 'en', scheme: 'light', width: 360 },
    { language: 'ka', scheme: 'dark', width: 1280 },
  ] as const) {
    const words = TRY_WORDS[look.language]
    const { page } = await open(t, look, `http://${service}/try?lang=${look.language}`)
    await page.getByLabel(words.open.label).fill('http://me:pw@shop.example/')
    await page.getByRole('button', { name: words.open.button }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel(words.open.label).inputValue(), 'http://me:pw@shop.example/')
    await accessible(page)
    await page.getByLabel(words.open.label).fill(`http://${shop}/nothing-here`)
    await page.getByRole('button', { name: words.open.button }).click()
    await page.getByText(words.again).waitFor()
    await accessible(page)
  }
})

test('without scripts everything works but the window in which one talks', { skip }, async (t) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`http://${service}/try?lang=en`)
  await page.getByLabel(TRY_WORDS.en.open.label).fill(`http://${shop}/`)
  await page.getByRole('button', { name: TRY_WORDS.en.open.button }).click()
  await page.getByText(TRY_WORDS.en.ready.label).waitFor()
  assert.match(await page.locator('noscript').innerText(), /needs JavaScript/)
  await page.getByRole('button', { name: TRY_WORDS.en.again }).click()
  await page.getByText(TRY_WORDS.en.open.heading).waitFor()
})
