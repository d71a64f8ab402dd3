// A proposal that somebody at the business decided: while the window is open, at the next turn, and after a reload.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { type Asked, SESSION, told } from './scripted-service.ts'
import { openStage, type Stage, skip, snippetOf } from './stage.ts'
import { answersOf, ask, askAndRead, boxOf, gate, openWith, until, wordsOf } from './visitor.ts'

let stage: Stage
before(async () => {
  if (skip === false) stage = await openStage()
})
after(async () => await stage?.close())
beforeEach(() => stage?.service.reset())

const PROPOSAL = {
  actionId: '0197a000-0000-7000-8000-000000000001',
  tool: 'cancel_order',
  title: 'Cancel order A-1001',
  risk: 'low',
  arguments: { order_number: 'A-1001' },
  confirmationToken: `tac_${'a'.repeat(48)}`,
}
const text = (markdown: string) => ({ type: 'text', markdown })

test('a proposal that was decided waits no longer: at the next turn its card says what became of it', {
  skip,
}, async () => {
  const { actionId } = PROPOSAL
  stage.service.answer = (asked) =>
    asked.prompt === 'refund'
      ? told(asked, [text('Proposed.')], { meta: { proposals: [PROPOSAL] } })
      : told(asked, [text('Well.')], { meta: { decisions: [{ actionId, status: 'rejected', text: 'Declined.' }] } })
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'refund')
  const card = page.locator('section.card')
  assert.equal(await card.getByRole('button').count(), 2)
  await askAndRead(page, 'and?')
  await card.getByText('Declined.').waitFor()
  assert.equal(await card.getByRole('button').count(), 0, 'there is nothing left to press')
  await card.getByRole('heading', { name: PROPOSAL.title }).waitFor()
  await visit.close()
})

const decision = (status: string, words: string) => ({
  frame: { type: 'decision', actionId: PROPOSAL.actionId, status, reason: null, text: words },
})
const { confirmationToken: _, ...WAITING } = PROPOSAL
const proposes = (asked: Asked) =>
  asked.prompt === 'refund'
    ? told(asked, [text('Proposed.')], { meta: { proposals: [WAITING] } })
    : told(asked, [text('Well.')])
const watches = () => stage.service.seen.filter(({ body }) => body.watch === true)

for (const language of ['en', 'ka'] as const) {
  test(`${language}: an open card changes when the write is decided, without being asked`, { skip }, async () => {
    const words = wordsOf(language)
    const decided = gate()
    stage.service.answer = proposes
    stage.service.watch = () => [{ gate: decided.passed }, decision('executed', 'Paid back.'), { waitMs: 600_000 }]
    const visit = await stage.visit({ language })
    const { page } = visit
    await openWith(page)
    await askAndRead(page, 'refund')
    const card = page.locator('section.card')
    await card.getByText(words.waiting).waitFor()
    await until('the window watches', () => watches().length === 1)
    assert.deepEqual(watches()[0]?.body, { sessionId: SESSION, watch: true, language })
    decided.open()
    await card.getByText('Paid back.').waitFor()
    assert.equal(await card.getByText(words.proposal, { exact: true }).count(), 0, 'nothing says that it waits')
    assert.match(await card.innerText(), /Cancel order A-1001/, 'and it still says what it was')
    assert.equal(watches().length, 1, 'one line tells all of it')
    assert.deepEqual(visit.complaints, [])
    await visit.close()
  })
}

test('after a reload a proposal shows what became of it; one that still waits says so and is watched on', {
  skip,
}, async () => {
  stage.service.answer = proposes
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'refund')
  stage.service.watch = () => [decision('rejected', 'Declined.'), { waitMs: 60_000 }]
  await page.reload()
  const card = page.locator('section.card')
  await card.getByText('Declined.').waitFor()
  assert.doesNotMatch(await card.innerText(), new RegExp(wordsOf('en').waiting))
  const late = gate()
  stage.service.watch = () => [{ gate: late.passed }, decision('executed', 'Paid back.')]
  await page.reload()
  await card.getByText(wordsOf('en').waiting).waitFor()
  late.open()
  await card.getByText('Paid back.').waitFor()
  await visit.close()
})

test('a watch that ends or fails is asked for again, and one that the service refuses is not', { skip }, async () => {
  stage.service.answer = proposes
  let times = 0
  stage.service.watch = () => {
    times++
    if (times === 1) return [{ frame: { type: 'end' } }]
    if (times === 2) return [{ cut: true }]
    if (times === 3) return { status: 429, error: { code: 'rate_limited', message: '' }, retryAfter: 1 }
    return { status: 403, error: { code: 'origin_not_allowed', message: '' } }
  }
  const visit = await stage.visit()
  await openWith(visit.page)
  await askAndRead(visit.page, 'refund')
  await until('it asked four times', () => times === 4)
  await visit.page.waitForTimeout(2500)
  assert.equal(times, 4)
  await visit.close()
})

/** What the window says to whoever hears it, from now on. */
const saidFrom = (page: Page) =>
  page.evaluate(() => {
    const status = document.querySelector('service-assistant')?.shadowRoot?.querySelector('[role=status]')
    if (!status) throw new Error('The window has no status.')
    const said: string[] = []
    Object.assign(globalThis, { said })
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) said.push(`${node.textContent}`)
    }).observe(status, { childList: true })
  })

test('a decision shows after a lost line; what a watch tells again nobody hears twice', { skip }, async () => {
  stage.service.answer = proposes
  const again = gate()
  let times = 0
  const later = { type: 'message', id: 'msg_1', from: { name: 'Ana' }, text: 'Later words', at: '2026-11-23T09:00:00Z' }
  stage.service.watch = () => {
    times++
    if (times === 1) return [{ cut: true }]
    if (times === 2) return [decision('indeterminate', 'Not known yet.'), { frame: { type: 'end' } }]
    return [
      { gate: again.passed },
      decision('indeterminate', 'Not known yet.'),
      { frame: { ...later, after: null } },
      { waitMs: 600_000 },
    ]
  }
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'refund')
  await page.locator('section.card').getByText('Not known yet.').waitFor()
  await until('it watches again', () => times === 3)
  await saidFrom(page)
  again.open()
  await page.getByText('Later words').first().waitFor()
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
  assert.deepEqual(
    said.map((words) => words.includes('Later words')),
    [true],
    said.join(' | '),
  )
  await visit.close()
})

// The second file may load where the first one may: by its address, or by the nonce that the first one came with.
const POLICIES = {
  'a nonce alone': { csp: "default-src 'none'; script-src 'nonce-abc'; connect-src SERVICE", loads: true },
  'a nonce and strict-dynamic': {
    csp: "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src SERVICE",
    loads: true,
  },
  'the one address of the first file': {
    csp: "default-src 'none'; script-src SERVICE/widget/service-assistant.js; connect-src SERVICE",
    loads: false,
  },
} as const

for (const [what, { csp, loads }] of Object.entries(POLICIES)) {
  test(`a policy of ${what}: the conversation works, ${loads ? 'and so does the second file' : 'without the second file'}`, {
    skip,
  }, async () => {
    stage.service.answer = proposes
    const visit = await stage.visit({
      csp,
      snippet: snippetOf({}, 'SERVICE').replace('<script ', '<script nonce="abc" '),
    })
    const { page } = visit
    await openWith(page)
    await ask(page, 'refund')
    await answersOf(page).getByText('Proposed.').waitFor()
    await page.locator('section.card').getByText(wordsOf('en').waiting).waitFor()
    await ask(page, 'and?')
    await answersOf(page).getByText('Well.').waitFor()
    if (loads) await page.locator('.rating').nth(1).waitFor()
    else assert.equal(await page.locator('.rating').count(), 0)
    await page.reload()
    await answersOf(page).getByText('Well.').waitFor()
    const card = page.locator('section.card')
    if (loads) await card.waitFor()
    else assert.equal(await card.isVisible(), false, 'what nobody can vouch for is not shown')
    await ask(page, 'still there?')
    await until('three were asked', () => stage.service.seen.filter(({ body }) => 'prompt' in body).length === 3)
    assert.ok(!visit.complaints.some((line) => line.startsWith('error:')), String(visit.complaints))
    await visit.close()
  })
}

test('where no model is set up the window says so before the first question', { skip }, async () => {
  for (const language of ['en', 'ka'] as const) {
    stage.service.offline = true
    const visit = await stage.visit({ language })
    await openWith(visit.page)
    await visit.page.getByText(wordsOf(language).noModel).waitFor()
    await visit.close()
    stage.service.offline = false
    const other = await stage.visit({ language })
    await openWith(other.page)
    await askAndRead(other.page, 'hello')
    assert.equal(await other.page.getByText(wordsOf(language).noModel).count(), 0)
    await other.close()
  }
})

const tokenOf = (sub: string) => `e30.${Buffer.from(JSON.stringify({ sub, name: 'ნინო?>' })).toString('base64url')}.x`
const signedIn = (customer: string | null) =>
  `globalThis.customer = ${JSON.stringify(customer && tokenOf(customer))}
   addEventListener('DOMContentLoaded', () => {
     document.querySelector('service-assistant').getCustomerToken = async () => globalThis.customer
   })`

test('a question that is asked while the page still says who is there is answered, not forgotten', {
  skip,
}, async () => {
  stage.service.answer = (asked) => told(asked, [text(`You asked: ${asked.prompt}`)])
  const visit = await stage.visit({ before: signedIn('nino') })
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'first')
  // The page takes its time: each one who asks for the token waits until it is let go, in the order of asking.
  await page.evaluate((token) => {
    const waiting: (() => void)[] = []
    Object.assign(globalThis, { waiting })
    const element = document.querySelector('service-assistant') as HTMLElement & { getCustomerToken: unknown }
    element.getCustomerToken = () => new Promise((resolve) => waiting.push(() => resolve(token)))
  }, tokenOf('dato'))
  const asking = (count: number) =>
    page.waitForFunction((most) => (globalThis as unknown as { waiting: unknown[] }).waiting.length === most, count)
  const letGo = () => page.evaluate(() => (globalThis as unknown as { waiting: (() => void)[] }).waiting.shift()?.())
  await asking(1)
  await ask(page, 'second')
  await asking(2)
  await letGo()
  await letGo()
  await answersOf(page).getByText('You asked: second').waitFor()
  await visit.close()
})

for (const [what, next] of [
  ['signing out', null],
  ['signing in as somebody else', tokenOf('dato')],
] as const) {
  test(`after ${what} the conversation of the earlier customer is gone, before anything is asked`, {
    skip,
  }, async () => {
    stage.service.answer = (asked) => told(asked, [text('Hello Nino.')])
    const visit = await stage.visit({ before: signedIn('nino') })
    const { page } = visit
    const gone = async (why: string) => {
      await until(why, async () => (await page.getByText('Hello Nino.').count()) === 0)
      assert.equal(await page.evaluate(() => sessionStorage.length), 0, 'nothing of it is kept')
    }
    await openWith(page)
    await askAndRead(page, 'who am I')
    // The page says so.
    await page.evaluate((token) => {
      const element = document.querySelector('service-assistant') as HTMLElement & { getCustomerToken: unknown }
      element.getCustomerToken = () => token
    }, next)
    await gone('the page said that somebody else is there')
    await page.evaluate((token) => {
      const element = document.querySelector('service-assistant') as HTMLElement & { getCustomerToken: unknown }
      element.getCustomerToken = () => token
    }, tokenOf('nino'))
    await askAndRead(page, 'who am I')
    // Only what the function answers has changed: the next look at the window finds out.
    await page.evaluate((token) => {
      const element = document.querySelector('service-assistant') as HTMLElement & { getCustomerToken: unknown }
      Object.assign(globalThis, { customer: token })
      element.getCustomerToken = async () => (globalThis as { customer?: unknown }).customer
    }, tokenOf('nino'))
    await answersOf(page).getByText('Hello Nino.').waitFor()
    await page.evaluate((token) => Object.assign(globalThis, { customer: token }), next)
    await page.mouse.move(5, 5)
    await page.locator('service-assistant .panel').hover()
    await gone('the visitor came back to the window')
    await visit.close()

    // Another page of the same visit, on which somebody else is signed in.
    const again = await stage.visit({ before: signedIn('nino') })
    await openWith(again.page)
    await askAndRead(again.page, 'who am I')
    await again.page.reload()
    await answersOf(again.page).getByText('Hello Nino.').waitFor()
    await again.page.addInitScript(
      `addEventListener('DOMContentLoaded', () => { globalThis.customer = ${JSON.stringify(next)} })`,
    )
    await again.page.reload()
    await boxOf(again.page).waitFor()
    await until('what was kept is gone', async () => (await again.page.evaluate(() => sessionStorage.length)) === 0)
    assert.equal(await again.page.getByText('Hello Nino.').count(), 0)
    await again.close()
  })
}

test('a page that says late who is signed in keeps the conversation', { skip }, async () => {
  stage.service.answer = (asked) => told(asked, [text('Hello Nino.')])
  const visit = await stage.visit({ before: signedIn('nino') })
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'who am I')
  await page.addInitScript(`
    Document.prototype.querySelector = new Proxy(Document.prototype.querySelector, {
      apply: (target, self, given) => (given[0] === 'service-assistant' && !globalThis.late ? {} : Reflect.apply(target, self, given)),
    })`)
  await page.reload()
  await boxOf(page).waitFor()
  await page.waitForTimeout(300)
  assert.equal(await page.getByText('Hello Nino.').count(), 0, 'nobody has said that it is theirs')
  await page.evaluate((token) => {
    Object.assign(globalThis, { late: true })
    const element = document.querySelector('service-assistant') as HTMLElement & { getCustomerToken: unknown }
    element.getCustomerToken = () => token
  }, tokenOf('nino'))
  await answersOf(page).getByText('Hello Nino.').waitFor()
  await visit.close()
})
