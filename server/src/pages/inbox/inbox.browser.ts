// The inbox as people use it, in a real browser: invited, mailed, signed in, and one write decided by two of them.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import type { Language } from '@tether/contract'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { linkIn, type MailedHouse, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { words } from './visit.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}: apt-get install chromium`
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }

const endpoint = new ScriptedEndpoint()
let house: MailedHouse
let browser: Browser
let base = ''
before(async () => {
  if (skip !== false) return
  house = await openMailedHouse()
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${(house.app.server.server.address() as AddressInfo).port}`
  let refunded = false
  endpoint.play(({ body }, response) => {
    if (body.mode === 'execute') refunded = true
    response.end(JSON.stringify(body.mode === 'execute' ? {} : { state: refunded ? 'refunded' : 'paid', amount: 90 }))
  })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  await browser?.close()
  await house?.close()
  await endpoint.stop()
})

const read = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const write = { ...read, properties: { ...read.properties, amount: { type: 'number' } } }
const at = { tool: 'get_order', arguments: { number: { from: 'number' } } }
const CATALOG = [
  { name: 'get_order', description: 'Looks up one order by its number.', is_write: false, parameters: read },
  {
    name: 'refund_order',
    description: 'Pays an order back.',
    is_write: true,
    risk: 'high',
    parameters: write,
    verify: { ...at, check: { path: 'state', equals: 'refunded' } },
    precondition: { ...at, check: { path: 'amount', equals: 90 } },
  },
]

async function shop() {
  const { apiKey: key } = await house.tenant('Tea & Clay')
  const put = (path: string, body: unknown) => house.ask('PUT', path, { key, body })
  await put('/v1/endpoint', { url: await endpoint.start() })
  await put('/v1/tools', CATALOG)
  await put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  const invite = async (displayName: string, language: Language) => {
    const email = newAddress()
    await house.ask('POST', '/v1/users/invitations', { key, body: { email, displayName, role: 'manager', language } })
    return email
  }
  const stage = async () => {
    const body = { tool: 'refund_order', arguments: { number: 'A-17', amount: 88 } }
    const { actionId } = (await house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body })).body
    // As if a visitor had asked for it.
    await house.database.database.script(
      `update actions set session_id = 'ses_of_a_visitor' where action_id = '${actionId}'`,
    )
    return actionId
  }
  return { key, invite, stage }
}

const [INVITATION, SIGN_IN, NOTICE] = [/\?lang=\w+&for=/, /#signin=/, /&action=/]

/** The newest link of that sort that somebody was mailed. */
const mailed = async (email: string, sort: RegExp): Promise<string> =>
  linkIn((await house.mailsTo(email)).findLast((mail) => sort.test(linkIn(mail)))).replace(/^http:\/\/[^/]+/, base)

type Window = { readonly page: Page; readonly complaints: string[]; [Symbol.asyncDispose](): Promise<void> }

async function open(options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/inbox`) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** In both schemes and at both widths, whatever this window has. */
async function accessible(page: Page, what: string): Promise<void> {
  const size = page.viewportSize() ?? DESK
  for (const [colorScheme, viewport] of [
    ['light', PHONE],
    ['dark', DESK],
    ['dark', PHONE],
    ['light', DESK],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    const found = await page.evaluate(
      `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    )
    assert.deepEqual(found, [], `${what}, ${colorScheme}, ${viewport.width}`)
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(wide) <= viewport.width, `${what} is wider than ${viewport.width}`)
  }
  await page.setViewportSize(size)
}

/** From the mail of an invitation to the list. */
async function signIn({ page }: Window, email: string, language: Language, check: boolean): Promise<void> {
  const { signIn } = words(language)
  await page.goto(await mailed(email, INVITATION))
  assert.equal(await page.inputValue('#email'), email)
  if (check) await accessible(page, 'the way in')
  await page.getByRole('button', { name: signIn.ask }).click()
  await page.getByRole('heading', { name: signIn.asked }).waitFor()
  if (check) await accessible(page, 'asked')
  const link = await mailed(email, SIGN_IN)
  await page.goto(link)
  if ((await page.locator('[data-linked]:not([hidden])').count()) === 0) await page.fill('#link', link)
  else assert.ok(!page.url().includes('signin='), 'the token leaves the address')
  if (check) await accessible(page, 'with a link')
  await page.getByRole('button', { name: signIn.enter, exact: true }).click()
  await page.locator('nav').waitFor()
}

const LOCALE = { en: 'en-GB', ka: 'ka-GE' } as const

/** The second yes, on the screen of a phone without scripts: from the mail straight to the card. */
async function confirmOnPhone(email: string, actionId: string, language: Language): Promise<readonly string[]> {
  const said = words(language)
  await using phone = await open({
    viewport: PHONE,
    locale: LOCALE[language],
    javaScriptEnabled: false,
    colorScheme: 'dark',
  })
  await signIn(phone, email, language, false)
  assert.match(await mailed(email, NOTICE), new RegExp(`lang=${language}&action=${actionId}`), 'told in their language')
  await phone.page.goto(await mailed(email, NOTICE))
  await phone.page.getByText(said.card.approvedBy(1, 2, 'Ana')).waitFor()
  await phone.page.getByRole('checkbox', { name: said.card.acknowledge.high }).check()
  await phone.page.getByRole('button', { name: said.card.confirm }).click()
  await phone.page.getByText(said.said.Executed).waitFor()
  await phone.page
    .getByText(said.event.verified ?? '')
    .first()
    .waitFor()
  return phone.complaints
}

/** A change that cannot be read: it stays as it was typed, and the page says so where the focus is. */
async function changeBadly(page: Page, language: Language): Promise<void> {
  const { change } = words(language)
  await page.getByText(change.heading, { exact: true }).click()
  await page.fill('[name="argument.amount"]', 'ასი')
  await page.getByRole('button', { name: change.propose }).click()
  await page.getByText(change.number).waitFor()
  assert.equal(await page.inputValue('[name="argument.amount"]'), 'ასი')
  assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert')
  await accessible(page, 'a change that cannot be read')
}

async function chooseMails(page: Page, language: Language): Promise<void> {
  const { mails } = words(language)
  await page.goto(`${base}/inbox/mails`)
  await accessible(page, 'mails')
  await page.getByRole('radio', { name: mails.wanted.high }).check()
  await page.getByRole('button', { name: mails.save }).click()
  await page.getByText(mails.saved).waitFor()
  assert.ok(await page.getByRole('radio', { name: mails.wanted.high }).isChecked())
  await accessible(page, 'mails, saved')
}

for (const language of ['en', 'ka'] as const) {
  test(`${language}: one approves at a desk, the other on a phone without scripts, and it runs once`, {
    skip,
  }, async () => {
    const { key, invite, stage } = await shop()
    const said = words(language)
    const [ana, bela] = [await invite('Ana', language), await invite('Bela', language)]
    const locale = LOCALE[language]
    await using desk = await open({ viewport: DESK, locale })
    await signIn(desk, ana, language, true)
    await desk.page.getByRole('heading', { name: said.list.none }).waitFor()
    await accessible(desk.page, 'nothing waits')
    const actionId = await stage()
    // Nobody loads the page again: it hears that something has happened.
    await desk.page.getByRole('heading', { name: said.list.heading, exact: true }).waitFor()
    await accessible(desk.page, 'the list')
    await desk.page.locator('body').press('j')
    await desk.page.keyboard.press('Enter')
    await desk.page.waitForURL(`**/inbox/actions/${actionId}`)
    await desk.page.getByText(said.card.approvedBy(0, 2, '')).waitFor()
    assert.deepEqual(
      await desk.page.locator('tr.differs .now').allInnerTexts(),
      ['90'],
      'the record says another amount',
    )
    await accessible(desk.page, 'the card')
    await changeBadly(desk.page, language)
    await desk.page.goto(`${base}/inbox/actions/${actionId}`)
    await desk.page.locator('body').press('a')
    await desk.page.keyboard.press('Enter')
    await desk.page.getByText(said.said.GuardRejected).waitFor()
    assert.equal(await desk.page.evaluate('document.activeElement.id'), 'outcome', 'the focus goes to what changed')
    await desk.page.getByRole('checkbox', { name: said.card.acknowledge.high }).check()
    await desk.page.getByRole('button', { name: said.card.approve, exact: true }).click()
    await desk.page.getByText(said.said.AwaitingApprovers).waitFor()
    await accessible(desk.page, 'approved by one')

    const phoneComplaints = await confirmOnPhone(bela, actionId, language)

    // What the other did is said on the desk, and its buttons go.
    await desk.page.locator('[data-changed]:visible, #card[data-state=executed]').first().waitFor()
    if ((await desk.page.locator('#card[data-state=executed]').count()) === 0)
      await desk.page.locator('[data-changed]').click()
    await desk.page.locator('#card[data-state=executed]').waitFor()
    assert.equal(await desk.page.locator('#decide').count(), 0)
    await accessible(desk.page, 'done')
    await desk.page.goto(`${base}/inbox/history`)
    await accessible(desk.page, 'history')
    await chooseMails(desk.page, language)
    const { body } = await house.ask<{ events: { event: string; user: { displayName: string } | null }[] }>(
      'GET',
      `/v1/audit?actionId=${actionId}`,
      { key },
    )
    assert.deepEqual(
      body.events.map(({ event, user }) => [event, user?.displayName ?? null]),
      [
        ['proposed', null],
        ['approved', 'Ana'],
        ['approved', 'Bela'],
        ['executed', 'Bela'],
        ['verified', null],
      ],
    )
    assert.deepEqual([desk.complaints, phoneComplaints], [[], []])
  })
}
