// The element in pages that paste it twice, move it, translate it, cover it and throw it away.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { complete, SESSION } from './scripted-service.ts'
import { openStage, type Stage, skip, snippetOf } from './stage.ts'
import { answersOf, ask, askAndRead, boxOf, gate, launcherOf, openWith, until } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

const visibleLaunchers = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('service-assistant')].filter(
        (e) => e.shadowRoot?.querySelector('.launcher')?.checkVisibility() === true,
      ).length,
  )

test('pasted twice, it stands once; when the first one goes, the second one takes its place', { skip }, async () => {
  const visit = await stage.visit({ snippet: `${snippetOf({}, 'SERVICE')}${snippetOf({}, 'SERVICE')}` })
  const { page } = visit
  await launcherOf(page).first().waitFor()
  assert.equal(await visibleLaunchers(page), 1)
  await page.evaluate(() => document.querySelector('service-assistant')?.remove())
  await until('the second one stands', async () => (await visibleLaunchers(page)) === 1)
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('made before the script came, with attributes and properties set late, it is what it was told to be', {
  skip,
}, async () => {
  const visit = await stage.visit({
    snippet: `<service-assistant></service-assistant>
      <script>
        const early = document.querySelector('service-assistant')
        early.getCustomerToken = () => 'token-set-early'
        addEventListener('load', () => setTimeout(() => {
          early.setAttribute('endpoint', 'SERVICE')
          early.setAttribute('publishable-key', 'tpk_${'2'.repeat(48)}')
          early.setAttribute('lang', 'ka-GE')
          early.setAttribute('launcher-label', 'მოგვწერეთ')
        }, 50))
      </script>
      <script src="SERVICE/widget/service-assistant.js" defer></script>`,
  })
  const { page } = visit
  await page.getByRole('button', { name: 'მოგვწერეთ' }).click()
  await askAndRead(page, 'hello')
  const asked = stage.service.seen.find(({ path }) => path === '/v1/chat/stream')
  assert.equal(asked?.headers['x-service-customer-token'], 'token-set-early')
  assert.equal(asked?.body.language, 'ka')
  await visit.close()
})

test('moved about in the page, open and in the middle of an answer, it loses nothing', { skip }, async () => {
  const more = gate()
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { frame: { type: 'delta', text: 'Before ' } },
    { gate: more.passed },
    { frame: { type: 'delta', text: 'and after.' } },
    { frame: complete(asked.requestId, [{ type: 'text', markdown: 'Before and after.' }]) },
  ]
  const visit = await stage.visit({ body: '<main><div id="a"></div><div id="b"></div></main>' })
  const { page } = visit
  await openWith(page)
  await ask(page, 'go')
  await answersOf(page).getByText('Before').waitFor()
  await page.evaluate(() => {
    const element = document.querySelector('service-assistant')
    for (const place of ['#a', '#b', 'main', 'body', '#a']) document.querySelector(place)?.append(element as Node)
  })
  assert.ok(await boxOf(page).isVisible(), 'still open')
  more.open()
  await answersOf(page).getByText('Before and after.').waitFor()
  assert.equal(stage.service.seen.filter(({ body }) => body.prompt === 'go').length, 1)
  // Taken out for longer, in the middle of the next answer, and put back: what was running is heard on.
  const late = gate()
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { frame: { type: 'delta', text: 'Second ' } },
    { gate: late.passed },
    { frame: complete(asked.requestId, [{ type: 'text', markdown: 'Second answer.' }]) },
  ]
  await ask(page, 'again')
  await answersOf(page).getByText('Second').waitFor()
  await page.evaluate(async () => {
    const element = document.querySelector('service-assistant')
    element?.remove()
    await new Promise((resolve) => setTimeout(resolve, 50))
    document.body.append(element as Node)
  })
  late.open()
  await answersOf(page).getByText('Second answer.').waitFor()
  assert.equal(await answersOf(page).count(), 2)
  await visit.close()
})

const inside = (page: Page, selector: string): Promise<boolean> =>
  page.locator(`service-assistant ${selector}`).evaluate((e) => {
    const { top, left, bottom, right } = e.getBoundingClientRect()
    const host = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return (
      top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && host?.localName === 'service-assistant'
    )
  })

test('in a page that transforms its body and scrolls, launcher and window stay in sight', { skip }, async () => {
  const visit = await stage.visit({
    head: '<style>body { transform: translateZ(0); min-height: 3000px; margin: 0 }</style>',
  })
  const { page } = visit
  await launcherOf(page).waitFor()
  assert.ok(await inside(page, '.launcher'))
  await page.evaluate(() => scrollTo(0, 1500))
  assert.ok(await inside(page, '.launcher'))
  await openWith(page)
  assert.ok(await inside(page, '.panel'))
  await page.keyboard.press('Escape')
  await launcherOf(page).waitFor()
  assert.ok(await inside(page, '.launcher'))
  await visit.close()
})

test('the window lies above every z-index of the page; the launcher gives way to a banner', { skip }, async () => {
  const visit = await stage.visit({
    body: `<main>Shop</main><div id="banner" style="position:fixed;inset:auto 0 0;height:90px;background:#ccc;z-index:5000">Cookies?</div>
      <div id="over" style="position:fixed;inset:0;z-index:2147483647;background:#fffa;pointer-events:none"></div>`,
  })
  const { page } = visit
  await launcherOf(page).waitFor()
  assert.ok(!(await inside(page, '.launcher')), 'what the page puts on top stays on top')
  await page.evaluate(() => document.querySelector('#banner')?.remove())
  await openWith(page)
  assert.ok(await inside(page, '.panel'))
  await visit.close()
})

test('opened and closed a hundred times, made and thrown away a hundred times, it leaves nothing behind', {
  skip,
}, async () => {
  const visit = await stage.visit()
  const { page } = visit
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const measure = async () => {
    await client.send('HeapProfiler.collectGarbage')
    await client.send('HeapProfiler.collectGarbage')
    const { metrics } = await client.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return { nodes: of('Nodes'), listeners: of('JSEventListeners'), heap: of('JSHeapUsedSize') }
  }
  const cycle = (times: number) =>
    page.evaluate(async (count) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let at = 0; at < count; at++) {
        const element = document.querySelector('service-assistant') as HTMLElement & { open(): void; close(): void }
        element.open()
        if (at % 10 === 0) await frame()
        element.close()
        const other = element.cloneNode() as typeof element
        document.body.append(other)
        other.open()
        other.remove()
        await Promise.resolve()
      }
      await frame()
    }, times)
  await openWith(page)
  await page.keyboard.press('Escape')
  await cycle(10)
  await page.waitForLoadState('networkidle')
  const first = await measure()
  await cycle(100)
  let last = await measure()
  // A reading of the brand that is still under way holds its element until it is answered.
  await until('all of it is let go', async () => {
    last = await measure()
    return last.nodes - first.nodes < 60
  }).catch(() => assert.fail(`nodes: ${first.nodes} → ${last.nodes}`))
  assert.ok(last.listeners - first.listeners < 20, `listeners: ${first.listeners} → ${last.listeners}`)
  assert.ok(last.heap - first.heap < 1_000_000, `heap: ${first.heap} → ${last.heap}`)
  await visit.close()
})

test('a thousand deltas are drawn with the screen, not with each delta', { skip }, async () => {
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    ...Array.from({ length: 1000 }, (_, at) => ({
      frame: { type: 'delta', text: `word ${at} ${at % 40 === 39 ? '\n\n' : ''}` },
    })),
    { frame: complete(asked.requestId, [{ type: 'text', markdown: 'Short in the end.' }]) },
  ]
  const visit = await stage.visit({
    before: `
      globalThis.frames = 0; globalThis.draws = 0
      const count = () => { frames++; requestAnimationFrame(count) }
      requestAnimationFrame(count)
      const replace = Element.prototype.replaceChildren
      Element.prototype.replaceChildren = function (...nodes) { if (this.matches?.('.text > div')) draws++; return replace.apply(this, nodes) }`,
  })
  await openWith(visit.page)
  const before = await visit.page.evaluate('frames')
  await askAndRead(visit.page, 'long')
  const [frames, draws] = (await visit.page.evaluate('[frames, draws]')) as [number, number]
  assert.ok(draws > 1 && draws <= frames - Number(before) + 2, `${draws} draws in ${frames - Number(before)} frames`)
  assert.equal(
    await answersOf(visit.page).locator('.text').innerText(),
    'Short in the end.',
    'the finished blocks count',
  )
  await visit.close()
})
