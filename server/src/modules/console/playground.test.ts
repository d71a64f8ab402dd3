// The playground plays real turns, reaches what the one it asks as would reach, and shows what they were made of.
import assert from 'node:assert/strict'
import test from 'node:test'
import { mintCustomerToken } from '../../../../sdk/src/mint-customer-token.ts'
import { EARLIER_SESSION } from '../../../testkit/history.ts'
import { CATALOG, running, set } from './fixtures/owner.ts'

const AT = '/console/playground/ask'
const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const caseIn = (text: string): string =>
  unescaped(/<textarea id="case"[^>]*>([\s\S]*?)<\/textarea>/.exec(text)?.[1] ?? '')
const sessionIn = (text: string): string => /name="sessionId" form="form-ask" value="(ses_\w+)"/.exec(text)?.[1] ?? ''

test('a question shows its answer, every frame, each call with both sides, the cost, and a case that passes as a trial', async () => {
  const { browser, ask } = await running()
  await browser.get('/console/playground')
  assert.match(browser.page.text, /Each question is a real turn[\s\S]*count as usage/)
  await browser.post(AT, { as: 'visitor', prompt: 'Where is order A-17?' })
  const { text, status } = browser.page
  assert.equal(status, 200)
  assert.match(text, /<code>get_order<\/code> <span class="badge good">ok<\/span>/)
  assert.match(text, /\{&quot;number&quot;:&quot;A-17&quot;\}/)
  assert.match(text, /answered<\/p><pre[^>]*>\{&quot;state&quot;:&quot;paid&quot;,&quot;amount&quot;:90\}/)
  for (const frame of ['start', 'status', 'tool', 'delta', 'complete'])
    assert.match(text, new RegExp(`<li><code>${frame}</code>`), frame)
  assert.match(text, /tokens in, [\d,]+ out, with [\w-]+\. It cost \$0\.00, which counts as usage/)
  assert.match(text, /No passage fits the question/)
  assert.ok(Buffer.byteLength(text) < 60 * 1024, `${Buffer.byteLength(text)} bytes`)
  // It stands where every conversation stands, and counts.
  const sessionId = sessionIn(text)
  assert.equal((await ask('GET', `/v1/conversations/${sessionId}`)).status, 200)
  await set.house.app.flush()
  assert.match((await ask('GET', '/v1/outcomes')).text, /"turns":1/)
  // The link holds what the field shows.
  const trial = caseIn(text)
  const file = /href="data:application\/json;base64,([\w+/=]+)" download="trial-case\.json"/.exec(text)?.[1] ?? ''
  assert.equal(Buffer.from(file, 'base64').toString(), trial)
  const played = await ask<{ passed: number; failed: number }>('POST', '/v1/tools/trials', JSON.parse(trial))
  assert.deepEqual([played.status, played.body.passed, played.body.failed], [200, 1, 0], played.text)
  assert.match(trial, /"results":\{"get_order":\{"state":"paid","amount":90\}\}/)
  // And the conversation goes on.
  await browser.post(AT, { as: 'visitor', prompt: 'And order A-18?', sessionId })
  assert.equal(sessionIn(browser.page.text), sessionId)
  assert.match(browser.page.text, /later ones of a conversation are no case/)
  await browser.post(AT, { as: 'agent', prompt: 'And order A-19?', sessionId })
  assert.match(browser.page.text, /class="note bad"[\s\S]*session_not_yours[\s\S]*And order A-19\?<\/textarea>/)
})

test('the script of the page reads the answer as it comes, and then the page that everybody gets, of one turn', async () => {
  const { browser, ask } = await running()
  const asked = { as: 'visitor', prompt: 'Where is order A-17?' }
  await browser.get('/console/playground')
  const { headers, text } = await browser.post(AT, asked, { accept: 'text/event-stream' })
  assert.match(String(headers['content-type']), /^text\/event-stream/)
  const told = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, string>)
  assert.match(told.find(({ line }) => line !== undefined)?.line ?? '', /^get_order: ok, \d+ ms$/)
  assert.match(told.flatMap(({ text: piece }) => piece ?? []).join(''), /paid/)
  const { page: shown = assert.fail('there is no page') } = told.at(-1) ?? {}
  assert.equal(told.filter(({ page }) => page !== undefined).length, 1)
  await browser.get('/console/playground')
  const page = await browser.post(AT, { ...asked, shown })
  assert.equal(page.status, 200)
  assert.match(page.text, /<code>get_order<\/code> <span class="badge good">ok<\/span>/)
  assert.ok(sessionIn(page.text) !== '' && !page.text.includes(shown.slice(0, 40)))
  const { conversations } = (
    await ask<{ conversations: { sessionId: string; turns: number }[] }>('GET', '/v1/conversations')
  ).body
  assert.deepEqual(
    conversations.map(({ sessionId, turns }) => [sessionId, turns]),
    [
      [sessionIn(page.text), 1],
      [EARLIER_SESSION, 1],
    ],
  )
  // Nobody makes such a page but the service, and for its own reader alone.
  const other = (await running()).browser
  await other.get('/console/playground')
  assert.equal((await other.post(AT, { ...asked, shown })).status, 403)
  await browser.get('/console/playground')
  assert.equal((await browser.post(AT, { ...asked, shown: `${shown.slice(0, -4)}AAAA` })).status, 403)
  assert.equal((await browser.post(AT, { ...asked, shown: '<script>' })).status, 403)
})

test('what is refused is refused to the script, too, and stands on the page', async () => {
  const { browser } = await running()
  await browser.get('/console/playground')
  const { text } = await browser.post(AT, { as: 'customer', prompt: 'my orders' }, { accept: 'text/event-stream' })
  const shown = /^data: \{"page":"([^"]+)"\}$/m.exec(text)?.[1] ?? assert.fail(text)
  await browser.get('/console/playground')
  const page = await browser.post(AT, { as: 'customer', prompt: 'my orders', shown })
  assert.match(page.text, /class="note bad"[\s\S]*needs the customer token[\s\S]*my orders<\/textarea>/)
})

test('what a turn would write waits for a person, and the page that shows it holds nothing that could confirm it', async () => {
  const { browser, ask } = await running()
  for (const as of ['visitor', 'agent']) {
    await browser.get('/console/playground')
    await browser.post(AT, { as, prompt: 'Refund order A-17, 5 GEL, please. amount 5', writes: 'yes' })
    assert.match(browser.page.text, /It waits for a person<\/h3>[\s\S]*href="\/inbox\/actions\/[\w-]{36}"/, as)
    assert.doesNotMatch(browser.page.text, /tac_|confirmationToken/, as)
  }
  assert.equal((await ask<{ count: number }>('GET', '/v1/actions?status=pending')).body.count, 2)
  await browser.get('/console/playground')
  await browser.post(AT, { as: 'visitor', prompt: 'Refund order A-20, amount 5' })
  const played = await ask<{ passed: number }>('POST', '/v1/tools/trials', JSON.parse(caseIn(browser.page.text)))
  assert.equal(played.body.passed, 1, `${caseIn(browser.page.text)} ${played.text}`)
})

test('a customer is whom their own server’s token names, and nobody without one', async () => {
  const { browser, ask } = await running()
  const mine = {
    ...CATALOG[0],
    name: 'my_orders',
    description: 'Lists the orders of the customer.',
    requires_customer: true,
    parameters: { type: 'object', properties: {} },
  }
  await ask('PUT', '/v1/tools', [mine])
  const { tenantId } = (await ask<{ tenantId: number }>('GET', '/v1/account')).body
  const issued = await ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key')
  const token = await mintCustomerToken({ key: issued.body.customerTokenKey, tenantId, customerId: 'customer-7' })
  const asked = { as: 'customer', prompt: 'my orders' }
  await browser.get('/console/playground')
  await browser.post(AT, asked)
  assert.match(browser.page.text, /class="note bad"[\s\S]*needs the customer token/)
  await browser.post(AT, { ...asked, customerToken: `${token.slice(0, -4)}AAAA` })
  assert.match(browser.page.text, /class="note bad"[\s\S]*invalid_customer_token/)
  await browser.post(AT, { ...asked, customerToken: token })
  assert.ok(!browser.page.text.includes(token.slice(0, 30)), 'the token is not sent back')
  assert.match(browser.page.text, /<code>my_orders<\/code> <span class="badge good">ok/)
  const { conversations } = (await ask<{ conversations: { customerId: string }[] }>('GET', '/v1/conversations')).body
  assert.equal(conversations[0]?.customerId, 'customer-7')
  await browser.post(AT, { ...asked, as: 'visitor', customerToken: token })
  assert.doesNotMatch(browser.page.text, /<code>my_orders<\/code> <span class="badge good">ok/, 'a visitor is nobody')
})

test('the looks are tried on the real widget in a frame of our own page, and nothing else gets into it', async () => {
  const { browser } = await running()
  const page = await browser.get('/console/website')
  assert.match(String(page.headers['content-security-policy']), /; frame-src 'self';/)
  const frame = unescaped(/<iframe [^>]*src="([^"]+)"/.exec(page.text)?.[1] ?? '')
  await browser.post('/console/website/look', { color: '#AB1234', logo: '' })
  assert.match(
    browser.page.text,
    /has a contrast of[\s\S]*src="\/console\/website\/preview\.html\?lang=en&amp;color=%23AB1234"/,
  )
  assert.match(
    (await browser.get('/console/website')).text,
    /<iframe [^>]*preview\.html\?lang=en"/,
    'nothing was saved',
  )
  await browser.post('/console/website/look', { color: 'red; } body { display: none' })
  assert.match(browser.page.text, /class="note bad"[\s\S]*preview\.html\?lang=en"/)
  const shown = await browser.get(frame)
  assert.match(shown.text, /<service-assistant endpoint="" publishable-key=""/)
  assert.match(
    String(shown.headers['content-security-policy']),
    /^default-src 'none';[\s\S]*frame-ancestors 'self'; require-trusted/,
  )
  assert.equal(shown.headers['x-frame-options'], 'SAMEORIGIN')
  const style = await browser.get('/console/website/preview.css?color=%23AB1234')
  assert.equal(style.text, 'service-assistant { --service-accent: #ab1234; }\n')
  assert.equal((await browser.get('/console/website/preview.css?color=red%7D*%7B')).text, '')
})
