// The widget for whoever does not see it, does not use a mouse, or holds it in one hand.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import test, { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { GALLERY } from './gallery.ts'
import { complete, SESSION, told } from './scripted-service.ts'
import { openStage, type Stage, skip } from './stage.ts'
import { answersOf, ask, askAndRead, boxOf, gate, launcherOf, openWith, until, wordsOf } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]; passes: unknown[] }

async function accessible(page: Page, state: string): Promise<void> {
  // What moves is looked at when it stands still.
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'] })`,
  )) as Found
  const said = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary + node.html)}`)
  assert.deepEqual(said, [], state)
  assert.ok(found.passes.length > 8, `${state}: axe looked at something`)
}

for (const language of ['en', 'ka'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${language}, ${colorScheme}: axe finds nothing in any state`, { skip }, async () => {
      const words = wordsOf(language)
      const [middle, written] = [gate(), gate()]
      const person = {
        type: 'message',
        id: 'msg_1',
        from: { name: 'Nino' },
        text: 'See https://shop.example',
        after: null,
      }
      stage.service.watch = () => [{ gate: written.passed }, { frame: person }, { waitMs: 600_000 }]
      const visit = await stage.visit({
        language,
        context: { colorScheme, reducedMotion: 'reduce' },
        body: '<header>Shop</header><main><h1>Boots</h1></main><footer>Tbilisi</footer>',
        head: `<style>body { background: ${colorScheme === 'dark' ? '#111; color: #eee' : '#fff'} }</style>`,
      })
      const { page } = visit
      await page.evaluate(AXE)
      await launcherOf(page).waitFor()
      await accessible(page, 'launcher')
      await openWith(page)
      await accessible(page, 'open and empty')
      stage.service.answer = (asked) => [
        { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
        { frame: { type: 'delta', text: 'It is **being' } },
        { gate: middle.passed },
        { frame: complete(asked.requestId, [{ type: 'text', markdown: 'It is **being** said.' }]) },
      ]
      await ask(page, 'stream')
      await answersOf(page).getByText('It is').waitFor()
      await accessible(page, 'streaming')
      middle.open()
      await page.locator('.rating').waitFor()
      const { blocks, meta, prompt } = GALLERY[language]
      stage.service.answer = (asked) => told(asked, blocks, { meta })
      await askAndRead(page, prompt)
      await page.locator('summary').click()
      await accessible(page, 'every block, proposals, sources')
      await page.locator('section.card').first().getByRole('button').first().click()
      await page.getByText(words.done).first().waitFor()
      await page.locator('.rating').last().getByRole('button').first().click()
      await page.locator('.rating textarea').last().waitFor()
      await accessible(page, 'confirmed and rated')
      written.open()
      await page.locator('li.person').waitFor()
      stage.service.answer = ({ requestId }) => [
        { frame: { type: 'start', requestId, sessionId: SESSION } },
        { frame: complete(requestId, [], { takenOver: true }) },
      ]
      await ask(page, 'thank you')
      await answersOf(page).getByText(words.takenOver).waitFor()
      await accessible(page, 'a person writes, and has taken over')
      stage.service.answer = () => ({ status: 500, error: { code: 'internal_error', message: '' } })
      await ask(page, 'fail')
      await page.locator('[role=alert] .chip').waitFor()
      await page.context().setOffline(true)
      await page.getByText(words.offline).waitFor()
      await accessible(page, 'failed and offline')
      await page.context().setOffline(false)
      await visit.close()
    })
  }

  test(`${language}: a screen reader is given this tree`, { skip }, async () => {
    const { blocks, meta, prompt } = GALLERY[language]
    stage.service.answer = (asked) => told(asked, blocks, { meta })
    const visit = await stage.visit({ language, context: { timezoneId: 'Asia/Tbilisi' } })
    const { page } = visit
    await launcherOf(page).waitFor()
    const closed = await launcherOf(page).ariaSnapshot()
    await openWith(page)
    await askAndRead(page, prompt)
    const open = await page.locator('service-assistant .panel').ariaSnapshot()
    const file = path.join(import.meta.dirname, 'golden', `${language}.txt`)
    const seen = `${closed}\n\n${open}\n`
    if (!existsSync(file)) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, seen)
      assert.fail(`${file} was missing and is written now: read it, then run again`)
    }
    assert.equal(seen, readFileSync(file, 'utf8'), `if it is meant to differ, delete ${file} and run again`)
    await visit.close()
  })
}

test('with the keyboard alone: in, about, out, and back to where one was', { skip }, async () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement
      return (
        inside?.getAttribute('part') ?? inside?.getAttribute('title') ?? inside?.className ?? document.activeElement?.id
      )
    })
  const visit = await stage.visit({ body: '<main><button id="first">Buy</button></main>' })
  const { page } = visit
  let escapes = 0
  await page.exposeFunction('escaped', () => escapes++)
  await page.evaluate(`document.addEventListener('keydown', (e) => { if (e.key === 'Escape') escaped() })`)
  await launcherOf(page).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'first')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'launcher')
  await page.keyboard.press('Enter')
  assert.equal(await focused(page), 'input')
  await page.keyboard.type('line one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('line two')
  // While a word is being composed, Enter belongs to the keyboard of the language.
  await boxOf(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  assert.equal(await answersOf(page).count(), 0)
  await page.keyboard.press('Enter')
  await page.locator('.rating').waitFor()
  assert.equal(await page.locator('.question').innerText(), 'line one\nline two')
  assert.equal(await focused(page), 'input')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'send')
  for (const expected of ['Not helpful', 'Helpful', 'transcript', 'Close', 'New conversation']) {
    if (expected === 'Not helpful') await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await focused(page), expected)
  }
  await page.keyboard.press('Escape')
  assert.equal(await focused(page), 'launcher')
  assert.equal(escapes, 0, 'the page’s own Escape was not meant')
  assert.equal(await boxOf(page).isVisible(), false, 'what is closed is not read out either')
  await visit.close()
})

test('what is said aloud: that it thinks, then the whole answer once; a failure as an alert', { skip }, async () => {
  const visit = await stage.visit({
    before: `
      globalThis.said = []
      const attach = Element.prototype.attachShadow
      Element.prototype.attachShadow = function (init) {
        const root = attach.call(this, init)
        new MutationObserver((changes) => {
          for (const { target } of changes) if (target.getAttribute?.('role') === 'status') said.push(target.textContent)
        }).observe(root, { subtree: true, childList: true, characterData: true })
        return root
      }`,
  })
  const { page } = visit
  stage.service.answer = (asked) => told(asked, [{ type: 'text', markdown: 'One two three four five.' }])
  await openWith(page)
  await askAndRead(page, 'count')
  assert.deepEqual(await page.evaluate('said'), ['Thinking…', 'One two three four five.'])
  assert.equal(await page.locator('[aria-live], [role=log]').count(), 0, 'the transcript is no live region')
  stage.service.answer = () => ({ status: 500, error: { code: 'internal_error', message: '' } })
  await ask(page, 'fail')
  await page.locator('.end[role=alert]').waitFor()
  await visit.close()
})

for (const language of ['en', 'ka'] as const) {
  test(`${language}: on a telephone it fills what the keyboard leaves, and nothing runs out of it`, {
    skip,
  }, async () => {
    const { blocks, meta, prompt } = GALLERY[language]
    stage.service.answer = (asked) => told(asked, blocks, { meta })
    const visit = await stage.visit({
      language,
      context: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
    })
    const { page } = visit
    await launcherOf(page).tap()
    const box = boxOf(page)
    await box.waitFor()
    const panel = page.locator('service-assistant .panel')
    assert.ok(
      await panel.evaluate((e) => (e.getRootNode() as ShadowRoot).activeElement === e),
      'no keyboard comes up by itself',
    )
    assert.equal(await box.evaluate((e) => getComputedStyle(e).fontSize), '16px', 'or the page would zoom in')
    await askAndRead(page, prompt)
    assert.deepEqual(await panel.boundingBox(), { x: 0, y: 0, width: 360, height: 640 })
    await page.setViewportSize({ width: 360, height: 380 })
    await until('it follows the keyboard', async () => (await panel.boundingBox())?.height === 380)
    const wide = await panel.evaluate((e) =>
      [...e.querySelectorAll('*')]
        .filter((each) => each.getBoundingClientRect().right > 361 && each.closest('.wide, pre') === null)
        .map((each) => each.outerHTML.slice(0, 80)),
    )
    assert.deepEqual(wide, [])
    const small = await panel.evaluate((e) =>
      [...e.querySelectorAll('button')]
        .filter((each) => each.checkVisibility() && Math.min(each.offsetWidth, each.offsetHeight) < 24)
        .map((each) => each.outerHTML.slice(0, 80)),
    )
    assert.deepEqual(small, [], 'a thumb hits every button')
    await visit.close()
  })
}

test('less motion where less is asked for', { skip }, async () => {
  const never = gate()
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { gate: never.passed },
  ]
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const visit = await stage.visit({ context: { reducedMotion } })
    await openWith(visit.page)
    await ask(visit.page, 'wait')
    const running = () =>
      visit.page
        .locator('.waiting')
        .last()
        .evaluate((e) => e.getAnimations().length)
    await until(reducedMotion, async () => (await running()) === (reducedMotion === 'reduce' ? 0 : 1))
    await visit.close()
  }
  never.open()
})
