// Every page of ours, as a screen reader and a keyboard meet it: on a phone and on a desk, light and dark, with its own policy.
// The widget and the demo have journeys of their own (demo.browser.ts, widget/testing).
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after, before } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { MODULES } from './modules.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : 'there is no chromium here (apt-get install chromium)'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let house: OpenHouse
let browser: Browser
let url = ''
before(async () => {
  if (skip !== false) return
  // Only where sandboxes are on is there a page to try one.
  house = await openHouse({
    modules: MODULES,
    settings: { 'PreviewSandbox:Enabled': 'true', 'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956' },
  })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const address = house.app.server.server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  await house.close()
})

/** Whatever answers HTML is a page, so that a new one is walked without being named here. The documents have a walk of their own. */
const pagesOf = (): string[] =>
  house.app.routes
    .filter(({ method, answers }) => method === 'GET' && answers[200]?.text === 'text/html')
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('/docs'))

/** Each fault with the places where it is. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' x' + nodes.length + ' ' + nodes[0].target))`,
  )

test('no page of ours has an axe fault, in either language, at either width, in either scheme', { skip }, async () => {
  const pages = pagesOf()
  for (const known of ['/', '/swagger', '/account/confirm', '/account/recover']) assert.ok(pages.includes(known), known)
  for (const [width, colorScheme] of [
    [360, 'light'],
    [1280, 'dark'],
  ] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
    const noise: string[] = []
    page.on('pageerror', (error) => noise.push(error.message))
    page.on('console', (message) => noise.push(message.text()))
    page.on('request', (request) => request.url().startsWith(url) || noise.push(request.url()))
    for (const path of pages) {
      for (const language of path === '/swagger' ? ['en'] : ['en', 'ka']) {
        await page.goto(`${url}${path}${path === '/swagger' ? '' : `?lang=${language}`}`)
        const where = `${path} ${language} ${width} ${colorScheme}`
        assert.deepEqual(await faultsOf(page), [], where)
        assert.deepEqual(noise, [], where)
        const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(overflow, false, `${where} scrolls sideways`)
      }
    }
    await page.close()
  }
})
