// How somebody comes into the console, and how it ends.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { linkIn, newAddress, newClient, openMailedHouse } from '../../../testkit/mailed-house.ts'
import { PageBrowser } from '../../../testkit/page-browser.ts'
import { openProvider } from '../../../testkit/providers.ts'
import { listenTo } from '../../../testkit/statements.ts'
import { MODULES } from '../../modules.ts'
import { linkTo, owned, SIGN_OUT, set, withKey, workspace } from './fixtures/owner.ts'
import { openKept } from './kept.ts'

const WAY_IN = /action="\/console\/enter"/

/** A page that is open while its session ends elsewhere. */
async function leftOpen(browser: PageBrowser, path: string): Promise<PageBrowser> {
  const late = new PageBrowser(set.house)
  late.cookie = browser.cookie
  await late.get(path)
  await browser.post('/console/sign-out', {})
  return late
}

const TYPED = 'https://shop.example/typed'

test('what somebody typed into a form whose session had ended stands there again once they are signed in, and is not sent', async () => {
  const { tenant, browser } = await workspace()
  for (const [language, kept, again] of [
    [
      'en',
      /nothing was changed\. Sign in again, and the form will still hold what you typed/,
      /You are signed in again\..*nothing has been sent/,
    ],
    ['ka', /არაფერი შეცვლილა\. შედით თავიდან/, /ისევ შესული ხართ\..*ჯერ არ გაგზავნილა/],
  ] as const) {
    const url = `${TYPED}/${language}`
    await browser.get(`/console/endpoint?lang=${language}`)
    const late = await leftOpen(browser, '/console/endpoint')
    const undone = await late.post('/console/endpoint/save', { url }, { 'accept-language': language })
    assert.equal(undone.status, 403)
    assert.match(undone.text, kept)
    assert.ok(!undone.text.includes(TYPED), 'it goes along sealed')
    await late.post('/console/enter', { key: 'tth_wrong' })
    assert.equal(late.page.status, 401)
    const back = await late.post('/console/enter', { key: tenant.apiKey })
    assert.deepEqual([back.status, back.headers['cache-control']], [200, 'no-store'])
    for (const page of [undone, back])
      assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
    assert.match(back.text, /<a href="\/console\/endpoint" aria-current="page">/)
    assert.match(back.text, again)
    assert.ok(back.text.includes(`value="${url}"`))
    const endpoint = async () =>
      (await set.house.ask<{ url: string | null }>('GET', '/v1/endpoint', { key: tenant.apiKey })).body.url
    assert.notEqual(await endpoint(), url, 'nothing is sent by itself')
    await late.post('/console/endpoint/save', {})
    assert.equal(await endpoint(), url)
    browser.cookie = late.cookie
  }
})

test('what was typed comes back only to the workspace whose own page sent it, soon, and without its secrets', async () => {
  const lost = /what you typed was not kept/
  const sentLate = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const { tenant, browser } = await workspace()
    const late = await leftOpen(browser, path.replace(/\/\w+$/, ''))
    return { tenant, late, text: (await late.post(path, fields, headers)).text }
  }
  const url = TYPED
  const foreign = await workspace()
  const token = foreign.browser.hidden().token ?? ''
  for (const [fields, headers] of [
    [{ url, token: '' }, {}],
    [{ url, token }, {}],
    [{ url }, { origin: 'https://evil.example' }],
    [{ url: `${url}/${'x'.repeat(100_000)}` }, {}],
  ] as const) {
    const { late, tenant, text } = await sentLate('/console/endpoint/save', fields, headers)
    assert.match(text, lost)
    assert.ok(!(await late.post('/console/enter', { key: tenant.apiKey })).text.includes(TYPED))
  }
  const { late } = await sentLate('/console/endpoint/save', { url })
  const elsewhere = await late.post('/console/enter', { key: foreign.tenant.apiKey })
  assert.match(elsewhere.text, SIGN_OUT)
  assert.ok(!elsewhere.text.includes(TYPED))

  const secret = await sentLate('/console/channels/slack', {
    botToken: 'xoxb-typed',
    signingSecret: 'f00d',
    channel: 'C0TYPED',
  })
  const sealed = secret.late.hidden().kept ?? assert.fail('nothing was kept')
  const { tenantId } = secret.tenant
  const found = openKept(set.house.app.house, tenantId, sealed)
  assert.deepEqual(
    [found?.typed.channel, found?.typed.botToken, found?.typed.token],
    [['C0TYPED'], undefined, undefined],
  )
  assert.equal(openKept(set.house.app.house, tenantId + 1, sealed), null)
  const { house } = set.house.app
  const hourLater = { ...house, clock: { ...house.clock, now: () => house.clock.now() + 3_600_001 } }
  assert.equal(openKept(hourLater, tenantId, sealed), null)
})

test('the cookie of a session that has ended is looked up once, however often it comes', async () => {
  const { browser } = await workspace()
  const { cookie } = browser
  await browser.post('/console/sign-out', {})
  const asked: string[] = []
  listenTo(set.house, (name) => asked.push(name))
  for (let times = 0; times < 3; times++) {
    browser.cookie = cookie
    assert.match((await browser.get('/console')).text, /Your session has ended/)
  }
  assert.deepEqual(asked, ['access.find_console'])
})

test('an address that is no page of the console is a page in both languages, and signing in leads to what was asked for where it is one', async () => {
  const { tenant, browser } = await workspace()
  for (const address of ['/console/nothing', '/console/keys/nothing', '/console/conversations/x/nothing']) {
    const stranger = new PageBrowser(set.house)
    const asked = await stranger.get(address)
    assert.deepEqual([asked.status, String(asked.headers['content-type'])], [404, 'text/html; charset=utf-8'], address)
    await stranger.post('/console/enter', { key: tenant.apiKey })
    assert.match(stranger.page.text, /<a href="\/console" aria-current="page">/, address)
    const missing = await browser.get(`${address}?lang=en`)
    assert.equal(missing.status, 404, address)
    assert.match(missing.text, /There is no such page\./, address)
    assert.match((await browser.get(`${address}?lang=ka`)).text, /ასეთი გვერდი არ არსებობს\./, address)
  }
  const stranger = new PageBrowser(set.house)
  await stranger.get('/console/audit?tool=refund_order')
  await stranger.post('/console/enter', { key: 'tth_wrong' })
  await stranger.post('/console/enter', { key: tenant.apiKey })
  assert.match(stranger.page.text, /<a href="\/console\/audit" aria-current="page">[\s\S]*value="refund_order"/)
  for (const to of [
    'https://evil.example/',
    '//evil.example/console',
    '/console/../inbox',
    '/inbox',
    '/console/nothing',
  ]) {
    const other = new PageBrowser(set.house)
    await other.get('/console')
    const { text } = await other.post('/console/enter', { key: tenant.apiKey, to })
    assert.match(text, /<a href="\/console" aria-current="page">/, to)
  }
})

test('a secret key is exchanged for a session and goes nowhere else', async () => {
  const { tenant, browser } = await workspace()
  assert.match(browser.page.text, /Tea &amp; Clay/)
  const everything = `${browser.cookie} ${browser.page.text} ${set.house.logged.join('\n')}`
  assert.ok(!everything.includes(tenant.apiKey), 'neither in the cookie, nor on a page, nor in a log')
  assert.ok(!decodeURIComponent(browser.cookie).includes('tcs_'), 'and the session itself is sealed')
  await browser.get('/console?lang=ka')
  assert.match(browser.page.text, /<html lang="ka">[\s\S]*მიმოხილვა/)
  assert.match(
    String(browser.page.headers['set-cookie']),
    /^tether_console=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  await browser.get('/console')
  assert.match(browser.page.text, /<html lang="ka">/, 'the language stays')
  const before = browser.cookie
  await browser.post('/console/sign-out', {})
  assert.match(browser.page.text, WAY_IN)
  browser.cookie = before
  assert.match((await browser.get('/console')).text, WAY_IN, 'the old cookie opens nothing')
})

test('a key that is none, or is for something else, opens nothing and says so', async () => {
  const { tenantId } = await set.house.tenant()
  const { apiKey, keyPrefix } = await set.house.tenant()
  const second = await set.house.ask<{ key: string }>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'secret' },
  })
  await set.house.ask('DELETE', `/v1/account/keys/${keyPrefix}`, { key: second.body.key })
  const tries: [string, RegExp][] = [
    ['tth_nonsense', /not a live secret key/],
    [`tth_${'0'.repeat(48)}`, /not a live secret key/],
    [apiKey, /not a live secret key/],
    [set.house.operatorKey, /not a live secret key/],
    [await set.house.key(tenantId, 'publishable'), /publishable key of a page/],
    [await set.house.key(tenantId, 'agent'), /for something else/],
    [await set.house.key(tenantId, 'inbox'), /for something else/],
  ]
  for (const [key, says] of tries) {
    const browser = new PageBrowser(set.house)
    await browser.get('/console')
    await browser.post('/console/enter', { key })
    assert.equal(browser.page.status, 401)
    assert.match(browser.page.text, says, key)
    assert.ok(!browser.page.text.includes(key), 'what was typed is not sent back')
    assert.equal(browser.cookie, '')
  }
})

test('a session ends with its key, from the next request on, and other keys of the workspace keep theirs', async () => {
  const { apiKey, keyPrefix } = await set.house.tenant()
  const second = await set.house.ask<{ key: string }>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'secret' },
  })
  const [first, other] = [await withKey(apiKey), await withKey(second.body.key)]
  await set.house.ask('DELETE', `/v1/account/keys/${keyPrefix}`, { key: second.body.key })
  assert.match((await first.get('/console')).text, /Your session has ended/)
  assert.match(String(first.page.headers['set-cookie']), /Max-Age=0/)
  assert.match((await other.get('/console')).text, SIGN_OUT)
})

test('the owner comes in by a link to the confirmed address, once', async () => {
  const { email, apiKey } = await owned()
  const browser = new PageBrowser(set.house)
  await browser.get('/console?lang=ka')
  await browser.post('/console/sign-in', { email })
  assert.match(browser.page.text, /შეამოწმეთ ფოსტა/)
  const link = (await linkTo(email)) ?? assert.fail('no link was mailed')
  const { pathname, search, hash } = new URL(link)
  for (let look = 0; look < 3; look++) await browser.get(`${pathname}${search}`)
  assert.match(browser.page.text, WAY_IN, 'a scanner that follows the link signs nobody in')
  await browser.post('/console/open', { link })
  assert.match(browser.page.text, SIGN_OUT)
  assert.ok(!set.house.logged.join('\n').includes(hash.slice(8)), 'the token is in no log')
  const again = new PageBrowser(set.house)
  await again.get('/console')
  await again.post('/console/open', { link })
  assert.equal(again.page.status, 400)
  assert.match(again.page.text, /This link does not work/)
  // Whoever moves the workspace to another address takes the old one's session with it.
  await set.house.ask('POST', '/v1/account/confirmation', { key: apiKey, body: { email: newAddress() } })
  assert.match((await browser.get('/console')).text, WAY_IN)
})

test('an address that is not confirmed, or is nobody’s, is answered alike and mailed nothing', async () => {
  const unconfirmed = newAddress()
  await set.house.signUp({ email: unconfirmed })
  const texts: string[] = []
  const { email } = await owned()
  for (const address of [email, unconfirmed, newAddress()]) {
    const browser = new PageBrowser(set.house)
    await browser.get('/console')
    await browser.post('/console/sign-in', { email: address })
    texts.push(browser.page.text.replaceAll(/value="[\w-]{60,}"/g, ''))
  }
  assert.equal(new Set(texts).size, 1)
  assert.ok((await linkTo(email)) !== undefined)
  assert.equal(await linkTo(unconfirmed), undefined)
})

test('only the newest link opens, and a link of another purpose opens nothing', async () => {
  const { email } = await owned()
  const links: string[] = []
  for (let round = 0; round < 2; round++) {
    const browser = new PageBrowser(set.house)
    await browser.get('/console')
    await browser.post('/console/sign-in', { email })
    links.push((await linkTo(email)) ?? assert.fail('no link'))
  }
  const [older = '', newest = ''] = links
  assert.notEqual(older, newest)
  const browser = new PageBrowser(set.house)
  await browser.get('/console')
  await browser.post('/console/open', { link: older })
  assert.match(browser.page.text, /This link does not work/)
  const signup = await set.house.signUp()
  const mails = await set.house.mailsTo(signup.confirmation?.sentTo ?? '')
  const confirming = /confirm=([\w-]+)/.exec(mails[0]?.parts[0]?.text ?? '')?.[1] ?? assert.fail('no link')
  await browser.post('/console/open', { link: confirming })
  assert.match(browser.page.text, /This link does not work/)
  await browser.post('/console/open', { link: newest })
  assert.match(browser.page.text, SIGN_OUT)
})

test('a cookie of another deployment, of another page, or one of two opens nothing; signing in always makes a new one', async () => {
  const { tenant, browser } = await workspace()
  const planted = browser.cookie
  const fresh = new PageBrowser(set.house)
  fresh.cookie = planted
  const signIn = new PageBrowser(set.house)
  await signIn.get('/console')
  await fresh.post('/console/enter', { key: tenant.apiKey, token: signIn.hidden().token ?? '' })
  assert.match(fresh.page.text, SIGN_OUT)
  assert.notEqual(fresh.cookie, planted, 'a session that was there before is not taken over')
  await using elsewhere = await openMailedHouse({}, { modules: MODULES })
  const visitor = new PageBrowser(elsewhere)
  visitor.cookie = planted
  assert.match((await visitor.get('/console')).text, WAY_IN)
  for (const cookie of [`${planted}x`, 'tether_console=x', `${planted}; ${fresh.cookie}`]) {
    const one = new PageBrowser(set.house)
    one.cookie = cookie
    assert.match((await one.get('/console')).text, WAY_IN, cookie)
  }
  const inbox = new PageBrowser(set.house)
  inbox.cookie = planted.replace('tether_console', 'tether_inbox')
  assert.doesNotMatch((await inbox.get('/inbox')).text, /\/inbox\/sign-out/)
})

test('over https the cookie is this host’s alone', async () => {
  await using house = await openHouse({ modules: MODULES, settings: { 'Http:PublicUrl': 'https://tether.example' } })
  const { apiKey } = await house.tenant()
  const browser = new PageBrowser(house)
  await browser.get('/console')
  await browser.post('/console/enter', { key: apiKey })
  assert.match(browser.cookie, /^__Host-tether_console=/)
})

test('somebody creates a workspace on a page, in both languages, and comes in with its key', async () => {
  for (const [language, made] of [
    ['en', /“Clay &amp; Co” is ready/],
    ['ka', /„Clay &amp; Co“ მზადაა/],
  ] as const) {
    const browser = new PageBrowser(set.house)
    await browser.get(`/signup?lang=${language}`)
    const wrong = await browser.post('/signup', { email: 'nobody', name: 'Clay & Co' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /value="Clay &amp; Co"/, 'what was typed stays')
    const email = newAddress()
    await browser.post('/signup', { email, name: 'Clay & Co' })
    assert.match(browser.page.text, made)
    assert.equal(browser.page.headers['cache-control'], 'no-store')
    const key = /TETHER_API_KEY=&#39;(tth_[0-9a-f]{48})&#39;/.exec(browser.page.text)?.[1] ?? assert.fail('no key')
    assert.ok((await set.house.mailsTo(email)).length > 0, 'the link to confirm is mailed')
    await withKey(key)
    await browser.get(`/signup?lang=${language}`)
    const foreign = await browser.post(
      '/signup',
      { email: newAddress(), name: 'X' },
      { origin: 'https://evil.example' },
    )
    assert.equal(foreign.status, 403)
    const bare = await browser.post('/signup', { email: newAddress(), name: 'X', token: '' })
    assert.equal(bare.status, 403)
  }
})

test('after a leak every session of the console ends, but the one of the owner who says so', async () => {
  const { email, apiKey } = await owned()
  const owner = async () => {
    const browser = new PageBrowser(set.house)
    await browser.get('/console')
    await browser.post('/console/sign-in', { email })
    const link = (await linkTo(email)) ?? assert.fail('no link was mailed')
    await browser.post('/console/open', { link })
    assert.match(browser.page.text, SIGN_OUT)
    return browser
  }
  const [thief, other, own] = [await owner(), await withKey(apiKey), await owner()]
  await own.get('/console/danger')
  await own.post('/console/danger/leak', { 'leak-name': 'Tea & Clay' })
  const key = /tth_[0-9a-f]{48}/.exec(own.page.text)?.[0] ?? assert.fail('no key')
  for (const ended of [thief, other]) assert.match((await ended.get('/console')).text, /Your session has ended/)
  assert.match((await own.get('/console')).text, SIGN_OUT)
  await set.house.ask('POST', '/v1/account/compromise', { key, body: {} })
  assert.match((await own.get('/console')).text, /Your session has ended/)
})

test('whoever makes workspaces with somebody else’s address keeps no link of theirs from them', async () => {
  const { email, tenantId } = await owned('Mine')
  const provider = await openProvider(set.house)
  for (let count = 0; count < 6; count++) await provider.business({ name: `Theirs ${count}`, email })
  const browser = new PageBrowser(set.house)
  await browser.get('/console')
  await browser.post('/console/sign-in', { email })
  const opened: string[] = []
  for (const mail of await set.house.mailsTo(email)) {
    const visitor = new PageBrowser(set.house)
    await visitor.get('/console')
    await visitor.post('/console/open', { link: linkIn(mail) })
    opened.push(/<p class="brand">([^<]*)</.exec(visitor.page.text)?.[1] ?? '')
  }
  assert.ok(opened.includes('Mine'), opened.join(', '))
  await set.house.ask('POST', '/v1/signup/recover', { body: { email }, from: newClient() })
  const recovered = (await set.house.mailsTo(email)).slice(opened.length).map(({ parts }) => JSON.stringify(parts))
  assert.ok(
    recovered.some((text) => text.includes('Mine')),
    `${recovered.length} mails, and none is for ${tenantId}`,
  )
})

test('whoever sends a form and was never signed in is counted by their address, before the body is read', async () => {
  // One for the way in, and one for each of two strangers.
  await using house = await openHouse({ modules: MODULES, settings: { 'RateLimit:AnonymousPerMinute': '3' } })
  const { apiKey } = await house.tenant()
  const owner = new PageBrowser(house)
  await owner.get('/console')
  await owner.post('/console/enter', { key: apiKey })
  assert.match(owner.page.text, SIGN_OUT)
  for (const cookie of ['', 'tether_console=AAAA'])
    assert.equal((await post(house, '/console/catalog/check', cookie)).status, 403, cookie)
  for (const path of ['/console/catalog/check', '/console/sign-out', '/inbox/decide', '/inbox/sign-out'])
    assert.equal((await post(house, path, `${owner.cookie}x`)).status, 429, path)
  for (let turn = 0; turn < 5; turn++)
    assert.equal((await post(house, '/console/keys/issue', owner.cookie)).status, 403, 'known, and without a token')
})

const post = (house: OpenHouse, path: string, cookie: string) =>
  house.ask('POST', path, {
    raw: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie === '' ? {} : { cookie }) },
  })
