// `node widget/testing/screenshots.ts <folder>`: every state in both languages and both schemes, to be looked at.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { GALLERY } from './gallery.ts'
import { told } from './scripted-service.ts'
import { openStage } from './stage.ts'
import { askAndRead, launcherOf, openWith, wordsOf } from './visitor.ts'

const folder = process.argv[2] ?? 'tmp/screenshots'
const PHONE = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }
const DESK = { viewport: { width: 1000, height: 700 } }

mkdirSync(folder, { recursive: true })
const stage = await openStage()
for (const language of ['en', 'ka'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, size] of Object.entries({ phone: PHONE, desk: DESK })) {
      const { blocks, meta, prompt } = GALLERY[language]
      stage.service.answer = (asked) => told(asked, blocks, { meta })
      const dark = colorScheme === 'dark' ? 'background: #0c1110; color: #ddd' : ''
      const visit = await stage.visit({
        language,
        context: { ...size, colorScheme },
        head: `<style>body { font: 16px sans-serif; ${dark} }</style>`,
      })
      const { page } = visit
      let number = 0
      const shoot = () =>
        page.screenshot({ path: path.join(folder, `${language}-${colorScheme}-${device}-${number++}.png`) })
      await launcherOf(page).waitFor()
      await shoot()
      await openWith(page)
      await askAndRead(page, prompt)
      const scroller = page.locator('.scroller')
      for (const part of [0, 1, 2]) {
        await scroller.evaluate((e, at) => e.scrollTo(0, at * (e.clientHeight - 60)), part)
        await page.waitForTimeout(80)
        await shoot()
      }
      const words = wordsOf(language)
      await page.locator('section.card button').first().click()
      await page.getByText(words.done).first().waitFor()
      await page.locator('.rating .down').click()
      await page.locator('.rating textarea').waitFor()
      stage.service.answer = () => ({ status: 500, error: { code: 'internal_error', message: '' } })
      await page.locator('summary').click()
      await page.locator('textarea[part=input]').fill(`${prompt}\n${prompt}`)
      await page.context().setOffline(true)
      await page.waitForTimeout(100)
      await scroller.evaluate((e) => e.scrollTo(0, e.scrollHeight))
      await page.waitForTimeout(80)
      await shoot()
      await visit.close()
    }
  }
}
await stage.close()
