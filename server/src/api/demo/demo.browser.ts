// The demo as somebody meets it, in a real browser against the real service: asked in the shop, decided in the inbox.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after, before } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { openRunningDemo, type RunningDemo } from '../../../testkit/running-demo.ts'
import { words as inboxWords } from '../../pages/inbox/visit.ts'
import { DEMO_WORDS } from './words.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LANGUAGES = ['en', 'ka'] as const
/** The pages under one name of this machine, with the widget that reaches the service under another. */
const NAMES = ['localhost', '127.0.0.1'] as const

let browser: Browser
let demo: RunningDemo
/** Ana, signed in to the inbox. */
let ana: BrowserContext
before(async () => {
  if (skip !== false) return
  // All the visitors of this file come from one address, and each page asks for its brand and its news.
  demo = await openRunningDemo({ RateLimit__VisitorPerMinute: '1000' })
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })
  ana = await browser.newContext({ viewport: { width: 1280, height: 800 } })
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

type Visit = { readonly page: Page; readonly complaints: string[]; [Symbol.asyncDispose](): Promise<void> }

async function visit(where: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.goto(new URL(where, demo.url).href)
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'] })`,
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary + node.html)}`)
  assert.deepEqual(found, [], what)
}

/** Asks in the window of the assistant, and waits until it has answered. The window may begin anew meanwhile, where the page has just said
 * that somebody else is there; so answers are told from each other, not counted. */
async function say(page: Page, prompt: string): Promise<void> {
  const assistant = page.locator('service-assistant')
  await assistant.locator('.rating').evaluateAll((answers) => {
    for (const answer of answers) answer.setAttribute('data-earlier', '')
  })
  await assistant.getByRole('textbox').fill(prompt)
  await assistant.getByRole('textbox').press('Enter')
  await assistant.locator('.rating:not([data-earlier])').waitFor()
}

const ORDERS = {
  en: { number: 'A-17', where: 'Where is order A-17?', refund: 'Refund order A-17' },
  ka: { number: 'A-20', where: 'სად არის შეკვეთა A-20?', refund: 'დააბრუნე შეკვეთა A-20-ის თანხა' },
}

test('the link that the start printed signs in once, and no second time', { skip }, async () => {
  for (const works of [true, false]) {
    const context = works ? ana : await browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(demo.signInLink)
    const { signIn, list } = inboxWords('en')
    await page.getByRole('button', { name: signIn.enter, exact: true }).click()
    await page.getByText(works ? list.none : (signIn.refused.spent ?? '')).waitFor()
    await page.close()
    if (!works) await context.close()
  }
})

for (const language of LANGUAGES) {
  test(`${language}: a guest learns little; the owner asks, the inbox decides, and the window is told`, {
    skip,
  }, async () => {
    const words = DEMO_WORDS[language]
    const inbox = inboxWords(language)
    const { number, where, refund } = ORDERS[language]
    await using shop = await visit(`/demo?lang=${language}`, { bypassCSP: false })
    const assistant = shop.page.locator('service-assistant')
    await assistant.getByRole('button', { name: words.launcher }).click()
    await say(shop.page, where)
    await say(shop.page, refund)
    assert.equal(await assistant.getByText('Rustaveli').count(), 0, 'the address is its owner’s')
    assert.equal(await assistant.locator('section.card').count(), 0, 'nothing is staged for a guest')
    await shop.page.getByRole('button', { name: words.signIn }).click()
    await shop.page.getByRole('button', { name: words.signOut }).waitFor()
    // The window empties when it learns who is there. The service refuses a question that comes before that, and the window asks it again.
    await assistant.locator('.rating').first().waitFor({ state: 'detached' })
    await say(shop.page, where)
    await assistant.getByText('Rustaveli').first().waitFor()
    await say(shop.page, refund)
    await assistant.locator('section.card').getByText(number, { exact: true }).waitFor()

    const page = await ana.newPage()
    page.setDefaultTimeout(60_000)
    const address = await shop.page.getByRole('link', { name: words.toInbox }).getAttribute('href')
    await page.goto(address ?? '')
    await page.locator('#waiting a').first().click()
    await page.getByText(number, { exact: true }).first().waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), language, 'the language comes along')
    await page.locator('[name=acknowledge]').check()
    await page.getByRole('button', { name: inbox.card.confirm, exact: true }).click()
    await page.getByText(inbox.said.Executed).waitFor()
    await page
      .getByText(inbox.event.verified ?? '')
      .first()
      .waitFor()
    await page.close()
    await assistant
      .getByText(language === 'en' ? 'Done.' : 'შესრულდა.')
      .first()
      .waitFor()
    // No model is set up here: the next turn says it all the same.
    await say(shop.page, where)
    const earlier = language === 'en' ? /What was proposed earlier: Done\./ : /ადრე შეთავაზებული მოქმედება: შესრულდა\./
    await assistant.locator('.answer').last().getByText(earlier).waitFor()
    assert.deepEqual(shop.complaints, [])
  })
}

type CallAnswer = {
  readonly conversations?: readonly { readonly sessionId: string }[]
  readonly takenOverBy?: { readonly name: string }
  readonly turns?: readonly { readonly prompt: string; readonly takenOver: boolean }[]
}

test('a person takes over from the assistant, answers in the open window, and gives the conversation back', {
  skip,
}, async () => {
  const key = await demo.issueKey()
  await using shop = await visit('/demo?lang=ka', { bypassCSP: false })
  // What the server of the business does.
  const call = async (method: string, path: string, data?: object): Promise<CallAnswer> => {
    const headers = { 'x-api-key': key }
    const answer = await ana.request.fetch(new URL(path, demo.url).href, { method, headers, ...(data && { data }) })
    assert.equal(answer.status(), 200, `${method} ${path}`)
    return (await answer.json()) as CallAnswer
  }
  const assistant = shop.page.locator('service-assistant')
  await assistant.getByRole('button', { name: DEMO_WORDS.ka.launcher }).click()
  await say(shop.page, 'გამარჯობა')
  const { conversations } = await call('GET', '/v1/conversations?limit=1')
  const here = `/v1/conversations/${conversations?.[0]?.sessionId}`
  const taken = await call('POST', `${here}/takeover`, {})
  await call('POST', `${here}/messages`, { text: 'მე თვითონ მოგხედავთ' })
  await assistant.locator('.answer').getByText('მე თვითონ მოგხედავთ').waitFor()
  const name = taken.takenOverBy?.name
  await assistant.locator('.answer').getByText(`${name} წერს:`).waitFor()

  await assistant.getByRole('textbox').fill('დიდი მადლობა')
  await assistant.getByRole('textbox').press('Enter')
  await assistant.locator('.answer').getByText('საუბარი თანამშრომელმა გადაიბარა').waitFor()
  const { turns } = await call('GET', here)
  assert.deepEqual(
    turns?.map(({ prompt, takenOver }) => [prompt, takenOver]),
    [
      ['გამარჯობა', false],
      ['დიდი მადლობა', true],
    ],
  )
  await call('POST', `${here}/release`)
  await say(shop.page, 'გამარჯობა')
  assert.deepEqual(shop.complaints, [])
})

for (const language of LANGUAGES) {
  test(`${language}: an example question is asked with a click`, { skip }, async () => {
    const [question] = DEMO_WORDS[language].questions
    await using shop = await visit(`/demo?lang=${language}`, { bypassCSP: false })
    await shop.page.locator('service-assistant .launcher').waitFor()
    await shop.page.getByRole('button', { name: question }).click()
    await shop.page.locator('service-assistant .question').getByText(question).waitFor()
    await shop.page.locator('service-assistant .rating').waitFor()
    assert.deepEqual(shop.complaints, [])
  })
}

for (const language of LANGUAGES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${language}, ${colorScheme}: the page is for everybody, wide and narrow`, { skip }, async () => {
      for (const width of [1280, 375]) {
        const name = `demo-${language}-${colorScheme}-${width}`
        await using seen = await visit(`/demo?lang=${language}`, {
          viewport: { width, height: 800 },
          bypassCSP: true,
          colorScheme,
          reducedMotion: 'reduce',
        })
        const { page } = seen
        await page.locator('service-assistant .launcher').waitFor()
        await accessible(page, name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name}: nothing to the side`)
      }
    })
  }
}

for (const name of NAMES) {
  test(`opened at ${name}, the shop answers, and its customer signs in and sees the own orders alone`, {
    skip,
  }, async () => {
    const words = DEMO_WORDS.en
    const { port } = new URL(demo.url)
    await using shop = await visit(`http://${name}:${port}/demo?lang=en`, { bypassCSP: false })
    const { page } = shop
    await page.getByRole('button', { name: words.signIn }).click()
    await page.getByRole('button', { name: words.signOut }).waitFor()
    const assistant = page.locator('service-assistant')
    await assistant.getByRole('button', { name: words.launcher }).click()
    await say(page, 'Show my orders')
    await assistant.getByText('A-18').first().waitFor()
    assert.equal(await assistant.getByText('A-19').count(), 0)
    assert.deepEqual(shop.complaints, [])
  })
}
