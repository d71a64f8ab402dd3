// The playground with its script, in a real browser and under the policy of the page. Needs Debian's chromium.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type Script, ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { MODULES } from '../../modules.ts'
import { CATALOG } from './fixtures/catalog.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const endpoint = new ScriptedEndpoint()
let house: OpenHouse
let browser: Browser
let base = ''
before(async () => {
  if (skip !== false) return
  house = await openHouse({ modules: MODULES })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${portOf(house.app.server.server)}`
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  await browser?.close()
  await house?.close()
  await endpoint.stop()
})

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port

const answersOnce =
  (told: Promise<unknown>): Script =>
  (_seen, response) =>
    void told.then(() => response.end(JSON.stringify({ state: 'paid', amount: 90 })))

/** The page of somebody who is signed in, and whatever it complains of. */
async function opened() {
  const { apiKey: key } = await house.tenant('Tea & Clay')
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
  await house.ask('PUT', '/v1/tools', { key, body: CATALOG })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(request.url())
  })
  await page.goto(`${base}/console?lang=en`)
  await page.fill('#key', key)
  await page.locator('form[action="/console/enter"] button').click()
  await page.locator('main h1').waitFor()
  return { key, page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** As the window is now. */
async function holds(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  )
  assert.deepEqual(found, [], what)
  const [wide, most] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  assert.ok(wide <= most, `${what} is wider than ${most}`)
}

test('the answer of the playground appears as it comes, under the policy of the page; a line that breaks sends nothing again', {
  skip,
}, async () => {
  await using desk = await opened()
  const { page } = desk
  // The page that follows takes what came before it away, so that it is written down as it appears.
  await page.addInitScript(`
    new MutationObserver(() => {
      const said = [...document.querySelectorAll('#coming [data-told]')].map((part) => part.textContent).join(' | ')
      if (said.includes('paid')) sessionStorage.setItem('said', said)
    }).observe(document, { subtree: true, childList: true, characterData: true })`)
  await page.goto(`${base}/console/playground`)
  // The business answers only when it is told to, so that the turn is in its middle while we look.
  const answers = Promise.withResolvers<void>()
  endpoint.play(answersOnce(answers.promise))
  let asked = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/playground/ask')) asked++
  })
  await page.fill('#prompt', 'Where is order A-1?')
  await page.locator('#form-ask button').click()
  await page.locator('#coming').getByText('The answer is coming.').waitFor()
  await holds(page, 'an answer that comes')
  assert.equal(await page.locator('#turn').count(), 0)
  answers.resolve()
  await page.locator('#turn .answer').waitFor()
  assert.match(String(await page.evaluate(`sessionStorage.getItem('said')`)), /get_order: ok, \d+ ms.*paid/s)
  await holds(page, 'the page that follows')
  assert.equal(asked, 2, 'the question, and its page')
  // A line that breaks: the question may have arrived, so it is not sent again.
  await page.route('**/playground/ask', (route) => {
    asked++
    return route.fulfill({ contentType: 'text/event-stream', body: 'data: {"text":"Half of"}\n\n' })
  })
  asked = 0
  await page.fill('#prompt', 'And order A-2?')
  await page.locator('#form-ask button').click()
  await page.locator('#coming').getByText('The line broke').waitFor()
  assert.equal(await page.locator('#coming [data-told=text]').innerText(), 'Half of')
  assert.equal(await page.inputValue('#prompt'), 'And order A-2?')
  await holds(page, 'a line that broke')
  assert.equal(asked, 2, 'once, as the request and as what we made of it')
  assert.deepEqual(desk.complaints, [])
})

test('a question that was sent after the session had ended stands there again after signing in, and was not asked', {
  skip,
}, async () => {
  await using desk = await opened()
  const { page, key } = desk
  await page.goto(`${base}/console/playground`)
  await page.fill('#prompt', 'Where is order A-1?')
  await page.fill('#customerToken', 'a token that was typed')
  await house.database.database.script('update console_sessions set closed_at = now()')
  await page.locator('#form-ask button').click()
  await page.locator('.note.bad').getByText('the form will still hold what you typed').waitFor()
  await holds(page, 'the way in with what was typed')
  assert.ok(!(await page.content()).includes('a token that was typed'))
  await page.fill('#key', key)
  await page.locator('form[action="/console/enter"] button').click()
  await page.locator('#form-ask .note').getByText('nothing has been sent').waitFor()
  await holds(page, 'the form as it was')
  assert.deepEqual(
    [await page.inputValue('#prompt'), await page.inputValue('#customerToken')],
    ['Where is order A-1?', ''],
  )
  assert.equal(await page.locator('#turn').count(), 0)
  const refusals = desk.complaints.filter((one) => !/status of 403/.test(one))
  assert.deepEqual(refusals, [])
})
