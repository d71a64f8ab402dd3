import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Ask, type OpenHouse, openHouse, type Reply } from '../../../../testkit/house.ts'
import { reading, type Scripted, scriptedSite } from '../fixtures/scripted-site.ts'
import { previews, previewsWith } from '../module.ts'
import { TRY_WORDS } from './words.ts'

const SETTINGS = {
  'PreviewSandbox:Enabled': 'true',
  'PreviewSandbox:IpHashSalt': '5f0c7e2b9a1d4836c8e7f01b2d3a4956',
  'PreviewSandbox:MaxPerAddressPerDay': '1000',
  'PreviewSandbox:MaxGlobalPerHour': '1000',
  'Signup:Enabled': 'true',
  'Signup:MaxPerIpPerDay': '1000',
}

let house: OpenHouse
let site: Scripted
before(async () => {
  site = scriptedSite()
  house = await openHouse({ modules: [previewsWith(site.read)], settings: SETTINGS })
})
after(() => house.close())
beforeEach(() => {
  site.next = reading({ brand: { name: null, color: '#0b5cad', logoUrl: null } })
})

type Answered = Promise<Reply<{ state?: string }>>
type Browser = {
  get(path: string): Answered
  post(path: string, fields: Record<string, string>, more?: Ask): Answered
}

/** Keeps cookies and the token of the last page, as a browser does. */
function browser(at = house): Browser {
  let cookie = ''
  let token = ''
  const heed = async (answer: Answered): Answered => {
    const { headers, text } = await answer
    const set = headers['set-cookie']
    if (typeof set === 'string') cookie = set.split(';')[0] ?? ''
    token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? token
    return await answer
  }
  return {
    get: (path) => heed(at.ask('GET', path, { headers: { cookie } })),
    post: (path, fields, more = {}) =>
      heed(
        at.ask('POST', path, {
          raw: new URLSearchParams({ token, lang: 'en', ...fields }).toString(),
          ...more,
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
        }),
      ),
  }
}

async function ready(one: Browser): Promise<string> {
  await one.get('/try?lang=en')
  const sent = await one.post('/try', { siteUrl: '1.1.1.1' })
  assert.deepEqual([sent.status, sent.headers.location], [303, '/try?lang=en'])
  for (let round = 0; round < 6_000; round++) {
    const { body } = await one.get('/try/status')
    if (body.state === 'ready') return (await one.get('/try?lang=en')).text
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the site was never read')
}

test('a stranger reads a site, sees what was found, and keeps it', async () => {
  const one = browser()
  const first = await one.get('/try')
  assert.equal(first.status, 200)
  assert.ok(first.text.includes(TRY_WORDS.en.open.heading))
  const page = await ready(one)
  for (const seen of [
    'It has read 2 pages of Lamp House',
    '#0b5cad',
    'Delivery and returns',
    TRY_WORDS.en.ready.label,
  ]) {
    assert.ok(page.includes(seen), seen)
  }
  assert.match(page, /<service-assistant endpoint="" publishable-key="tsb_[0-9a-f]{48}"/)
  assert.ok(!page.includes('/try/logo'), 'a logo that was not read is not shown')
  const wrong = await one.post('/try/claim', { email: 'nobody', name: 'Lamp <House>' })
  assert.equal(wrong.status, 400)
  assert.ok(wrong.text.includes(TRY_WORDS.en.refused.invalid_email ?? '?'))
  assert.ok(
    wrong.text.includes('value="Lamp &lt;House&gt;"') && wrong.text.includes('value="nobody"'),
    'what was typed stays',
  )
  const kept = await one.post('/try/claim', { email: 'ana@lamps.example', name: 'Lamp House' })
  assert.equal(kept.status, 200)
  const key = /tth_[0-9a-f]{48}/.exec(kept.text)?.[0] ?? ''
  for (const step of [TRY_WORDS.en.kept.readAll, '/v1/preview', 'https://lamps.example', TRY_WORDS.en.kept.embed])
    assert.ok(kept.text.includes(step), step)
  assert.equal((await house.ask('GET', '/v1/preview', { key })).body.previewOnly, true)
  assert.match(String(kept.headers['set-cookie']), /Max-Age=0/)
  assert.ok((await one.get('/try?lang=en')).text.includes(TRY_WORDS.en.open.heading))
})

test('how far the reading is stands in the limits’ own numbers, and the page works without scripts', async () => {
  const gate = Promise.withResolvers<void>()
  site.next = async () => {
    await gate.promise
    return reading()
  }
  const one = browser()
  await one.get('/try')
  await one.post('/try', { siteUrl: 'https://1.1.1.1/' })
  const { text } = await one.get('/try?lang=ka')
  assert.match(text, /<noscript><meta http-equiv="refresh" content="2"><\/noscript>/)
  assert.match(text, /<html lang="ka">[\s\S]*იკითხება: 1\.1\.1\.1\.[\s\S]*0 \/ 8[\s\S]*0 \/ 1024 KB[\s\S]*\d+ \/ 20 s/)
  gate.resolve()
})

test('an address that does not work is said above the form, with what was typed', async () => {
  for (const [siteUrl, code] of [
    ['ftp://shop.example', 'invalid_site_url'],
    ['https://me:pw@1.1.1.1/', 'invalid_site_url'],
    ['', 'invalid_site_url'],
  ] as const) {
    const one = browser()
    await one.get('/try')
    const { status, text } = await one.post('/try', { siteUrl })
    assert.equal(status, 400)
    assert.ok(text.includes(TRY_WORDS.en.refused[code] ?? '?'))
  }
  site.next = { fault: 'preview_empty', reason: 'site_challenged', message: 'A challenge.' }
  const one = browser()
  await one.get('/try')
  await one.post('/try', { siteUrl: '1.1.1.1' })
  for (let round = 0; (await one.get('/try/status')).body.state !== 'failed'; round++) assert.ok(round < 400)
  const { text } = await one.get('/try?lang=en')
  assert.ok(
    text.includes('Nothing could be read at 1.1.1.1') &&
      text.includes(TRY_WORDS.en.failed.reasons.site_challenged ?? '?'),
  )
  assert.equal((await one.post('/try', { siteUrl: '1.1.1.1' })).status, 303, 'its form reads another one')
})

test('an address is taken as people write it, and a limit says when the next one is let in', async () => {
  const settings = { ...SETTINGS, 'PreviewSandbox:MaxPerAddressPerDay': '2' }
  await using few = await openHouse({ modules: [previewsWith(site.read)], settings })
  const send = async (siteUrl: string, lang = 'en') => {
    const one = browser(few)
    const { text } = await one.get('/try')
    assert.match(text, /<input id="site" name="siteUrl" type="text" inputmode="url"/)
    return await one.post('/try', { siteUrl, lang })
  }
  // A name with a port is no scheme. This one leads nowhere, so that it opens nothing.
  assert.ok((await send('shop.invalid:8080/en')).text.includes(TRY_WORDS.en.refused.site_refused ?? '?'))
  for (const siteUrl of ['1.1.1.1', ' 1.1.1.1:8080/shop ']) assert.equal((await send(siteUrl)).status, 303, siteUrl)
  const { status, text } = await send('1.1.1.1')
  assert.equal(status, 429)
  assert.match(text, /There were too many attempts\. Try again in 24 hours\./)
  assert.ok((await send('1.1.1.1', 'ka')).text.includes('სცადეთ ხელახლა 24 საათში'))
})

test('a form from elsewhere, or for another sandbox, does nothing', async () => {
  const [one, two] = [browser(), browser()]
  await ready(one)
  await ready(two)
  site.asked.length = 0
  const foreign = { headers: { origin: 'https://evil.example' } }
  for (const path of ['/try', '/try/claim', '/try/leave']) {
    assert.equal((await one.post(path, { email: 'eve@evil.example', name: 'Eve' }, foreign)).status, 403, path)
    assert.equal((await one.post(path, { token: '' })).status, 403, path)
    const cross = { headers: { 'sec-fetch-site': 'cross-site' } }
    assert.equal((await one.post(path, {}, cross)).status, 403, path)
  }
  const page = (await two.get('/try')).text
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  assert.equal((await one.post('/try/leave', { token })).status, 403, 'the token of another sandbox')
  assert.deepEqual(site.asked, [])
})

test('a page asks no other host, shows nothing of the site as markup, and is not there where sandboxes are off', async () => {
  site.next = reading({ name: '<img src=x onerror=alert(1)>', topics: ['</li><script>alert(2)</script>'] })
  const page = await ready(browser())
  assert.ok(!page.includes('<img src=x') && !page.includes('<script>alert'))
  const shown = await browser().get('/try')
  assert.match(
    String(shown.headers['content-security-policy']),
    /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/,
  )
  assert.ok(!/(?:src|href|action)="(?:https?:)?\/\//.test(page))
  assert.ok(page.length < 60_000)
  await using off = await openHouse({ modules: [previews], settings: { 'PreviewSandbox:Enabled': 'false' } })
  assert.deepEqual([(await off.ask('GET', '/try')).status], [404])
  const front = await off.ask('GET', '/', { headers: { accept: 'text/html' } })
  assert.ok(!front.text.includes('href="try"'))
  assert.ok((await house.ask('GET', '/', { headers: { accept: 'text/html' } })).text.includes('href="try"'))
})

test('both languages say the same things', () => {
  const keys = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keys(inner)]))
      : typeof value
  assert.deepEqual(keys(TRY_WORDS.ka), keys(TRY_WORDS.en))
})
