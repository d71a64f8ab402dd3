// The demo as somebody meets it, in a real browser against the real service: asked in the shop, decided at the desk.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after, before } from 'node:test'
import type { Language } from '@tether/contract'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { openRunningDemo, type RunningDemo } from '../../../testkit/running-demo.ts'
import { EVENTS, OUTCOMES } from './desk-words.ts'
import { DEMO_WORDS } from './words.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LANGUAGES = ['en', 'ka'] as const

let browser: Browser
let demo: RunningDemo
before(async () => {
  if (skip !== false) return
  demo = await openRunningDemo()
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

type Visit = { readonly page: Page; readonly complaints: string[]; [Symbol.asyncDispose](): Promise<void> }

async function visit(where: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.goto(demo.url + where)
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

const nameOf = (actionId: string) => `#${actionId.slice(-6)}`
const cardOf = (page: Page, words: string): Locator => page.locator('.card').filter({ hasText: words })

async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'] })`,
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary + node.html)}`)
  assert.deepEqual(found, [], what)
}

const PROMPTS = { en: 'Refund order A-17', ka: 'დააბრუნე შეკვეთა A-19-ის თანხა' }

for (const language of LANGUAGES) {
  test(`${language}: asked, staged, confirmed at the desk, read back, and in the trail`, { skip }, async () => {
    const words = DEMO_WORDS[language]
    const number = language === 'en' ? 'A-17' : 'A-19'
    await using shop = await visit(`/demo?lang=${language}`, { bypassCSP: false })
    const assistant = shop.page.locator('service-assistant')
    await assistant.getByRole('button', { name: words.launcher }).click()
    await assistant.getByRole('textbox').fill(PROMPTS[language])
    await assistant.getByRole('textbox').press('Enter')
    await assistant.locator('section.card').getByText(number, { exact: true }).waitFor()
    await using desk = await visit(`/demo/desk?lang=${language}`, { bypassCSP: false })
    const card = cardOf(desk.page, number)
    await card.getByText('refund_order').waitFor()
    await card.getByText(words.risk.elevated, { exact: true }).waitFor()
    assert.match(
      (await card.textContent()) ?? '',
      new RegExp(`${words.until} \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d`),
    )
    await card.getByRole('button', { name: words.confirm }).click()
    await card.getByText(OUTCOMES[language].verified).waitFor()
    await card.getByRole('button').first().waitFor({ state: 'hidden' })
    const [newest, before] = await desk.page.locator('#trail li b').allTextContents()
    assert.deepEqual([newest, before], [EVENTS[language].verified, EVENTS[language].executed])
    await desk.page.getByText(words.nothing).waitFor()
    assert.deepEqual([shop.complaints, desk.complaints], [[], []])
  })
}

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
    test(`${language}, ${colorScheme}: both pages for everybody, wide and narrow`, { skip }, async () => {
      const tools = [
        ['cancel_order', { number: 'A-20' }],
        ['change_delivery_address', { number: 'A-20', address: 'ა'.repeat(190) }],
        ['refund_order', { number: 'A-20', amount: 0.5 }],
      ] as const
      const staged: string[] = []
      for (const [tool, given] of tools) staged.push(await demo.stage(tool, given))
      for (const width of [1280, 375]) {
        for (const where of ['/demo', '/demo/desk']) {
          const name = `${where.slice(1).replace('/', '-')}-${language}-${colorScheme}-${width}`
          await using seen = await visit(`${where}?lang=${language}`, {
            viewport: { width, height: 800 },
            bypassCSP: true,
            colorScheme,
            reducedMotion: 'reduce',
          })
          const { page } = seen
          if (where === '/demo') await page.locator('service-assistant .launcher').waitFor()
          else await cardOf(page, nameOf(staged.at(-1) ?? '')).waitFor()
          await accessible(page, name)
          assert.equal(
            await page.evaluate('document.documentElement.scrollWidth'),
            width,
            `${name}: nothing to the side`,
          )
        }
      }
      await using desk = await visit(`/demo/desk?lang=${language}`, {
        viewport: { width: 375, height: 800 },
        colorScheme,
      })
      for (const actionId of staged) {
        const card = cardOf(desk.page, nameOf(actionId))
        await card.getByRole('button', { name: DEMO_WORDS[language].reject }).click()
        await card.getByText(OUTCOMES[language].Rejected).waitFor()
      }
      await accessible(desk.page, 'everything was decided')
    })
  }
}

test('two desks: what one decides, the other one says; and nothing moves under a finger', { skip }, async () => {
  const words = DEMO_WORDS.en
  const first = await demo.stage('cancel_order', { number: 'A-20' })
  await using one = await visit('/demo/desk')
  await using other = await visit('/demo/desk')
  const [here, there] = [cardOf(one.page, nameOf(first)), cardOf(other.page, nameOf(first))]
  await there.waitFor()
  const place = await here.boundingBox()
  const second = await demo.stage('refund_order', { number: 'A-20' })
  await cardOf(one.page, nameOf(second)).waitFor()
  assert.deepEqual(await here.boundingBox(), place)
  await here.getByRole('button', { name: words.reject }).click()
  await here.getByText(OUTCOMES.en.Rejected).waitFor()
  await there.getByText(words.gone).waitFor()
  assert.equal(await there.getByRole('button').count(), 0)
  await cardOf(other.page, nameOf(second)).getByRole('button', { name: words.reject }).click()
  await cardOf(one.page, nameOf(second)).getByText(words.gone).waitFor()
})

const STATE = '**/demo/desk/state'

/** As if the service had said so of everything that is open. */
const openInState = (page: Page, status: string) =>
  page.route(STATE, async (route) => {
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
    const response = await route.fetch({ headers })
    const { actions, events } = (await response.json()) as { actions: object[]; events: object[] }
    await route.fulfill({ response, json: { actions: actions.map((action) => ({ ...action, status })), events } })
  })

/** What the desk says when the service answers this to a confirm; and whether the card can be decided again. */
async function told(
  page: Page,
  actionId: string,
  answer: { status?: number; body: unknown } | 'none',
  language: Language,
) {
  await page.route('**/demo/desk/decisions', (route) =>
    answer === 'none'
      ? route.abort()
      : route.fulfill({
          status: answer.status ?? 200,
          contentType: 'application/json',
          body: JSON.stringify(answer.body),
        }),
  )
  const card = cardOf(page, nameOf(actionId))
  await card.getByRole('button', { name: DEMO_WORDS[language].confirm }).click()
  await card.locator('.note p').waitFor()
  await card.locator('button.confirm:enabled').waitFor()
  await page.unroute('**/demo/desk/decisions')
  return card.locator('.note')
}

for (const language of LANGUAGES) {
  test(`${language}: whatever a confirm answers, the desk says it, and what still waits can be decided again`, {
    skip,
  }, async () => {
    const words = DEMO_WORDS[language]
    const actionId = await demo.stage('cancel_order', { number: 'A-20' })
    await using desk = await visit(`/demo/desk?lang=${language}`)
    const { page } = desk
    const confirmed = (status: string, errorMessage: string) => ({
      body: { httpStatus: 400, said: { status, errorMessage } },
    })
    for (const status of [
      'Indeterminate',
      'Expired',
      'Conflict',
      'Prohibited',
      'PreconditionError',
      'FailedRetryable',
    ] as const) {
      const note = await told(page, actionId, confirmed(status, `Because of ${status}.`), language)
      assert.deepEqual(await note.locator('*').allTextContents(), [OUTCOMES[language][status], `Because of ${status}.`])
    }
    const error = { code: 'internal_error', message: 'It went wrong.' }
    for (const answer of [
      'none',
      { status: 500, body: { error } },
      { body: { httpStatus: 500, said: { error } } },
    ] as const) {
      const note = await told(page, actionId, answer, language)
      assert.equal(await note.locator('p').textContent(), words.lost, 'without an answer nobody knows')
    }
    const limited = { body: { httpStatus: 429, said: { error: { code: 'rate_limited', message: 'Wait a minute.' } } } }
    const note = await told(page, actionId, limited, language)
    assert.deepEqual(await note.locator('*').allTextContents(), [words.refused, 'Wait a minute.'])
    await openInState(page, 'indeterminate')
    const card = cardOf(page, nameOf(actionId))
    await card.getByText(OUTCOMES[language].Indeterminate).waitFor()
    assert.deepEqual(await card.getByRole('button').allTextContents(), [words.reconcile])
    await page.unroute(STATE)
    await card.getByRole('button', { name: words.confirm }).waitFor()
    await page.context().setOffline(true)
    await page.getByText(words.stale).waitFor()
    await page.context().setOffline(false)
    await page.getByText(words.stale).waitFor({ state: 'hidden' })
    await card.getByRole('button', { name: words.reject }).click()
    await card.getByText(OUTCOMES[language].Rejected).waitFor()
  })
}

test('signed in, one sees the own orders; a visitor is not shown anybody’s', { skip }, async () => {
  const words = DEMO_WORDS.en
  await using shop = await visit('/demo', { bypassCSP: false })
  const { page } = shop
  await page.getByRole('button', { name: words.signIn }).click()
  await page.getByRole('button', { name: words.signOut }).waitFor()
  const assistant = page.locator('service-assistant')
  await assistant.getByRole('button', { name: words.launcher }).click()
  await assistant.getByRole('textbox').fill('Show my orders')
  await assistant.getByRole('textbox').press('Enter')
  await assistant.getByText('A-18').first().waitFor()
  assert.equal(await assistant.getByText('A-19').count(), 0)
  assert.deepEqual(shop.complaints, [])
})
