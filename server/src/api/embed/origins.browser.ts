// Tests which pages may use the widget, in a real browser against the real service. A publishable key is gated by its
// Origin.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { freePort } from '../../../../scripts/free-port.ts'
import { openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}; run apt-get install chromium`

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    // The pages of these tests are on no network, and chromium would ask a person whether they may reach this machine.
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })

const unconfirmed = statement<unknown, { tenantId: number }>(
  'origins_browser.unconfirmed',
  'update tenants set self_serve = true, email_confirmed_at = null where tenant_id = $tenantId::int',
)

/** Asks for the brand from a page at this address, as the widget does, and returns the answer. */
async function askFrom(
  browser: Browser,
  address: string,
  service: string,
  key: string,
  sandboxed = false,
): Promise<string> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const asks = `<script>
    fetch('${service}/v1/chat/brand', { headers: { 'x-api-key': '${key}' } })
      .then(async (answer) => answer.status + ' ' + ((await answer.json()).error?.code ?? 'ok'), () => 'unreadable')
      .then((said) => parent.postMessage(said, '*'))
  </script>`
  const frame = sandboxed
    ? `<iframe sandbox="allow-scripts" srcdoc="${asks.replaceAll('"', '&quot;')}"></iframe>`
    : asks
  await page.route(`${new URL(address).origin}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><script>addEventListener('message', ({ data }) => { globalThis.said = data })</script>${frame}`,
    }),
  )
  await page.goto(address)
  const said = await page.waitForFunction('globalThis.said')
  const text = String(await said.jsonValue())
  await context.close()
  return text
}

test('registered, unregistered, held, with a port, with a path, null and loopback origins, as browsers send them', {
  skip,
}, async () => {
  await using house = await openHouse()
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const service = `http://127.0.0.1:${(house.app.server.server.address() as AddressInfo).port}`
  const tenant = await house.tenant()
  const put = (body: unknown) => house.ask('PUT', '/v1/origins', { key: tenant.apiKey, body })
  await house.database.database.run(unconfirmed, { tenantId: tenant.tenantId })
  const held = ['https://held.ge', 'https://held.ge:8443']
  const local = ['http://localhost:3000', 'http://shop.localhost', 'https://localhost:8443']
  await put({ origins: [...held, ...local], holdUntilConfirmed: true })
  const { key } = (await house.ask<{ key: string }>('POST', '/v1/embed', { key: tenant.apiKey })).body
  const browser = await launch()
  try {
    const told = (address: string, sandboxed = false) => askFrom(browser, address, service, key, sandboxed)
    for (const address of [
      'http://localhost:3000/',
      'http://localhost:3000/a/path?x#y',
      'http://SHOP.localhost:80/',
      'https://localhost:8443/',
    ]) {
      assert.equal(await told(address), '200 ok', address)
    }
    for (const address of [
      'http://localhost:3001/',
      'http://localhost/',
      'https://shop.localhost/',
      'https://held.ge/',
      'https://held.ge:8443/',
      'https://other.ge/',
    ]) {
      assert.equal(await told(address), '403 origin_not_allowed', `${address}: refused, and the page can read why`)
    }
    assert.equal(await told('http://localhost:3000/', true), '403 origin_not_allowed', 'a sandboxed frame says null')
    const path = await put({ origins: ['http://localhost:3000/shop'] })
    assert.equal(path.error?.code, 'invalid_origin')
  } finally {
    await browser.close()
  }
})

/** The snippet contains the service's address, so we need the port before we open the house. */
test('the snippet as it is given, in a page of another origin; and the pinned copy with its integrity value', {
  skip,
}, async () => {
  const port = await freePort()
  const service = `http://127.0.0.1:${port}`
  await using house = await openHouse({ settings: { 'Http:PublicUrl': service } })
  await house.app.server.listen({ host: '127.0.0.1', port })
  const { apiKey: key } = await house.tenant()
  await house.ask('PUT', '/v1/origins', { key, body: { origins: ['http://shop.localhost'] } })
  await house.ask('PUT', '/v1/chat/brand', { key, body: { color: '#ffd500' } })
  const { snippet } = (await house.ask<{ snippet: string }>('POST', '/v1/embed', { key, body: { language: 'ka' } }))
    .body
  const { body: build } = await house.ask<{ pinnedPath: string; integrity: string }>('GET', '/widget/build')
  const pinned = `<script src="${service}${build.pinnedPath}" integrity="${build.integrity}" crossorigin defer></script>`
  const policy = `default-src 'none'; script-src ${service}; connect-src ${service}; require-trusted-types-for 'script'`
  const browser = await launch()
  try {
    for (const html of [snippet, snippet.replace(/<script.*<\/script>/, pinned)]) {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.route('http://shop.localhost/**', (route) =>
        route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': policy },
          body: `<!doctype html>${html}`,
        }),
      )
      await page.goto('http://shop.localhost/')
      const launcher = page.getByRole('button', { name: 'დაგვისვით კითხვა' })
      await launcher.waitFor({ timeout: 60_000 })
      // We ask from outside, because the page's policy forbids evaluating text in it.
      const colour = () =>
        page.evaluate(
          `getComputedStyle(document.querySelector('service-assistant').shadowRoot.querySelector('.launcher')).backgroundColor`,
        )
      for (let tries = 0; (await colour()) !== 'rgb(255, 213, 0)' && tries < 1_200; tries++)
        await page.waitForTimeout(50)
      assert.equal(await colour(), 'rgb(255, 213, 0)', 'it wears the brand')
      await launcher.click()
      await page.getByText('გამარჯობა! რით შემიძლია დაგეხმაროთ?').waitFor()
      assert.deepEqual(complaints, [])
      await page.close()
    }
  } finally {
    await browser.close()
  }
})
