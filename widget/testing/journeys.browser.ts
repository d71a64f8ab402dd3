// Journeys of a visitor, in both languages, against scripted answers.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Asked, complete, SESSION, type Step, told } from './scripted-service.ts'
import { openStage, type Stage, skip } from './stage.ts'
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
  summary: 'Takes order A-1001 back and frees its goods.',
  risk: 'low',
  arguments: { order_number: 'A-1001', lines: [1, 2] },
  labels: { order_number: 'Order' },
  expiresAt: '2026-11-22T18:40:00.000Z',
  confirmationToken: `tac_${'a'.repeat(48)}`,
}
const text = (markdown: string) => ({ type: 'text', markdown })

const ORDERS = {
  type: 'table',
  title: 'Orders',
  columns: [
    { key: 'number', label: 'Number' },
    { key: 'day', label: 'Day' },
    { key: 'total', label: 'Total', align: 'right' },
  ],
  rows: [{ number: 'A-1001', day: '2026-11-20', total: 12345.5 }],
}

/** Orders that stop in the middle until they are let on; to `refund`, a proposal. */
const aboutOrders =
  (middle: Promise<void>) =>
  (asked: Asked): readonly Step[] =>
    asked.prompt === 'refund'
      ? told(asked, [text('Shall I?')], {
          before: [{ frame: { type: 'proposal', proposal: PROPOSAL } }],
          meta: { proposals: [PROPOSAL] },
        })
      : [
          { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
          { frame: { type: 'status', stage: 'calling', tool: 'get_order' } },
          { frame: { type: 'delta', text: 'Your **or' } },
          { gate: middle },
          { frame: { type: 'delta', text: 'ders** are here.' } },
          { frame: { type: 'block', index: 1, block: ORDERS } },
          {
            frame: complete(asked.requestId, [
              text('Your **orders** are here.'),
              ORDERS,
              { type: 'quick_replies', replies: [{ label: 'Give it back', prompt: 'refund' }] },
            ]),
          },
        ]

for (const language of ['en', 'ka'] as const) {
  const words = wordsOf(language)
  test(`${language}: ask, stream, table, quick reply, stage, confirm, rate`, { skip }, async () => {
    const { service } = stage
    const middle = gate()
    service.answer = aboutOrders(middle.passed)
    const visit = await stage.visit({ language })
    const { page } = visit
    await openWith(page)
    assert.equal(await boxOf(page).getAttribute('placeholder'), language === 'ka' ? 'თქვენი კითხვა' : 'Your question')
    await ask(page, 'orders?')
    await page.getByText('Your **or').waitFor()
    assert.equal(await page.locator('.send').getAttribute('title'), words.stop, 'while it is written it can be stopped')
    middle.open()
    const cells = page.locator('td')
    await page.locator('.replies').waitFor()
    assert.deepEqual(await cells.allTextContents(), [
      'A-1001',
      language === 'ka' ? '20 ნოემბერი, 2026' : '20 Nov 2026',
      language === 'ka' ? '12\u00a0345,5' : '12,345.5',
    ])
    assert.equal(await page.locator('.answer strong').first().textContent(), 'orders')

    await page.getByRole('button', { name: 'Give it back' }).click()
    const card = page.locator('section.card')
    await card.waitFor()
    assert.equal(await page.locator('.replies').count(), 0, 'a choice is over when something else was said')
    assert.deepEqual(await card.locator('dt').allTextContents(), ['Order', 'lines'], 'as the business calls them')
    assert.deepEqual(await card.locator('dd').allTextContents(), ['A-1001', '[1,2]'], 'every argument, whole')
    await page.locator('.rating').nth(1).waitFor()
    assert.equal(await card.count(), 1, 'frame and answer name the same proposal')
    await card.getByRole('button', { name: words.confirm, exact: true }).click()
    await card.getByText(words.done).waitFor()
    assert.equal(await card.getByRole('button').count(), 0)
    const confirmed = service.seen.find(({ path }) => path.endsWith('/confirm'))
    assert.equal(confirmed?.headers['x-api-key'], PROPOSAL.confirmationToken)
    assert.deepEqual(confirmed?.body, { idempotencyKey: `widget-${PROPOSAL.actionId}` })

    const rating = page.locator('.rating').last()
    await rating.getByRole('button', { name: words.unhelpful, exact: true }).click()
    await rating.locator('textarea').fill('Too slow')
    await rating.getByRole('button', { name: words.send, exact: true }).click()
    await until(
      'the comment is sent',
      () => service.seen.filter(({ path }) => path === '/v1/chat/feedback').length === 2,
    )
    const sent = service.seen.filter(({ path }) => path === '/v1/chat/feedback').map(({ body }) => body)
    const second = service.seen.filter(({ path, body }) => path === '/v1/chat/stream' && body.prompt === 'refund')
    assert.equal(second[0]?.body.sessionId, SESSION, 'the conversation goes on')
    assert.equal(second[0]?.body.language, language)
    assert.deepEqual(
      sent.map(({ rating: given, comment }) => [given, comment]),
      [
        ['down', undefined],
        ['down', 'Too slow'],
      ],
    )
    assert.equal(sent[1]?.sessionId, SESSION)
    assert.match(String(sent[1]?.requestId), /^req_/)
    assert.deepEqual(visit.complaints, [])
    await visit.close()
  })

  test(`${language}: a line that breaks in the middle is taken up where it broke`, { skip }, async () => {
    const seen = gate()
    stage.service.answer = (asked) => [
      { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
      { frame: { type: 'delta', text: 'One ' } },
      { cut: true },
      { gate: seen.passed },
      { frame: { type: 'delta', text: 'two ' } },
      { frame: { type: 'delta', text: 'three.' } },
      { frame: complete(asked.requestId, [text('One two three.')]) },
    ]
    const visit = await stage.visit({ language })
    await openWith(visit.page)
    await ask(visit.page, 'count')
    await visit.page.getByText(words.reconnecting).waitFor()
    seen.open()
    await visit.page.locator('.rating').waitFor()
    assert.equal(await visit.page.locator('.answer .text').innerText(), 'One two three.')
    const chats = stage.service.seen.filter(({ path }) => path === '/v1/chat/stream')
    assert.equal(chats.filter(({ body }) => body.prompt !== undefined).length, 1, 'asked once')
    assert.equal(chats[1]?.headers['last-event-id'], '2', 'and heard on after what was shown')
    await visit.close()
  })

  test(`${language}: offline, the draft stays and somebody says so`, { skip }, async () => {
    const visit = await stage.visit({ language })
    const { page } = visit
    await openWith(page)
    await page.context().setOffline(true)
    await page.getByText(words.offline).waitFor()
    await ask(page, 'a long thought')
    assert.equal(await boxOf(page).inputValue(), 'a long thought')
    assert.equal(await answersOf(page).count(), 0)
    await page.context().setOffline(false)
    await until('the notice is gone', async () => !(await page.getByText(words.offline).isVisible()))
    assert.match(await (await askAndRead(page, await boxOf(page).inputValue())).innerText(), /a long thought/)
    await visit.close()
  })
}

test('a turn that fails says why and can be tried again; a code stands where somebody else must act', {
  skip,
}, async () => {
  const words = wordsOf('en')
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  const failures = [
    [{ status: 429, error: { code: 'rate_limited', message: '' }, retryAfter: 17 }, words.busy.replace('{}', '17')],
    [{ status: 429, error: { code: 'plan_quota_exceeded', message: '' } }, words.resting],
    [{ status: 403, error: { code: 'origin_not_allowed', message: '' } }, `${words.setup} (origin_not_allowed)`],
    [{ status: 500, error: { code: 'internal_error', message: '' } }, words.failed],
  ] as const
  for (const [answer, said] of failures) {
    stage.service.answer = () => answer
    await ask(page, 'hello')
    await page.getByText(said).last().waitFor()
  }
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { frame: { type: 'error', code: 'MODEL_UNAVAILABLE', message: 'x' } },
  ]
  await ask(page, 'hello')
  await page.getByText(words.failed).last().waitFor()
  stage.service.answer = (asked) => told(asked, [text('Here again.')])
  await page.getByRole('button', { name: words.retry }).last().click()
  await answersOf(page).getByText('Here again.').waitFor()
  assert.equal(await page.locator('[role=alert] .chip').count(), failures.length, 'the failed answer was replaced')
  await visit.close()
})

test('stop stops the turn at the service, keeps what came, and the next question goes on', { skip }, async () => {
  const words = wordsOf('en')
  const never = gate()
  stage.service.answer = (asked) => [
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { frame: { type: 'delta', text: 'Half an answer' } },
    { gate: never.passed },
  ]
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await ask(page, 'tell')
  await answersOf(page).getByText('Half an answer').waitFor()
  await page.locator('.send').click()
  await page.getByText(words.stopped).first().waitFor()
  await until('the service heard it', () => stage.service.stopped.length === 1)
  assert.ok(await answersOf(page).getByText('Half an answer').isVisible())
  stage.service.reset()
  await askAndRead(page, 'next')
  assert.equal(stage.service.seen[0]?.body.sessionId, SESSION)
  never.open()
  await visit.close()
})

test('a turn that is stopped before it has a name is stopped as soon as it has one', { skip }, async () => {
  const [named, over] = [gate(), gate()]
  stage.service.answer = (asked) => [
    { gate: named.passed },
    { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
    { gate: over.passed },
  ]
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await ask(page, 'tell')
  await page.locator('.send').click()
  await page.locator('.answer').getByText(wordsOf('en').stopped).waitFor()
  named.open()
  await until('the service heard it', () => stage.service.stopped.length === 1)
  over.open()
  assert.equal(await page.locator('[role=alert] .chip').count(), 0, 'who stopped it is not told that it failed')
  await visit.close()
})

test('a turn goes on over a page change, and the conversation is there again, without any token', {
  skip,
}, async () => {
  const later = gate()
  stage.service.answer = (asked) =>
    asked.prompt === 'first'
      ? told(asked, [text('First answer.')], { meta: { proposals: [PROPOSAL] } })
      : [
          { frame: { type: 'start', requestId: asked.requestId, sessionId: SESSION } },
          { frame: { type: 'delta', text: 'Slow' } },
          { gate: later.passed },
          { frame: complete(asked.requestId, [text('Slow but sure.')]) },
        ]
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'first')
  await ask(page, 'second')
  await answersOf(page).getByText('Slow').waitFor()
  await page.reload()
  await answersOf(page).getByText('First answer.').waitFor()
  later.open()
  await answersOf(page).getByText('Slow but sure.').waitFor()
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]))
  assert.ok(!kept.includes('tac_'), 'a confirmation token lives as long as the page')
  const card = page.locator('section.card')
  await card.getByText(wordsOf('en').waiting).waitFor()
  assert.equal(await card.getByRole('button').count(), 0, 'and nothing is there to press without it')
  assert.equal(stage.service.seen.filter(({ body }) => body.prompt === 'second').length, 1)
  await page.getByRole('button', { name: wordsOf('en').restart }).click()
  assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0, 'a new conversation forgets')
  await visit.close()
})

test('every outcome of a confirm has its words; only what may be asked again can be', { skip }, async () => {
  const words = wordsOf('en')
  const body = (status: string, more = {}) => ({ status, actionId: PROPOSAL.actionId, verification: null, ...more })
  const outcomes = [
    [200, body('Executed', { verification: { status: 'verified' } }), words.verified, 0],
    [200, body('Executed', { verification: { status: 'unverified' } }), words.unverified, 0],
    [200, body('Replayed'), words.done, 0],
    [202, body('AwaitingApprovers'), words.awaiting, 0],
    [200, body('Rejected'), words.declined, 0],
    [410, body('Expired'), words.expired, 0],
    [409, body('Indeterminate'), words.unknown, 0],
    [400, body('Conflict'), words.unknown, 0],
    [409, body('PreconditionFailed'), words.changed, 0],
    [503, body('PreconditionError'), words.failed, 2],
    [400, body('FailedRetryable'), words.failed, 2],
    [400, body('FailedTerminal'), words.refused, 0],
    [409, body('ProviderRefused'), words.refused, 0],
    [451, body('Prohibited'), words.refused, 0],
    [404, body('NotFound'), words.settled, 0],
    [401, { error: { code: 'invalid_api_key', message: '' } }, words.settled, 0],
    [429, { error: { code: 'rate_limited', message: '' } }, words.failed, 2],
  ] as const
  stage.service.answer = (asked) =>
    told(asked, [text('Shall I?')], {
      meta: { proposals: outcomes.map((_, at) => ({ ...PROPOSAL, actionId: `action-${at}` })) },
    })
  stage.service.confirm = (actionId) => {
    const [status, answer] = outcomes[Number(actionId.slice(7))] ?? [500, {}]
    return { status, body: answer }
  }
  const visit = await stage.visit()
  await openWith(visit.page)
  await askAndRead(visit.page, 'all')
  for (const [at, [, , said, buttons]] of outcomes.entries()) {
    const card = visit.page.locator('section.card').nth(at)
    await card.getByRole('button', { name: words.confirm, exact: true }).click()
    await card.getByText(said, { exact: true }).waitFor()
    assert.equal(await card.getByRole('button').count(), buttons, said)
  }
  await visit.close()
})

test('a confirm whose answer is lost is asked again under the same key; a no is as easy as a yes', {
  skip,
}, async () => {
  const words = wordsOf('en')
  let lost = true
  stage.service.confirm = (actionId) =>
    lost ? 'cut' : { status: 200, body: { status: 'Replayed', actionId, verification: null } }
  stage.service.answer = (asked) =>
    told(asked, [text('Shall I?')], { meta: { proposals: [PROPOSAL, { ...PROPOSAL, actionId: 'other' }] } })
  const visit = await stage.visit()
  const { page } = visit
  await openWith(page)
  await askAndRead(page, 'both')
  const [first, other] = [page.locator('section.card').first(), page.locator('section.card').last()]
  await first.getByRole('button', { name: words.confirm, exact: true }).click()
  await first.getByText(words.lost).waitFor()
  lost = false
  await first.getByRole('button', { name: words.retry }).click()
  await first.getByText(words.done).waitFor()
  await other.getByRole('button', { name: words.decline }).click()
  await other.getByText(words.declined).waitFor()
  const confirms = stage.service.seen.filter(({ path }) => path.endsWith('/confirm'))
  // The browser itself may ask again on a connection that died, which is one more reason for the one key.
  assert.equal(new Set(confirms.map(({ path, body }) => path + JSON.stringify(body))).size, 1, 'and a no asks nobody')
  assert.ok(confirms.length >= 2)
  await visit.close()
})

test('a proposal without a token waits for the team', { skip }, async () => {
  const { confirmationToken: _, ...waiting } = PROPOSAL
  stage.service.answer = (asked) => told(asked, [text('It waits.')], { meta: { proposals: [waiting] } })
  const visit = await stage.visit()
  await openWith(visit.page)
  await askAndRead(visit.page, 'refund')
  const card = visit.page.locator('section.card')
  assert.match(await card.innerText(), new RegExp(wordsOf('en').waiting))
  assert.equal(await card.getByRole('button').count(), 0)
  await visit.close()
})

test('the page says who is signed in; a token that ran out is asked for once more', { skip }, async () => {
  const visit = await stage.visit({
    before: `
      addEventListener('DOMContentLoaded', () => {
        const asked = (globalThis.asked = [])
        document.querySelector('service-assistant').getCustomerToken = async ({ expired }) => {
          asked.push(expired)
          return expired ? 'fresh' : 'stale'
        }
      })`,
  })
  const { page } = visit
  const refusal = { status: 401, error: { code: 'invalid_customer_token', message: '', reason: 'expired' } } as const
  stage.service.answer = (asked) =>
    stage.service.seen.at(-1)?.headers['x-service-customer-token'] === 'fresh'
      ? told(asked, [text('Hello Nino.')])
      : refusal
  await openWith(page)
  await askAndRead(page, 'who am I')
  // The watch of the conversation asks afterwards, as every request does.
  assert.deepEqual(await page.evaluate('asked.slice(0, 2)'), [false, true])
  // Nobody is signed in any more: the service says that the conversation is not this visitor's.
  stage.service.answer = (asked) =>
    asked.sessionId === undefined
      ? told(asked, [text('Who are you?')])
      : { status: 403, error: { code: 'session_not_yours', reason: 'customer_session', message: '' } }
  await ask(page, 'and now')
  await answersOf(page).getByText('Who are you?').waitFor()
  assert.equal(await page.getByText('Hello Nino.').count(), 0, 'what was said to another person is gone')
  stage.service.answer = () => refusal
  await ask(page, 'again')
  await page.getByText(wordsOf('en').signIn).waitFor()
  await visit.close()
})
