// What others try: forms from elsewhere, cookies that are not theirs, scanners, frames, other workspaces.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { linkIn, newAddress, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { Browser, card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

test('a form from elsewhere changes nothing: by its origin, by its token, by whose token it is', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const actionId = await stage(tenant)
  const other = await shop()
  const stranger = await signedIn(other.email)
  await stranger.get('/inbox')
  await browser.get(card(actionId))
  const own = browser.hidden()
  const unsigned = new Browser()
  await unsigned.get('/inbox')
  const decide = { ...own, decision: 'reject' }
  const tries: [string, Record<string, string>, Record<string, string>][] = [
    ['a foreign origin', decide, { origin: 'https://evil.example' }],
    ['no origin to name', decide, { origin: 'null' }],
    ['another site', decide, { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', decide, { 'sec-fetch-site': 'same-site' }],
    ['no token, and no origin', { ...decide, token: '' }, {}],
    ['a token of somebody else', { ...decide, token: stranger.hidden().token ?? '' }, {}],
    ['the token of the sign-in page', { ...decide, token: unsigned.hidden().token ?? '' }, {}],
  ]
  for (const [what, fields, headers] of tries) {
    const { status } = await browser.post(card(actionId), fields, headers)
    assert.equal(status, 403, what)
    assert.equal((await look(tenant, actionId)).status, 'pending', what)
  }
  const foreign = { method: 'POST', url: card(actionId), headers: { cookie: browser.cookie } } as const
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
    assert.equal(
      (
        await set.house.app.server.inject({
          ...foreign,
          payload: 'token=x',
          headers: { ...foreign.headers, 'content-type': type },
        })
      ).statusCode,
      415,
    )
  for (const path of ['/inbox/sign-out', '/inbox/decide'])
    assert.equal((await browser.post(path, { token: '' }, { origin: 'https://evil.example' })).status, 403)
  await browser.get(card(actionId))
  assert.equal((await browser.post(card(actionId), { decision: 'reject' }, { origin: 'http://localhost' })).status, 403)
  await browser.get(card(actionId))
  const ours = { origin: new URL(set.house.settings.http.publicUrl).origin, 'sec-fetch-site': 'same-origin' }
  await browser.post(card(actionId), { decision: 'reject' }, ours)
  assert.equal((await look(tenant, actionId)).status, 'rejected')
})

test('the cookie: http-only, lax, new with each session, no use elsewhere, and gone with the session', async () => {
  const { email } = await shop()
  const browser = await signedIn(email)
  await browser.get('/inbox?lang=ka')
  const sent = String(browser.page.headers['set-cookie'])
  assert.match(sent, /^tether_inbox=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.doesNotMatch(sent, /tus_/)
  const planted = browser.cookie
  const victim = await shop()
  const second = new Browser()
  second.cookie = planted
  await second.get('/inbox')
  const fresh = new Browser()
  fresh.cookie = planted
  await fresh.get('/inbox')
  await set.house.ask('POST', '/v1/user-sessions/sign-in', { key: victim.key, body: { email: victim.email } })
  const link = linkIn((await set.house.mailsTo(victim.email)).at(-1))
  const way = new Browser()
  await way.get('/inbox')
  const token = way.hidden().token ?? ''
  await fresh.post('/inbox/open', { link, token })
  assert.notEqual(fresh.cookie, planted, 'a session that was there before is not taken over')
  await using elsewhere = await openMailedHouse()
  const visitor = new Browser(elsewhere)
  visitor.cookie = browser.cookie
  assert.match((await visitor.get('/inbox')).text, /Mail me a link/)
  for (const cookie of [`${browser.cookie}x`, 'tether_inbox=x', `${browser.cookie}; ${fresh.cookie}`]) {
    const one = new Browser()
    one.cookie = cookie
    assert.match((await one.get('/inbox')).text, /Mail me a link/, cookie)
  }
  await browser.get('/inbox')
  const old = browser.cookie
  await browser.post('/inbox/sign-out', {})
  browser.cookie = old
  assert.match((await browser.get('/inbox')).text, /გამომიგზავნეთ ბმული|Mail me a link/, 'the old cookie opens nothing')
})

test('a scanner that follows every link and sends every form signs nobody in', async () => {
  const { email } = await shop()
  const asking = new Browser()
  await asking.get('/inbox')
  await asking.post('/inbox/sign-in', { email })
  const link = linkIn((await set.house.mailsTo(email)).at(-1))
  const scanner = new Browser()
  const address = new URL(link)
  for (let look = 0; look < 3; look++) await scanner.get(`${address.pathname}${address.search}`)
  await scanner.post('/inbox/open', {})
  await scanner.post('/inbox/sign-in', {})
  assert.match(scanner.page.text, /Mail me a link/)
  await asking.get('/inbox')
  await asking.post('/inbox/open', { link })
  assert.match(asking.page.text, /Ana Beridze/, 'the link still works')
  assert.ok(!set.house.logged.join('\n').includes(link.split('#')[1] ?? '?'), 'and is in no log')
})

test('the sign-in page says the same of everybody, and why a link does not work', async () => {
  const { email } = await shop()
  const texts = []
  for (const address of [email, newAddress()]) {
    const browser = new Browser()
    await browser.get('/inbox')
    await browser.post('/inbox/sign-in', { email: address })
    texts.push(browser.page.text.replaceAll(/value="[\w-]{60,}"/g, ''))
  }
  assert.equal(texts[0], texts[1])
  const browser = new Browser()
  await browser.get('/inbox')
  await browser.post('/inbox/open', { link: 'nonsense' })
  assert.match(browser.page.text, /This is not a whole link/)
  await browser.post('/inbox/sign-in', { email: 'nobody' })
  assert.match(browser.page.text, /This is not an e-mail address/)
  await browser.post('/inbox/sign-in', { email, token: '' })
  assert.equal(browser.page.status, 403)
  assert.equal((await set.house.mailsTo(email)).length, 1)
})

test('no page is framed, runs what is not ours, or tells another host where it was', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const actionId = await stage(tenant, 'close_shop', { number: '"><script>alert(1)</script>\u202e' })
  for (const path of ['/inbox', card(actionId), '/inbox/history', card('nothing')]) {
    const { headers, text } = await browser.get(path)
    const policy = String(headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(part), `${path}: ${part}`)
    assert.ok(!policy.includes('unsafe'))
    assert.deepEqual([headers['x-frame-options'], headers['referrer-policy']], ['DENY', 'same-origin'])
    assert.doesNotMatch(text, /<script>|style="|onclick|https?:\/\/(?!127)/, path)
    assert.equal(headers['cache-control'], 'no-store')
  }
  assert.ok(
    (await browser.get(card(actionId))).text.includes('U+202E'),
    'what turns the order of text is shown as such',
  )
})

test('an argument that is named as what every object has is an argument like any other', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  // `__proto__` can only be sent as text.
  const given = '{"number":"A","constructor":"from","toString":"hidden","__proto__":"last"}'
  const { body } = await set.house.ask<{ actionId: string; summary: string }>('POST', '/v1/actions', {
    key: tenant.apiKey,
    raw: `{"tool":"refund_order","arguments":${given}}`,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(body.summary, 'Refund order (number: A, constructor: from, toString: hidden, __proto__: last)')
  for (const language of ['ka', 'en']) {
    const { status, text } = await browser.get(`${card(body.actionId)}?lang=${language}`)
    assert.equal(status, 200)
    for (const shown of ['constructor', 'from', 'toString', 'hidden', '__proto__', 'last'])
      assert.ok(text.includes(`>${shown}<`), shown)
  }
  const amended = await browser.post(card(body.actionId), {
    decision: 'amend',
    'argument.number': 'A',
    'argument.constructor': 'to',
    'argument.toString': 'hidden',
    'argument.__proto__': 'last',
  })
  assert.equal(amended.status, 200)
  for (const shown of ['to', 'hidden', 'last']) assert.ok(amended.text.includes(`>${shown}<`), shown)
})

test('two texts that look alike are told from each other', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  for (const sign of [
    '\u200b',
    '\ufe0f',
    '\u{e0100}',
    '\u034f',
    '\u2800',
    '\u180b',
    '\u17b4',
    '\u2028',
    '\u2029',
    '\u00ad',
  ]) {
    const actionId = await stage(tenant, 'refund_order', { number: `A${sign}1` })
    const code = `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    assert.ok((await browser.get(card(actionId))).text.includes(code), code)
  }
})

test('nobody sees another workspace’s writes, and somebody set inactive sees none', async () => {
  const [mine, theirs] = [await shop(), await shop()]
  const browser = await signedIn(mine.email)
  const actionId = await stage(theirs.tenant)
  assert.equal((await browser.get(card(actionId))).status, 404)
  await browser.get('/inbox')
  const { text } = await browser.post(card(actionId), { decision: 'reject' })
  assert.doesNotMatch(text, /Refund order/)
  assert.equal((await look(theirs.tenant, actionId)).status, 'pending')
  await set.house.ask('PUT', '/v1/users', {
    key: mine.key,
    body: [{ displayName: 'Ana Beridze', email: mine.email, active: false }],
  })
  assert.match((await browser.get('/inbox')).text, /You were signed out/)
})

test('over https the cookie is this host’s alone', async () => {
  await using own = await openHouse({ settings: { 'Http:PublicUrl': 'https://tether.example' } })
  const answer = await own.app.server.inject({
    method: 'GET',
    url: '/inbox',
    headers: { cookie: '__Host-tether_inbox=x' },
  })
  assert.match(answer.payload, /Type your address|sends no mail/)
})
