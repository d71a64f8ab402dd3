// What the widget must never do to a page, and what a page's own walls must not do to the widget.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { told } from './scripted-service.ts'
import { openStage, type Stage, skip } from './stage.ts'
import { askAndRead, boxOf, launcherOf, openWith, wordsOf } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

const STRICT = "default-src 'none'; script-src SERVICE; connect-src SERVICE; require-trusted-types-for 'script'"

/** One of each: blocks, proposals, sources, label; every text of it is `text`. */
const everythingSays = (text: string) => ({
  blocks: [
    { type: 'text', markdown: text },
    { type: 'kpi', label: text, value: text, unit: text, delta: text, trend: text },
    { type: 'table', title: text, columns: [{ key: text, label: text }], rows: [{ [text]: text }] },
    { type: 'ranked_list', title: text, items: [{ label: text, value: text, detail: text, url: text }] },
    { type: 'stacked_bar', title: text, categories: [text], series: [{ name: text, values: [text] }] },
    { type: 'quick_replies', replies: [{ label: text, prompt: text }] },
    { type: 'footnote', text, url: text },
    { type: text, text },
  ],
  meta: {
    preview: true,
    previewSources: [text],
    sources: [{ kind: 'page', title: text, url: text }],
    handoff: { trigger: 'assistant', reason: text, summary: text },
    proposals: [
      {
        actionId: text,
        tool: text,
        title: text,
        summary: text,
        risk: 'low',
        arguments: { [text]: text },
        expiresAt: text,
      },
      { actionId: 'a', title: text, summary: text, arguments: {}, expiresAt: text, confirmationToken: text },
    ],
  },
})

const HOSTILE = [
  '<script>globalThis.pwned = 1</script>',
  '<img src=x onerror="globalThis.pwned = 1">',
  '"><img src=x onerror=pwned=1>',
  "'><svg onload=pwned=1>",
  '<svg><script>pwned=1</script></svg>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<a href="javascript:pwned=1">x</a>',
  '[click](javascript:pwned=1)',
  '[click](JaVaScRiPt:pwned=1)',
  '[click](data:text/html,<script>pwned=1</script>)',
  '[click](vbscript:pwned=1)',
  '![x](javascript:pwned=1)',
  '![x](https://foreign.example/track.png)',
  '[a](https://x.example/"onmouseover="pwned=1)',
  '`<img src=x onerror=pwned=1>`',
  '```\n<script>pwned=1</script>\n```',
  '| <img src=x onerror=pwned=1> | b |\n|---|---|\n| <script>pwned=1</script> | c |',
  '# <style>*{display:none}</style>',
  '<style>@import url(https://foreign.example/a.css)</style>',
  '<link rel=stylesheet href=https://foreign.example/a.css>',
  '<base href="https://foreign.example/"><form action=x><input autofocus onfocus=pwned=1>',
  '\u202eevil\u2066<b onclick=pwned=1>\u0000\ufeff',
  '{{constructor.constructor("pwned=1")()}} <%= pwned=1 %>',
  '__proto__',
  `${'<'.repeat(2000)}${'**'.repeat(2000)}${'['.repeat(2000)}${'`'.repeat(2000)}${'> '.repeat(500)}x`,
]

test('25 hostile strings in every text that is shown: nothing runs, nothing is fetched, nothing becomes markup', {
  skip,
}, async () => {
  assert.equal(HOSTILE.length, 25)
  let hostile = ''
  stage.service.answer = (asked) => {
    const { blocks, meta } = everythingSays(hostile)
    return told(asked, blocks, { meta })
  }
  for (const [at, text] of HOSTILE.entries()) {
    // Every fifth goes into the page's own words too, which takes a page of its own.
    if (at % 5 !== 0) continue
    hostile = text
    const shown = text.replaceAll('\u0000', '')
    const visit = await stage.visit({
      csp: STRICT,
      attributes: {
        greeting: shown,
        placeholder: shown,
        'launcher-label': shown,
        strings: JSON.stringify({ title: shown, you: shown, proposal: shown, sources: shown, helpful: shown }),
      },
    })
    await openWith(visit.page)
    for (const each of HOSTILE.slice(at, at + 5)) {
      hostile = each
      await askAndRead(visit.page, each.replaceAll('\u0000', '').slice(0, 3000))
    }
    const inside = await visit.page.evaluate(() => {
      const root = document.querySelector('service-assistant')?.shadowRoot
      const all = [...(root?.querySelectorAll('*') ?? [])]
      return {
        pwned: 'pwned' in globalThis,
        foreign: all
          .filter((e) => /^(script|iframe|style|link|base|object|embed|img)$/i.test(e.tagName))
          .map((e) => e.outerHTML),
        handlers: all
          .filter((e) =>
            e
              .getAttributeNames()
              .some((name) => name.startsWith('on') || (name === 'style' && /url/.test(e.getAttribute('style') ?? ''))),
          )
          .map((e) => e.outerHTML),
        links: all.flatMap((e) => (e instanceof HTMLAnchorElement ? [e.protocol + e.rel] : [])),
      }
    })
    assert.deepEqual({ ...inside, links: [] }, { pwned: false, foreign: [], handlers: [], links: [] })
    for (const link of inside.links) assert.match(link, /^(https?:|mailto:|tel:)noopener noreferrer nofollow$/)
    assert.deepEqual(visit.complaints, [])
    const foreign = visit.requests.filter((line) => !line.includes(stage.origin) && !line.includes(stage.service.url))
    assert.deepEqual(foreign, [])
    await visit.close()
  }
})

const HOLDS_UP: readonly (readonly [what: string, text: string])[] = [
  ['links without an end', '[a]('.repeat(7500)],
  ['pictures without an end', '![a]('.repeat(6000)],
  ['brackets without an end', `${'['.repeat(499)}](`.repeat(60)],
  ['an address without an end', `${'[a](b'.repeat(1000)}${' '.repeat(20_000)}`],
  ['backticks', `${'`'.repeat(15_000)}${'x'.repeat(15_000)}`],
  ['a divider that is none', `|a|\n|${'-'.repeat(30_000)}x`],
  ['a thousand columns and their rows', `${'|a'.repeat(1000)}\n${'|-'.repeat(1000)}\n${'|\n'.repeat(300)}`],
]

test('a text that is made to hold a page up holds nothing up', { skip }, async () => {
  const visit = await stage.visit()
  await openWith(visit.page)
  // What the thread of the page worked, and not how long it waited for a processor.
  const devtools = await visit.page.context().newCDPSession(visit.page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  for (const [what, text] of HOLDS_UP) {
    stage.service.answer = (asked) => told(asked, [{ type: 'text', markdown: text }])
    const started = await workedMs()
    await askAndRead(visit.page, what)
    const worked = (await workedMs()) - started
    assert.ok(worked < 3000, `${what}: ${Math.round(worked)} ms`)
  }
  await visit.close()
})

test('a strict policy with trusted types: a whole conversation without one violation', { skip }, async () => {
  const { blocks, meta } = everythingSays('12')
  stage.service.answer = (asked) => told(asked, blocks, { meta })
  const visit = await stage.visit({
    csp: STRICT,
    before: `globalThis.violations = []; addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective + ' ' + e.blockedURI))`,
  })
  const { page } = visit
  const words = wordsOf('en')
  await openWith(page)
  await askAndRead(page, 'all')
  await page.getByRole('button', { name: words.confirm, exact: true }).click()
  await page.locator('.rating button').first().click()
  await page.locator('.rating textarea').fill('fine')
  await page.getByRole('button', { name: words.close }).click()
  assert.deepEqual(await page.evaluate('violations'), [])
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('before the launcher opens there is one request for the brand, and none when the page names its colour', {
  skip,
}, async () => {
  const visit = await stage.visit()
  await launcherOf(visit.page).waitFor()
  await visit.page.waitForLoadState('networkidle')
  const [, ...own] = visit.requests
  assert.deepEqual(own, [
    `GET ${stage.service.url}/widget/service-assistant.js`,
    `GET ${stage.service.url}/v1/chat/brand`,
  ])
  await visit.close()
  const coloured = await stage.visit({ head: '<style>service-assistant { --service-accent: #402060 }</style>' })
  await launcherOf(coloured.page).waitFor()
  await coloured.page.waitForLoadState('networkidle')
  assert.deepEqual(coloured.requests.slice(1), [`GET ${stage.service.url}/widget/service-assistant.js`])
  assert.equal(await launcherOf(coloured.page).evaluate((e) => getComputedStyle(e).color), 'rgb(255, 255, 255)')
  await coloured.close()
})

test('nothing is kept before the first message: no storage, no cookie, whatever is opened and typed', {
  skip,
}, async () => {
  const visit = await stage.visit()
  const { page } = visit
  const kept = async () =>
    await page.evaluate(async () => [
      localStorage.length,
      sessionStorage.length,
      document.cookie,
      (await indexedDB.databases()).length,
      (await caches.keys()).length,
    ])
  await openWith(page)
  await boxOf(page).fill('a draft')
  await page.getByRole('button', { name: 'Close' }).click()
  await launcherOf(page).click()
  assert.equal(await boxOf(page).inputValue(), 'a draft', 'a draft outlives closing')
  assert.deepEqual(await kept(), [0, 0, '', 0, 0])
  await askAndRead(page, 'now')
  assert.deepEqual(await kept(), [0, 1, '', 0, 0])
  const foreign = visit.requests.filter((line) => !line.includes(stage.origin) && !line.includes(stage.service.url))
  assert.deepEqual(foreign, [])
  await visit.close()
})

test('a page in a sandbox without storage, and one whose service is away, break nothing', { skip }, async () => {
  const visit = await stage.visit({
    before: `Object.defineProperty(globalThis, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError') } })`,
  })
  await openWith(visit.page)
  assert.match(await (await askAndRead(visit.page, 'hello')).innerText(), /hello/)
  assert.deepEqual(visit.complaints, [])
  await visit.close()
  const away = await stage.visit({ attributes: { endpoint: 'http://127.0.0.1:9' } })
  await openWith(away.page)
  await boxOf(away.page).fill('anyone?')
  await boxOf(away.page).press('Enter')
  await away.page.getByRole('button', { name: wordsOf('en').retry }).waitFor()
  assert.ok(!away.complaints.some((line) => line.startsWith('error:')))
  await away.close()
})

test('no look of the page comes in: capitals, spacing, colours, box sizes', { skip }, async () => {
  const visit = await stage.visit({
    language: 'ka',
    head: `<style>* { text-transform: uppercase !important; letter-spacing: 9px; box-sizing: content-box; color: red }
      body { font: 40px cursive; text-align: right; white-space: pre; visibility: visible; line-height: 3 }</style>`,
  })
  await openWith(visit.page)
  // The greeting, not a button: browsers give buttons a look of their own.
  const look = await visit.page.locator('.scroller > p').evaluate((e) => {
    const { textTransform, letterSpacing, color, fontSize, textAlign, whiteSpace, lineHeight } = getComputedStyle(e)
    return { textTransform, letterSpacing, color, fontSize, textAlign, whiteSpace, lineHeight }
  })
  assert.deepEqual(look, {
    textTransform: 'none',
    letterSpacing: 'normal',
    color: 'rgb(27, 36, 35)',
    fontSize: '15px',
    textAlign: 'start',
    whiteSpace: 'normal',
    lineHeight: '22.5px',
  })
  await visit.close()
})
