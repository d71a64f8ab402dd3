// Every page of the documents, as a screen reader and a keyboard meet it; and what its script adds.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after, before } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { MODULES } from '../../modules.ts'
import { openSite } from './site.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : 'there is no chromium here (apt-get install chromium)'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let house: OpenHouse
let browser: Browser
let url = ''
before(async () => {
  if (skip !== false) return
  house = await openHouse({ modules: MODULES })
  url = await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  await house.close()
})

/** What the page says to nobody: errors, refusals of its policy, and requests to other hosts. */
function noiseOf(page: Page): string[] {
  const noise: string[] = []
  page.on('pageerror', (error) => noise.push(error.message))
  page.on('console', (message) => noise.push(message.text()))
  page.on('request', (request) => request.url().startsWith(url) || noise.push(request.url()))
  return noise
}

const run = `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' x' + nodes.length + ' ' + nodes[0].target))`
/** What the scheme changes is the colours alone. */
const colours = `axe.run({ runOnly: ['color-contrast'] }).then(({ violations }) => violations.map(({ nodes }) => nodes[0].html))`

/** One of each kind is tried at both widths; the others, which are made of the same parts, at one of them. */
const KINDS = ['/docs', '/docs/chat', '/docs/reference/errors', '/docs/search?q=approval', '/docs/search', '/docs/gone']
const WIDTHS = [360, 1280]

/** A test for some pages at a time, because a slow machine needs seconds for each of them. */
const PARTS = 3

for (const [turn, width] of WIDTHS.entries())
  for (let part = 0; part < PARTS; part++)
    test(`no page has an axe fault at ${width} px, light or dark, nor scrolls sideways (${part + 1} of ${PARTS})`, {
      skip,
    }, async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      const noise = noiseOf(page)
      const { pages } = openSite()
      const others = pages.map((one) => one.address).filter((address) => !KINDS.includes(address))
      const addresses = [...KINDS, ...others.filter((_, at) => at % WIDTHS.length === turn)]
      for (const address of addresses.filter((_, at) => at % PARTS === part)) {
        const where = `${address} ${width}`
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(url + address)
        assert.deepEqual(await page.evaluate(run), [], where)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, where)
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await page.evaluate(colours), [], `${where} dark`)
        // The browser itself says of a page that is not there that it is not.
        assert.deepEqual(address === '/docs/gone' ? [] : noise.splice(0), [], where)
        noise.length = 0
      }
      await page.close()
    })

test('a wide table can be reached and moved by key on a phone', { skip }, async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.goto(`${url}/docs/reference/errors`)
  const table = page.locator('.scroll').first()
  await table.focus()
  const reached = `(box => box.scrollWidth > box.clientWidth && document.activeElement === box)(document.querySelector('.scroll'))`
  assert.equal(await page.evaluate(reached), true)
  await page.keyboard.press('ArrowRight')
  // The policy of the page allows no function that the browser would have to read from a text, which waiting for one does.
  for (let turn = 0; turn < 3_000 && !(await page.evaluate(`document.querySelector('.scroll').scrollLeft > 0`)); turn++)
    await page.waitForTimeout(20)
  assert.equal(await page.evaluate(`document.querySelector('.scroll').scrollLeft > 0`), true)
  await page.close()
})

test('the search finds while somebody types, and its results are reached by key', { skip }, async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const noise = noiseOf(page)
  await page.goto(`${url}/docs/reference/headers`)
  await page.fill('#q', 'idempotency_conflict')
  const first = page.locator('.found a').first()
  await first.waitFor()
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.evaluate(`document.activeElement === document.querySelector('.found a')`), true)
  assert.deepEqual(await page.evaluate(run), [])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/docs/reference/errors#idempotency_conflict`)
  assert.deepEqual(noise, [])
  await page.close()
})

test('without scripts the form searches, and there is no button that does nothing', { skip }, async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${url}/docs/actions`)
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0)
  await page.fill('#q', 'reconcile')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: 'Search: reconcile' }).waitFor()
  assert.ok((await page.locator('.results li').count()) > 3)
  await context.close()
})

test('code is copied as it stands there', { skip }, async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${url}/docs/actions`)
  const box = page.locator('.code').first()
  await box.getByRole('button').click()
  await page.locator('[role=status]', { hasText: 'Copied' }).waitFor({ state: 'attached' })
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await box.locator('code').textContent())
  await context.close()
})
