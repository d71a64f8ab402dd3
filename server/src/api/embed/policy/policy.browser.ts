// Compares our reading of a policy with a browser's.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { chromium } from 'playwright-core'
import { CASES, CHAT, PAGE, SCRIPT } from './fixtures/policies.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}; run apt-get install chromium`

test('chromium loads and connects exactly where we say so', { skip }, async () => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    let policy = ''
    const reached = new Set<string>()
    const open = { 'access-control-allow-origin': '*' }
    await page.route('**/*', async (route) => {
      const url = route.request().url()
      reached.add(url)
      if (url !== PAGE) return await route.fulfill({ headers: open, contentType: 'text/javascript', body: '' })
      await route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': policy },
        body: `<!doctype html><script src="${SCRIPT}"></script><p>shop</p>`,
      })
    })
    for (const [given, mayLoad, mayConnect] of CASES) {
      policy = given
      reached.clear()
      await page.goto(PAGE)
      // In a sandbox without scripts, chromium fetches the script ahead but never runs it, so the network shows
      // nothing.
      if (given.startsWith('sandbox allow-forms')) continue
      assert.equal(reached.has(SCRIPT), mayLoad, `script under ${given}`)
      await page.evaluate((url) => fetch(url).then(String, String), CHAT)
      assert.equal(reached.has(CHAT), mayConnect, `connect under ${given}`)
    }
  } finally {
    await browser.close()
  }
})
