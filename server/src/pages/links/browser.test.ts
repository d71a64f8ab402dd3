// The pages in a real browser, as somebody uses them who opens a mailed link. Needs Debian's chromium.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after, before, type TestContext } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type MailSink, openMailSink } from '../../../testkit/mail-sink.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : 'there is no chromium here (apt-get install chromium)'

let house: OpenHouse
let sink: MailSink
let browser: Browser
let port = 0

before(async () => {
  if (skip !== false) return
  sink = await openMailSink()
  house = await openHouse({
    settings: {
      'Signup:Enabled': 'true',
      'Signup:VerifyEmail': 'true',
      'Signup:VerifyUrl': 'http://127.0.0.1:8787/account/confirm',
      'Mail:Transport': 'smtp',
      'Mail:From': 'no-reply@tether.example',
      'Mail:Smtp:Host': '127.0.0.1',
      'Mail:Smtp:Port': String(sink.port),
      'Mail:Smtp:Security': 'none',
    },
  })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const address = house.app.server.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  await house.close()
  await sink.close()
})

/** The newest link that was mailed, at the port where this test listens. */
async function mailedLink(): Promise<string> {
  const count = sink.mails.length
  for (let round = 0; round < 5 && sink.mails.length === count; round++) {
    for (const duty of house.app.duties) await duty.work(new AbortController().signal)
  }
  const text = sink.mails.at(-1)?.parts[0]?.text ?? ''
  return (/^http\S+$/m.exec(text)?.[0] ?? '').replace('127.0.0.1:8787', `127.0.0.1:${port}`)
}

type Opened = { page: Page; asked: string[]; faults: string[] }

async function open(t: TestContext, url: string, scheme: 'light' | 'dark' = 'light', locale = 'en'): Promise<Opened> {
  const page = await browser.newPage({ colorScheme: scheme, locale, viewport: { width: 390, height: 700 } })
  t.after(() => page.close())
  const [asked, faults]: [string[], string[]] = [[], []]
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => faults.push(message.text()))
  await page.goto(url)
  return { page, asked, faults }
}

const seen = async (page: Page): Promise<string> => (await page.locator('main').allInnerTexts()).join('')

/** What a screen reader would stumble over. */
async function accessible(page: Page): Promise<void> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // Not as a script of the page: its policy would refuse that, as it should.
  const found = await page.evaluate(`${source}; axe.run().then(({ violations }) => violations.map(({ id }) => id))`)
  assert.deepEqual(found, [])
}

test('opening a confirmation link does nothing; the button does, and nothing of the link stays', {
  skip,
}, async (t) => {
  const body = { email: 'ana@shop.example', name: 'კუთხის მაღაზია', language: 'ka' }
  const made = await house.ask<{ apiKey: string }>('POST', '/v1/signup', { body })
  const link = await mailedLink()
  const confirmed = async () => (await house.ask('GET', '/v1/account', { key: made.body.apiKey })).body.emailConfirmed
  const { page, asked, faults } = await open(t, link, 'light', 'ka-GE')
  assert.match(await seen(page), /დაადასტურეთ თქვენი მისამართი/)
  await accessible(page)
  assert.equal(await confirmed(), false)
  assert.ok(
    asked.every((one) => one.startsWith('GET ')),
    'looking acts on nothing',
  )
  await page.getByRole('link', { name: 'English' }).click()
  assert.match(await seen(page), /Confirm your address/)
  await page.getByRole('button').click()
  await page.getByText('Your address is confirmed').waitFor()
  assert.match(await seen(page), /კუთხის მაღაზია[\s\S]*ana@shop\.example/)
  assert.equal(await confirmed(), true)
  assert.ok(!page.url().includes('confirm='))
  assert.ok(
    asked.every((one) => one.split(' ')[1]?.startsWith(`http://127.0.0.1:${port}/`)),
    'nothing is asked of anybody else',
  )
  assert.deepEqual(faults, [])
  await accessible(page)
  const again = await open(t, link, 'dark', 'ka-GE')
  await again.page.getByRole('button').click()
  await again.page.getByText('ეს ბმული უკვე გამოყენებულია').waitFor()
  assert.equal(await again.page.getByRole('button').count(), 0, 'what cannot work is not offered again')
  await accessible(again.page)
})

test('a recovery link shows the new key once, and never before the button', { skip }, async (t) => {
  const made = await house.ask<{ apiKey: string }>('POST', '/v1/signup', {
    body: { email: 'bob@shop.example', name: 'Bob & <Sons>' },
  })
  await mailedLink()
  await house.ask('POST', '/v1/signup/recover', { body: { email: 'bob@shop.example' } })
  const { page, faults } = await open(t, await mailedLink())
  assert.ok(!(await page.content()).includes('tth_'))
  assert.equal((await house.ask('GET', '/v1/account', { key: made.body.apiKey })).status, 200)
  await page.getByRole('button', { name: 'Show the new key' }).click()
  await page.getByText('Your new secret key').waitFor()
  const key = (await page.locator('[data-fill=apiKey]').allInnerTexts()).join('').trim()
  assert.equal((await house.ask('GET', '/v1/account', { key })).body.name, 'Bob & <Sons>')
  assert.equal((await house.ask('GET', '/v1/account', { key: made.body.apiKey })).status, 401)
  assert.match(await seen(page), /Bob & <Sons>/)
  assert.match(await seen(page), new RegExp(`export TETHER_API_KEY='${key}'`))
  assert.deepEqual(faults, [])
  await accessible(page)
  await page.reload()
  assert.ok(!(await page.content()).includes(key))
  assert.match(await seen(page), /This link is incomplete/)
})

test('without a token, with a wrong one and without the service the page says what to do', { skip }, async (t) => {
  const none = await open(t, `http://127.0.0.1:${port}/account/confirm?lang=en`)
  assert.match(await seen(none.page), /This link is incomplete/)
  await accessible(none.page)
  const wrong = await open(t, `http://127.0.0.1:${port}/account/recover?lang=en#recover=wrong`)
  await wrong.page.getByRole('button').click()
  await wrong.page.getByText('This link no longer works').waitFor()
  const away = await open(t, `http://127.0.0.1:${port}/account/confirm?lang=en&confirm=wrong`)
  await away.page.route('**/v1/**', (route) => route.abort())
  await away.page.getByRole('button').click()
  await away.page.getByText('That did not work').waitFor()
  assert.equal(await away.page.getByRole('button', { name: 'Confirm the address' }).isEnabled(), true)
  await accessible(away.page)
})
