// A person at the business writes: in an open window at once, in its place after a reload, and in place of the assistant once they have taken over.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { type Asked, complete, SESSION, type Step, told } from './scripted-service.ts'
import { openStage, type Stage, skip } from './stage.ts'
import { answersOf, ask, askAndRead, gate, launcherOf, openWith, until, wordsOf } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

const text = (markdown: string) => ({ type: 'text', markdown })
const message = (id: string, words: string, behind: string | null, name = 'Nino'): Step => ({
  frame: { type: 'message', id, from: { name }, text: words, at: '2026-11-21T09:30:00.000Z', after: behind },
})
const silent = (asked: Asked): Step[] => [
  { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
  { frame: complete(asked.requestId, [], { takenOver: true }) },
]
const watches = () => stage.service.seen.filter(({ body }) => body.watch === true)

/** Nothing more comes on this line. */
const quiet: Step = { waitMs: 600_000 }

/** Everything that is said in the window, from the top. */
const linesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...(document.querySelector('service-assistant')?.shadowRoot?.querySelectorAll('.scroller > ol > li') ?? [])]
      .filter((item) => item.checkVisibility())
      .map((item) => (item as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
  )

for (const language of ['en', 'ka'] as const) {
  test(`${language}: a person writes into an open window, takes over, and gives back`, { skip }, async () => {
    const words = wordsOf(language)
    const [written, handedBack] = [gate(), gate()]
    const ids: string[] = []
    stage.service.answer = (asked) => {
      ids.push(asked.requestId)
      return asked.prompt === 'are you there' || asked.prompt === 'thank you'
        ? silent(asked)
        : told(asked, [text(`Heard ${asked.prompt}.`)])
    }
    stage.service.watch = () => [
      { gate: written.passed },
      message('msg_1', 'I am Nino.\nHow can I help?', ids[0] ?? null),
      { gate: handedBack.passed },
      message('msg_2', 'Good bye', ids[2] ?? null),
      quiet,
    ]
    const visit = await stage.visit({ language })
    const { page } = visit
    const label = words.writes.replace('{}', 'Nino')
    await openWith(page)
    await askAndRead(page, 'hello')
    await until('the window watches', () => watches().length > 0)
    written.open()
    await answersOf(page).getByText('How can I help?').waitFor()
    assert.match((await linesOf(page)).at(-1) ?? '', new RegExp(`^${label} I am Nino. How can I help\\?$`))

    // From here on the assistant is silent.
    await ask(page, 'are you there')
    await answersOf(page).getByText(words.takenOver).waitFor()
    await ask(page, 'thank you')
    await until('it is said below the latest only', async () => {
      const lines = await linesOf(page)
      return lines.at(-1) === words.takenOver && lines.filter((line) => line === words.takenOver).length === 1
    })
    assert.equal(await page.locator('service-assistant .rating').count(), 1, 'nobody rates what nobody answered')
    handedBack.open()
    await answersOf(page).getByText('Good bye').waitFor()
    await askAndRead(page, 'and now')
    const said = await linesOf(page)
    assert.deepEqual(
      said.slice(-3).map((line) => line.replace(/^.*: /, '')),
      [`${label} Good bye`.replace(/^.*: /, ''), 'and now', 'Heard and now.'],
    )
    assert.deepEqual(visit.complaints, [])
    await visit.close()
  })
}

test('after a reload each message stands where it was written, once, and a closed window shows it when it is opened', {
  skip,
}, async () => {
  const ids: string[] = []
  stage.service.answer = (asked) => {
    ids.push(asked.requestId)
    return told(asked, [text(`Heard ${asked.prompt}.`)])
  }
  let steps: Step[] = [quiet]
  stage.service.watch = () => steps
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'one')
  await askAndRead(page, 'two')
  steps = [
    message('msg_1', 'First', ids[0] ?? ''),
    message('msg_2', 'Second', ids[0] ?? ''),
    message('msg_3', 'Third', ids[1] ?? ''),
  ]
  // The line ends and is asked for again, which tells everything once more.
  steps.push({ frame: { type: 'end' } })
  await page.reload()
  await answersOf(page).getByText('Third').waitFor()
  const asked = watches().length
  await until('it asked twice more', () => watches().length > asked + 1)
  assert.deepEqual(
    (await linesOf(page)).map((line) => line.replace(/^(You:|Nino writes:) /, '')),
    ['one', 'Heard one.', 'First', 'Second', 'two', 'Heard two.', 'Third'],
  )
  await page.getByRole('button', { name: wordsOf('en').close }).click()
  steps = [...steps.slice(0, -1), message('msg_4', 'While you were away', ids[1] ?? ''), quiet]
  await launcherOf(page).click()
  await answersOf(page).getByText('While you were away').waitFor()
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('what a person writes is text, and its addresses are links that lead nowhere else', { skip }, async () => {
  stage.service.answer = (asked) => told(asked, [text('Heard.')])
  const hostile = '<img src=x onerror=alert(1)> **not bold** (https://shop.example/a?b=1). javascript:alert(1)'
  stage.service.watch = () => [message('msg_1', hostile, null, '<b>$& Nino</b>'), quiet]
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'hello')
  const item = page.locator('service-assistant li.person')
  await item.waitFor()
  assert.equal((await item.innerText()).replace(/\s+/g, ' '), `<b>$& Nino</b> writes: ${hostile}`)
  assert.equal(await item.locator('img, b, strong').count(), 0)
  assert.deepEqual(await item.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href'))), [
    'https://shop.example/a?b=1',
  ])
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})

test('a new conversation shows nothing of the one before, also when it is still written to', { skip }, async () => {
  stage.service.answer = (asked) => told(asked, [text(`Heard ${asked.prompt}.`)])
  const late = gate()
  stage.service.watch = () => [{ gate: late.passed }, message('msg_1', 'Too late', null), { frame: { type: 'end' } }]
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'hello')
  await until('the window watches', () => watches().length > 0)
  await page.getByRole('button', { name: wordsOf('en').restart }).click()
  await until('it is empty', async () => (await linesOf(page)).length === 0)
  late.open()
  stage.service.answer = () => ({ status: 503, error: { code: 'model_unavailable', message: '' } })
  await ask(page, 'again')
  await page.getByRole('button', { name: wordsOf('en').retry }).waitFor()
  assert.equal(await page.getByText('Too late').count(), 0)
  await visit.close()
})
