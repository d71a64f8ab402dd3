// `node scripts/demo-picture.ts`: the picture in the README, taken of the running demo. Needs Debian's chromium.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'

const PORT = '8797'
const PICTURE = 'docs/demo.png'
const directory = mkdtempSync(path.join(tmpdir(), 'tether-picture-'))
const service = spawn(process.execPath, ['server/start.mjs', 'serve'], {
  env: { PATH: process.env.PATH, PORT, Database__DataDirectory: directory, Log__Level: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const gone = new Promise((resolve) => service.once('exit', resolve))
try {
  await answers(`http://localhost:${PORT}/demo`)
  await take()
  process.stdout.write(`wrote ${PICTURE}\n`)
} finally {
  service.kill('SIGTERM')
  await gone
  rmSync(directory, { recursive: true, force: true })
}

async function answers(url: string): Promise<void> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await pause(200)
  }
  throw new Error(`${url} did not answer within a minute.`)
}

async function take(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 760 }, deviceScaleFactor: 1 })
    await page.goto(`http://localhost:${PORT}/demo`)
    const assistant = page.locator('service-assistant')
    await assistant.getByRole('button').first().click()
    const box = assistant.getByRole('textbox')
    for (const [prompt, answer] of [
      ['Where is order A-17?', 'delivered'],
      ['Refund it', 'Nothing was done yet.'],
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
