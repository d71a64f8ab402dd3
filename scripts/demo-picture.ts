// `node scripts/demo-picture.ts`: the picture in the README, taken of the running demo. Needs Debian's chromium.
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { openRunningDemo } from '../server/testkit/running-demo.ts'

const PICTURE = 'docs/demo.png'
await using demo = await openRunningDemo()
await take()
process.stdout.write(`wrote ${PICTURE}\n`)

async function take(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 760 }, deviceScaleFactor: 1 })
    await page.goto(`${demo.url}/demo`)
    await page.getByRole('button', { name: 'Sign in as Nino' }).click()
    const assistant = page.locator('service-assistant')
    await assistant.getByRole('button').first().click()
    const box = assistant.getByRole('textbox')
    for (const [prompt, answer] of [
      ['Where is order A-17?', 'delivered'],
      ['Refund it', 'Nothing has been done yet.'],
    ] as const) {
      await box.fill(prompt)
      await box.press('Enter')
      await assistant.getByText(answer).last().waitFor()
    }
    await pause(600)
    await page.screenshot({ path: PICTURE })
  } finally {
    await browser.close()
  }
}
