import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { gzipSync } from 'node:zlib'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { openHouse } from '../../../testkit/house.ts'
import { type MailedHouse, newAddress, openMailedHouse, tokenIn } from '../../../testkit/mailed-house.ts'
import { timed } from '../../../testkit/stopwatch.ts'

type Snippet = z.output<typeof contract.EmbedSnippet>
type Origins = z.output<typeof contract.OriginsStored>
type Check = z.output<typeof contract.SiteCheck>
type Issued = z.output<typeof contract.IssuedKey>

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const embed = (key: string, body: unknown = {}) => house.ask<Snippet>('POST', '/v1/embed', { key, body })
const put = (key: string, origins: string[], holdUntilConfirmed?: boolean) =>
  house.ask<Origins>('PUT', '/v1/origins', { key, body: { origins, holdUntilConfirmed } })

test('the first call makes the widget’s key, later ones give it again', async () => {
  const { apiKey } = await house.tenant()
  const first = (await embed(apiKey, { language: 'ka' })).body
  assert.match(first.key, /^tpk_[0-9a-f]{48}$/)
  assert.deepEqual([first.issued, first.kind, first.revokedPrefix], [true, 'publishable', null])
  assert.match(first.snippet, /lang="ka"/)
  const again = (await house.ask<Snippet>('POST', '/v1/embed', { key: apiKey })).body
  assert.deepEqual([again.key, again.issued], [first.key, false])
  assert.match(again.snippet, /lang="en"/)
  const listed = await house.ask<{ keys: { prefix: string; label: string }[] }>('GET', '/v1/account/keys', {
    key: apiKey,
  })
  assert.equal(listed.body.keys.filter(({ label }) => label === 'Website widget').length, 1)
})

test('fifty calls at once make one key', async () => {
  const { apiKey } = await house.tenant()
  const answers = await Promise.all(Array.from({ length: 50 }, () => embed(apiKey)))
  assert.equal(new Set(answers.map(({ body }) => body.key)).size, 1)
  assert.equal(answers.filter(({ body }) => body.issued).length, 1)
})

test('the snippet escapes what it is given, and carries no other kind of key', async () => {
  const { apiKey } = await house.tenant()
  const { body } = await embed(apiKey, { greeting: `"><script>alert('x')</script>&` })
  assert.match(body.snippet, /greeting="&quot;&gt;&lt;script&gt;alert\(&#39;x&#39;\)&lt;\/script&gt;&amp;"/)
  assert.equal(body.snippet.match(/<script/g)?.length, 1)
  assert.ok(!body.snippet.includes(apiKey))
  assert.equal(body.scriptUrl, `${body.endpoint}/widget/service-assistant.js`)
  for (const refused of [
    { language: 'fr' },
    { language: 'constructor' },
    { language: '__proto__' },
    { greeting: 'a\nb' },
    { greeting: 'x'.repeat(201) },
    { greeting: ' ' },
  ]) {
    assert.equal((await embed(apiKey, refused)).error?.code, 'invalid_request', JSON.stringify(refused))
  }
  assert.equal((await embed(apiKey, { language: 'English', greeting: 'ა'.repeat(200) })).status, 200)
})

test('a rotated key stops at once, by either route, and a revoked one leaves none', async () => {
  const { apiKey } = await house.tenant()
  await put(apiKey, ['https://shop.ge'])
  const brand = (key: string) =>
    house.ask('GET', '/v1/chat/brand', { key, headers: { origin: 'https://shop.ge' } }).then(({ status }) => status)
  const old = (await embed(apiKey)).body
  assert.equal(await brand(old.key), 200)
  const fresh = (await house.ask<Snippet>('POST', '/v1/embed/rotate', { key: apiKey })).body
  assert.deepEqual([fresh.issued, fresh.revokedPrefix], [true, old.prefix])
  assert.deepEqual([await brand(old.key), await brand(fresh.key)], [401, 200])
  const rotated = await house.ask<{ key: string }>('POST', `/v1/account/keys/${fresh.prefix}/rotate`, { key: apiKey })
  assert.equal((await embed(apiKey)).body.key, rotated.body.key)
  const { prefix } = (await embed(apiKey)).body
  await house.ask('DELETE', `/v1/account/keys/${prefix}`, { key: apiKey })
  const next = (await embed(apiKey)).body
  assert.equal(next.issued, true)
  assert.notEqual(next.prefix, prefix)
})

test('origins: public ones of an unconfirmed workspace wait, and the confirmation moves them in', async () => {
  const email = newAddress()
  const { apiKey } = await house.signUp({ email })
  const wanted = ['https://shop.ge', 'http://localhost:3000', 'https://www.shop.ge']
  const refused = await put(apiKey, wanted)
  assert.deepEqual(
    [refused.status, refused.error?.code, refused.error?.reason],
    [403, 'email_unconfirmed', 'public_origin'],
  )
  assert.deepEqual((await house.ask('GET', '/v1/origins', { key: apiKey })).body, { origins: [], held: [] })
  assert.deepEqual((await put(apiKey, wanted, true)).body, {
    origins: ['http://localhost:3000'],
    held: ['https://shop.ge', 'https://www.shop.ge'],
    reason: 'public_origin',
  })
  const { key } = (await embed(apiKey)).body
  const from = (origin: string) => house.ask('GET', '/v1/chat/brand', { key, headers: { origin } })
  assert.equal((await from('https://shop.ge')).error?.code, 'origin_not_allowed')
  assert.equal((await from('http://localhost:3000')).status, 200)
  await house.ask('POST', '/v1/signup/confirm', { body: { token: tokenIn((await house.mailsTo(email)).at(-1)) } })
  assert.equal((await from('https://shop.ge')).status, 200)
  assert.deepEqual((await put(apiKey, ['https://shop.ge'])).body, { origins: ['https://shop.ge'], held: [] })
  assert.equal((await from('https://www.shop.ge')).status, 403)
})

test('origins: what is none is refused by its code, and nothing is written', async () => {
  const { apiKey } = await house.tenant()
  await put(apiKey, ['https://shop.ge'])
  assert.equal((await put(apiKey, ['https://ok.ge', 'https://shop.ge/path'])).error?.code, 'invalid_origin')
  const many = Array.from({ length: 150 }, (_, at) => `https://shop-${at}.example.ge`)
  assert.equal((await put(apiKey, many)).error?.code, 'too_many_origins')
  const evenMore = Array.from({ length: 300 }, (_, index) => `https://shop-${index}.ge`)
  assert.equal((await put(apiKey, evenMore)).error?.code, 'too_many_origins')
  assert.equal((await put(apiKey, [`https://${'a.'.repeat(1500)}ge`])).error?.code, 'too_many_origins')
  assert.deepEqual((await house.ask('GET', '/v1/origins', { key: apiKey })).body, {
    origins: ['https://shop.ge'],
    held: [],
  })
  const alike = Array.from({ length: 300 }, () => 'http://localhost:3000')
  assert.deepEqual((await put(apiKey, alike)).body.origins, ['http://localhost:3000'])
})

test('the brand is set by the workspace and read by its widget, from a registered page only', async () => {
  const { apiKey } = await house.tenant()
  await put(apiKey, ['https://shop.ge'])
  const { key } = (await embed(apiKey)).body
  const set = (body: unknown, by = apiKey) => house.ask('PUT', '/v1/chat/brand', { key: by, body })
  const origin = 'https://shop.ge'
  const read = () => house.ask('GET', '/v1/chat/brand', { key, headers: { origin } })
  assert.deepEqual((await read()).body, { color: null, logo: null })
  assert.deepEqual((await set({ color: '#0B5CAD', logo: 'https://shop.ge/logo.svg' })).body, {
    color: '#0b5cad',
    logo: 'https://shop.ge/logo.svg',
  })
  const answer = await read()
  assert.equal(answer.headers['cache-control'], 'private, max-age=300')
  assert.deepEqual(answer.body, { color: '#0b5cad', logo: 'https://shop.ge/logo.svg' })
  assert.deepEqual((await set({ logo: '' })).body, { color: '#0b5cad', logo: null })
  for (const color of ['red', '#fff', '#0b5cad; background:url(x)', 7]) {
    assert.equal((await set({ color })).error?.code, 'invalid_brand_color', String(color))
  }
  for (const logo of [
    'javascript:alert(1)',
    'https://user:pw@shop.ge/x',
    `https://shop.ge/${'x'.repeat(2048)}`,
    '/logo.svg',
  ]) {
    assert.equal((await set({ logo })).error?.code, 'invalid_brand_logo', logo.slice(0, 40))
  }
  const byWidget = await house.ask('PUT', '/v1/chat/brand', { key, body: { color: null }, headers: { origin } })
  assert.equal(byWidget.error?.code, 'insufficient_scope')
  assert.equal((await house.ask('GET', '/v1/chat/brand', { key: apiKey })).error?.code, 'insufficient_scope')
})

test('the instructions are mailed with the snippet of that moment, five in an hour', async () => {
  const { apiKey } = await house.tenant()
  await put(apiKey, ['https://shop.ge'])
  const send = (email: string, more = {}) =>
    house.ask('POST', '/v1/embed/instructions', { key: apiKey, body: { email, ...more } })
  const to = newAddress()
  const sent = await send(to, { language: 'ka', greeting: 'სალამი & "გამარჯობა"' })
  assert.deepEqual([sent.status, sent.body.status], [202, 'queued'])
  const rotated = (
    await house.ask<Snippet>('POST', '/v1/embed/rotate', {
      key: apiKey,
      body: { language: 'ka', greeting: 'სალამი & "გამარჯობა"' },
    })
  ).body
  const mail = (await house.mailsTo(to)).at(-1)
  const text = mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.text.replaceAll('\r\n', '\n') ?? ''
  assert.ok(text.includes(rotated.snippet), text)
  for (const builder of ['WordPress', 'Wix', 'Tilda', 'Webflow', 'Shopify', 'HTML'])
    assert.ok(text.includes(builder), builder)
  assert.ok(text.includes('https://shop.ge') && !text.includes(apiKey))
  assert.equal((await send('nobody')).error?.code, 'invalid_email')
  for (let more = 0; more < 4; more++) assert.equal((await send(newAddress())).status, 202)
  assert.equal((await send(newAddress())).error?.code, 'embed_mail_limit')
})

test('the instructions of an unconfirmed workspace wait for its address', async () => {
  const { apiKey } = await house.signUp()
  const to = newAddress()
  const { body } = await house.ask('POST', '/v1/embed/instructions', { key: apiKey, body: { email: to } })
  assert.deepEqual([body.status, body.reason], ['held', 'third_party_mail'])
  assert.equal((await house.mailsTo(to)).length, 0)
})

type Page = { readonly headers?: Record<string, string>; readonly body?: string | Buffer; readonly status?: number }

/** A site of pages that a test writes. */
async function openSite(pages: Record<string, Page>): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body = '' } = pages[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('the check reads a page as a browser would', async (t) => {
  const { apiKey } = await house.tenant()
  const { snippet, key } = (await embed(apiKey)).body
  const page = (body: string) => `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`
  const pages: Record<string, Page> = {
    '/good': { body: page(snippet) },
    '/moved': { status: 302, headers: { location: '/good' } },
    '/commented': { body: page(`<!-- ${snippet} -->`) },
    '/in-script': { body: page(`<script type="text/template">${snippet.replaceAll('</', '<\\/')}</script>`) },
    '/foreign': { body: page(snippet.replace(key, `tpk_${'0'.repeat(48)}`)) },
    '/keyless': { body: page('<service-assistant></service-assistant>') },
    '/leaky': { body: page(`<!-- ${apiKey} -->${snippet}`) },
    '/closed': { body: page(snippet), headers: { 'content-security-policy': "default-src 'self'" } },
    '/meta': {
      body: `<html><head><meta http-equiv="Content-Security-Policy" content="script-src 'self'"></head><body>${snippet}</body></html>`,
    },
    '/nonce': {
      body: page(snippet.replace('<script ', '<script nonce="abc" ')),
      headers: { 'content-security-policy': "script-src 'nonce-abc' 'strict-dynamic'" },
    },
  }
  for (let at = 0; at < 7; at++) pages[`/far${at}`] = { status: 302, headers: { location: `/far${at + 1}` } }
  const site = await openSite(pages)
  t.after(() => site.server.close())
  const check = async (path: string) =>
    (await house.ask<Check>('POST', '/v1/embed/check', { key: apiKey, body: { url: site.url + path } })).body
  const good = await check('/moved')
  assert.deepEqual(
    { ...good, url: '', finalUrl: new URL(good.finalUrl).pathname },
    {
      url: '',
      reachable: true,
      status: 200,
      finalUrl: '/good',
      error: null,
      snippet: { element: true, script: true, key: 'this_workspace' },
      csp: null,
      secretKeyOnPage: false,
      origins: [{ origin: site.url, serves: true, registered: false, held: false }],
    },
  )
  await put(apiKey, [site.url])
  assert.equal((await check('/good')).origins[0]?.registered, true)
  const nothing = { element: false, script: false, key: 'missing' }
  assert.deepEqual((await check('/commented')).snippet, nothing)
  assert.deepEqual((await check('/in-script')).snippet, nothing)
  assert.equal((await check('/foreign')).snippet.key, 'other')
  const stranger = await house.tenant()
  pages['/stranger'] = { body: page(snippet.replace(key, await house.key(stranger.tenantId, 'publishable'))) }
  assert.equal((await check('/stranger')).snippet.key, 'other', 'a key of another workspace')
  const issue = (kind: string) => house.ask<Issued>('POST', '/v1/account/keys', { key: apiKey, body: { kind } })
  const own = (await issue('publishable')).body
  pages['/own'] = { body: page(snippet.replace(key, own.key)) }
  pages['/agent'] = { body: page(snippet.replace(key, (await issue('agent')).body.key)) }
  assert.equal((await check('/own')).snippet.key, 'this_workspace', 'any live publishable key of it')
  assert.equal((await check('/agent')).snippet.key, 'other', 'a key that no page may carry')
  await house.ask('DELETE', `/v1/account/keys/${own.prefix}`, { key: apiKey })
  assert.equal((await check('/own')).snippet.key, 'other', 'revoked')
  assert.deepEqual((await check('/keyless')).snippet, { element: true, script: false, key: 'missing' })
  assert.equal((await check('/leaky')).secretKeyOnPage, true)
  assert.deepEqual((await check('/closed')).csp, { scriptAllowed: false, connectAllowed: false })
  assert.deepEqual((await check('/meta')).csp, { scriptAllowed: false, connectAllowed: true })
  assert.deepEqual((await check('/nonce')).csp, { scriptAllowed: true, connectAllowed: true })
  const missing = await check('/nowhere')
  assert.deepEqual([missing.reachable, missing.status, missing.origins[0]?.serves], [true, 404, false])
  const far = await check('/far0')
  assert.equal(far.reachable, false)
  assert.match(far.error ?? '', /redirects/)
})

test('the check refuses what is no page, and says when nothing answers', async () => {
  const { apiKey } = await house.tenant()
  const ask = (url: unknown) => house.ask<Check>('POST', '/v1/embed/check', { key: apiKey, body: { url } })
  for (const url of ['shop.ge', 'ftp://shop.ge', 'https://user@shop.ge', 'javascript:alert(1)', 7]) {
    assert.equal((await ask(url)).error?.code, 'invalid_site_url', String(url))
  }
  const { body } = await ask('http://127.0.0.1:1/')
  assert.equal(body.reachable, false)
  assert.ok((body.error ?? '').length > 10)
})

test('the check reads as much of a page, and waits as long, as the settings say', async (t) => {
  const near = await openHouse({ settings: { 'Embed:CheckTimeoutSeconds': '2' } })
  t.after(() => near.close())
  const { apiKey } = await near.tenant()
  const { snippet } = (await near.ask<{ snippet: string }>('POST', '/v1/embed', { key: apiKey })).body
  const site = await openSite({
    '/fits': { body: snippet.padEnd(524_288) },
    '/large': { body: snippet.padEnd(524_289) },
    '/packed': { body: gzipSync(snippet.padEnd(2_000_000)), headers: { 'content-encoding': 'gzip' } },
    '/late': { body: `${''.padEnd(524_289)}${snippet}` },
  })
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  t.after(() => {
    site.server.close()
    silent.close()
    silent.closeAllConnections()
  })
  const check = async (url: string) =>
    (await near.ask<Check>('POST', '/v1/embed/check', { key: apiKey, body: { url } })).body
  assert.equal((await check(`${site.url}/fits`)).snippet.element, true)
  for (const path of ['/large', '/packed']) {
    const large = await check(site.url + path)
    assert.deepEqual([large.reachable, large.status, large.snippet.element], [true, 200, true], path)
    assert.match(large.error ?? '', /524288/, 'it says that only the beginning was read')
    assert.equal(large.origins[0]?.serves, true)
  }
  assert.equal((await check(`${site.url}/late`)).snippet.element, false, 'what was not read is not judged')
  const silence = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const { result: late, ms } = await timed(() => check(silence), 2_000)
  assert.equal(late.reachable, false)
  assert.ok((late.error ?? '') !== '' && ms < 1000, `${late.error}, ${ms} ms too many`)
})
