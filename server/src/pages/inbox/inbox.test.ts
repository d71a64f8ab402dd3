// The inbox as somebody uses it who has no scripts: every page works.
import assert from 'node:assert/strict'
import test from 'node:test'
import { linkIn, newAddress } from '../../../testkit/mailed-house.ts'
import { listenTo } from '../../../testkit/statements.ts'
import { Browser, CATALOG, card, look, ran, set, shop, signedIn, stage } from './fixtures/visitor.ts'

test('somebody asks for a link, pastes it, decides, and signs out', async () => {
  const { tenant, key, email } = await shop()
  const browser = await signedIn(email)
  assert.match(browser.page.text, /Nothing is waiting for a decision/)
  const actionId = await stage(tenant)
  await browser.get('/inbox')
  assert.match(browser.page.text, /Waiting for a decision[\s\S]*Refund order/)
  const { text } = await browser.get(card(actionId))
  for (const shown of ['88', '90', 'The request, exactly', 'One person decides', 'Confirm and run'])
    assert.ok(text.includes(shown), shown)
  await browser.post(card(actionId), { decision: 'confirm' })
  assert.match(browser.page.text, /Confirmed, and done\./)
  assert.equal((await look(tenant, actionId)).status, 'executed')
  const { events } = (
    await set.house.ask<{ events: { event: string; source: string; user: { displayName: string } | null }[] }>(
      'GET',
      `/v1/audit?actionId=${actionId}`,
      { key },
    )
  ).body
  assert.deepEqual(
    events.map(({ event, source, user }) => [event, source, user?.displayName ?? null]),
    [
      ['proposed', 'POST /v1/actions', null],
      ['approved', 'inbox', 'Ana Beridze'],
      ['executed', 'inbox', 'Ana Beridze'],
    ],
  )
  await browser.get('/inbox/history')
  assert.match(browser.page.text, /Refund order/)
  await browser.post('/inbox/sign-out', {})
  assert.match(browser.page.text, /Mail me a link/)
  await browser.get(card(actionId))
  assert.doesNotMatch(browser.page.text, /Refund order/)
})

test('the cookie of a session that has ended is looked up once, however often it comes', async () => {
  const { email } = await shop()
  const browser = await signedIn(email)
  const { cookie } = browser
  await browser.post('/inbox/sign-out', {})
  const asked: string[] = []
  listenTo(set.house, (name) => asked.push(name))
  for (let times = 0; times < 3; times++) {
    browser.cookie = cookie
    await browser.get('/inbox')
    assert.match(browser.page.text, /Mail me a link/)
  }
  assert.deepEqual(asked, ['access.find_session'])
})

test('a rejection needs no reason and keeps one; a high risk is acknowledged; several are decided at once', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const [first, second, third, risky] = [
    await stage(tenant),
    await stage(tenant),
    await stage(tenant),
    await stage(tenant, 'close_shop'),
  ]
  await browser.get(card(first))
  await browser.post(card(first), { decision: 'reject', reason: 'Not <b>this</b> one' })
  assert.match(browser.page.text, /Not &lt;b&gt;this&lt;\/b&gt; one/)
  assert.equal((await look(tenant, first)).errorMessage, 'Not <b>this</b> one')
  await browser.get(card(risky))
  await browser.post(card(risky), { decision: 'confirm' })
  assert.match(browser.page.text, /Tick that you have checked it/)
  assert.equal((await look(tenant, risky)).status, 'pending')
  const picks = [second, third, risky]
  await browser.get('/inbox')
  const token = browser.hidden().token ?? ''
  const hashes = await Promise.all(
    picks.map(async (actionId) => `${actionId} ${(await look(tenant, actionId)).payloadHash}`),
  )
  const form = new URLSearchParams([
    ['token', token],
    ['decision', 'confirm'],
    ...hashes.map((pick): [string, string] => ['pick', pick]),
  ])
  const answer = await set.house.app.server.inject({
    method: 'POST',
    url: '/inbox/decide',
    payload: form.toString(),
    headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
  })
  await browser.get(String(answer.headers.location))
  assert.equal(browser.page.text.match(/Confirmed, and done\./g)?.length, 2)
  assert.match(browser.page.text, /Tick that you have checked it/)
  await browser.get(card(risky))
  await browser.post(card(risky), { decision: 'confirm', acknowledge: 'yes' })
  assert.equal((await look(tenant, risky)).status, 'executed')
})

test('a changed write is a new one, and what was typed wrong changes nothing', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const actionId = await stage(tenant)
  await browser.get(card(actionId))
  await browser.post(card(actionId), { decision: 'amend', 'argument.number': 'A-1', 'argument.amount': 'much' })
  assert.match(browser.page.text, /Nothing has changed yet/)
  await browser.post(card(actionId), { decision: 'amend', 'argument.number': 'A-1', 'argument.amount': '50' })
  assert.match(browser.page.text, /The changed write is waiting here/)
  const { replacedBy, status } = await look(tenant, actionId)
  assert.equal(status, 'rejected')
  assert.deepEqual((await look(tenant, replacedBy ?? '')).arguments, { number: 'A-1', amount: 50 })
})

test('what changed while the page was open is said, and nothing that was not on the screen runs', async () => {
  const { tenant, key, email } = await shop()
  const browser = await signedIn(email)
  const before = ran()
  const actionId = await stage(tenant)
  await browser.get(card(actionId))
  await set.house.ask('POST', `/v1/actions/${actionId}/reject`, { key, body: { reason: 'Too late' } })
  await browser.post(card(actionId), { decision: 'confirm' })
  assert.match(browser.page.text, /Rejected[\s\S]*Too late/)
  assert.doesNotMatch(browser.page.text, /name="decision"/, 'the buttons are gone')
  const other = await stage(tenant)
  await browser.get(card(other))
  await browser.post(card(other), { decision: 'confirm', payloadHash: '0'.repeat(64) })
  assert.match(browser.page.text, /Something changed meanwhile/)
  await browser.get(card(other))
  const without = CATALOG.filter(({ name }) => name !== 'refund_order')
  await set.house.ask('PUT', '/v1/tools', { key, body: without })
  await browser.post(card(other), { decision: 'confirm' })
  assert.match(browser.page.text, /The catalog no longer takes this write/)
  assert.equal(ran(), before)
  assert.equal((await look(tenant, other)).status, 'pending')
})

test('an invitation opens the page with the address filled in', async () => {
  const { key } = await shop()
  const email = newAddress()
  await set.house.ask('POST', '/v1/users/invitations', { key, body: { email } })
  const link = new URL(linkIn((await set.house.mailsTo(email)).at(-1)))
  const { text } = await new Browser().get(`${link.pathname}${link.search}`)
  assert.ok(text.includes(`value="${email}"`))
})

test('a page of the list, and a card with large arguments, weigh less than 60 KB', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const long = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`field_${at}`, 'ქ'.repeat(170)]))
  for (let more = 0; more < 21; more++) await stage(tenant, 'close_shop', { number: 'A', ...long })
  const actionId = await stage(tenant, 'close_shop', { number: 'A', ...long })
  for (const path of ['/inbox', card(actionId)]) {
    const bytes = Buffer.byteLength((await browser.get(path)).text)
    assert.ok(bytes < 60_000, `${path}: ${bytes}`)
  }
})

test('the record is read once in ten seconds, however many look', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const actionId = await stage(tenant)
  const reads = () => set.seen.filter(({ body }) => body.mode === 'read').length
  const before = reads()
  await Promise.all([browser.get(card(actionId)), browser.get(card(actionId)), browser.get(card(actionId))])
  assert.equal(reads() - before, 1)
})

test('a Georgian reader sees what the business calls a write and its arguments; the API and an English one read on', async () => {
  const { tenant, key, email } = await shop()
  const labels = { ka: { title: 'თანხის დაბრუნება', parameters: { number: 'შეკვეთა' } } }
  const named = CATALOG.map((tool) => (tool.name === 'refund_order' ? { ...tool, labels } : tool))
  await set.house.ask('PUT', '/v1/tools', { key, body: named })
  const actionId = await stage(tenant)
  const browser = await signedIn(email)
  await browser.get('/inbox?lang=ka')
  assert.match(
    browser.page.text,
    /<strong>თანხის დაბრუნება<\/strong>[\s\S]*<span class="detail">შეკვეთა: &quot;A-1&quot;, თანხა: 88</,
  )
  const { text } = await browser.get(card(actionId))
  assert.match(text, /<h1>თანხის დაბრუნება[\s\S]*<th scope="row">შეკვეთა<\/th>[\s\S]*<th scope="row">თანხა<\/th>/)
  assert.doesNotMatch(text.replace(/<pre[\s\S]*?<\/pre>/g, ''), /Refund order/)
  await browser.get(`${card(actionId)}?lang=en`)
  assert.match(browser.page.text, /<h1>Refund order[\s\S]*<th scope="row">number<\/th>/)
  const { body } = await set.house.ask<{ title: string; summary: string }>('GET', `/v1/actions/${actionId}`, { key })
  assert.deepEqual([body.title, body.summary], ['Refund order', 'Refund order (number: A-1, amount: 88)'])
  // What the catalog no longer has keeps the words that it was staged with.
  await set.house.ask('PUT', '/v1/tools', { key, body: [CATALOG[0]] })
  await browser.get('/inbox?lang=ka')
  assert.match(browser.page.text, /<strong>Refund order<\/strong>/)
})

test('somebody chooses which mails they get, and follows the link of one to its card', async () => {
  const { tenant, email } = await shop()
  const actionId = await stage(tenant)
  const browser = await signedIn(email)
  const notice =
    (await set.house.mailsTo(email)).find((mail) => !linkIn(mail).includes('#')) ?? assert.fail('no notice')
  const { pathname, search } = new URL(linkIn(notice))
  const { text } = await browser.get(`${pathname}${search}`)
  assert.equal(browser.page.status, 303)
  assert.equal(browser.page.headers.location, card(actionId))
  assert.equal(text, '')
  await browser.get('/inbox/mails?lang=ka')
  assert.match(browser.page.text, /value="all" checked/)
  await browser.post('/inbox/mails', { wanted: 'none', language: 'ka' })
  assert.match(browser.page.text, /შენახულია/)
  assert.match(browser.page.text, /value="none" checked[\s\S]*<option value="ka" selected>/)
  const before = (await set.house.mailsTo(email)).length
  await stage(tenant)
  assert.equal((await set.house.mailsTo(email)).length, before)
  // Somebody who is not signed in gets the way in, with their address filled in.
  const stranger = new Browser()
  assert.ok((await stranger.get(`${pathname}${search}`)).text.includes(`value="${email}"`))
  await browser.post('/inbox/mails', { wanted: 'everything', language: 'ka' })
  assert.match(browser.page.text, /value="none" checked/)
  assert.equal((await new Browser().post('/inbox/mails', { wanted: 'all', language: 'en', token: 'x' })).status, 403)
})

test('the language that was chosen before signing in is the one that stays', async () => {
  const { email } = await shop()
  const browser = new Browser()
  await browser.get('/inbox?lang=ka', { 'accept-language': 'en' })
  await browser.post('/inbox/sign-in', { email }, { 'accept-language': 'en' })
  assert.match(browser.page.text, /<html lang="ka">/)
  const mail = (await set.house.mailsTo(email)).at(-1)
  assert.equal(mail?.headers.get('content-language'), 'ka')
  // The link itself names the language: it may be opened in another browser.
  const { pathname, search } = new URL(linkIn(mail))
  await browser.get(`${pathname}${search}`, { 'accept-language': 'en' })
  await browser.post('/inbox/open', { link: linkIn(mail) }, { 'accept-language': 'en' })
  assert.match(browser.page.text, /<html lang="ka">/)
  await browser.get('/inbox', { 'accept-language': 'en' })
  assert.match(browser.page.text, /<html lang="ka">/)
})
