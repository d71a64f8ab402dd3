import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openKeyring } from '../../foundation/crypto/index.ts'
import { statement } from '../../foundation/db/index.ts'
import { resealWidgetKeys } from '../../ground/access/index.ts'

type Embed = {
  key: string
  prefix: string
  issued: boolean
  revokedPrefix: string | null
  endpoint: string
  scriptUrl: string
  snippet: string
  origins: string[]
  held: string[]
}
type Check = {
  reachable: boolean
  status: number | null
  finalUrl: string | null
  error: string | null
  snippet: { element: boolean; script: boolean; key: string }
  secretKeyOnPage: boolean
  csp: { scriptAllowed: boolean; connectAllowed: boolean } | null
  origins: { origin: string; serves: boolean; registered: boolean; held: boolean }[]
}

let house: OpenHouse
let tenant: NewTenant
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const asTenant = async <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  await house.ask<Body>(method, path, { key: tenant.apiKey, ...(body === undefined ? {} : { body }) })
const unconfirmed = statement<unknown, [tenantId: number]>(
  'embed_test.unconfirmed',
  'update tenants set self_serve = true, email_confirmed_at = null where tenant_id = $1::int',
)
const sealedKey = statement<{ sealed: string }, [tenantId: number, prefix: string]>(
  'embed_test.sealed_key',
  'select sealed from keys where tenant_id = $1::int and prefix = $2::text',
)
const putSealed = statement<unknown, [tenantId: number, prefix: string, sealed: string]>(
  'embed_test.put_sealed',
  'update keys set sealed = $3::text where tenant_id = $1::int and prefix = $2::text',
)
const asksBrand = (key: string, origin?: string) =>
  house.ask('GET', '/v1/chat/brand', { key, ...(origin === undefined ? {} : { headers: { origin } }) })

test('the first call issues the widget key, later ones give the same; a rotated one stops at once', async () => {
  tenant = await house.tenant()
  await asTenant('PUT', '/v1/origins', { origins: ['https://shop.example'] })
  const [first, second] = await Promise.all([
    asTenant<Embed>('POST', '/v1/embed'),
    asTenant<Embed>('POST', '/v1/embed', {}),
  ])
  assert.deepEqual([first.body.issued, second.body.issued].sort(), [false, true], 'two at once get one key')
  assert.equal(first.body.key, second.body.key)
  assert.deepEqual(first.body.origins, ['https://shop.example'])
  assert.equal((await asksBrand(first.body.key, 'https://shop.example')).status, 200)
  const rotated = (await asTenant<Embed>('POST', '/v1/embed/rotate', { language: 'ka' })).body
  assert.deepEqual([rotated.issued, rotated.revokedPrefix], [true, first.body.prefix])
  assert.equal((await asksBrand(first.body.key, 'https://shop.example')).error?.code, 'invalid_api_key')
  assert.equal((await asTenant<Embed>('POST', '/v1/embed')).body.key, rotated.key)
  // Through the account's own routes it stays the widget key, and revoked there is none until the next call.
  const { body: replaced } = await asTenant<{ key: string; prefix: string }>(
    'POST',
    `/v1/account/keys/${rotated.prefix}/rotate`,
  )
  assert.equal((await asTenant<Embed>('POST', '/v1/embed')).body.key, replaced.key)
  await asTenant('DELETE', `/v1/account/keys/${replaced.prefix}`)
  const fresh = (await asTenant<Embed>('POST', '/v1/embed')).body
  assert.ok(fresh.issued && fresh.key !== replaced.key)
})

test('the snippet escapes what it is given, in both languages, and never carries a secret', async () => {
  tenant = await house.tenant()
  const greeting = `"><script>alert('1')</script>&`
  const { body } = await asTenant<Embed>('POST', '/v1/embed', { language: 'ka', greeting })
  assert.match(body.snippet, /^<script src="[^"]+\/widget\/service-assistant\.js" defer><\/script>\n<service-assistant/)
  assert.ok(body.snippet.includes('greeting="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"'))
  assert.ok(body.snippet.includes('lang="ka"') && body.snippet.includes(`publishable-key="${body.key}"`))
  for (const name of ['endpoint', 'mode="floating"', 'launcher-label', 'placeholder'])
    assert.ok(body.snippet.includes(name))
  assert.equal(body.snippet.match(/<script/g)?.length, 1)
  assert.ok(!body.snippet.includes('tth_'))
  for (const bad of [
    { greeting: 'two\nlines' },
    { greeting: 'x'.repeat(201) },
    { language: 'fr' },
    { greeting: 'a\u202eb' },
  ])
    assert.equal((await asTenant('POST', '/v1/embed', bad)).error?.code, 'invalid_request')
  for (const language of ['en', 'English'])
    assert.match((await asTenant<Embed>('POST', '/v1/embed', { language })).body.snippet, /lang="en"/)
})

test('origins are kept as a browser sends them; whatever is none is refused', async () => {
  tenant = await house.tenant()
  const put = (origins: string[]) => asTenant<{ origins: string[]; held: string[] }>('PUT', '/v1/origins', { origins })
  const { body } = await put([
    'HTTPS://Shop.Example:443/',
    'https://shop.example',
    'https://მაღაზია.ge',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:80',
  ])
  assert.deepEqual(body, {
    origins: [
      'https://shop.example',
      'https://xn--9ldcbu1jya.ge',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]',
    ].map((o) => (o.includes('xn--') ? new URL('https://მაღაზია.ge').origin : o)),
    held: [],
  })
  for (const bad of [
    'http://shop.example',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://u:p@shop.example',
    'https://*.shop.example',
    'null',
    '',
    'ftp://shop.example',
    'shop.example',
    'https://shop.example#x',
    'https://',
  ])
    assert.equal((await put([bad])).error?.code, 'invalid_origin', bad)
  assert.equal(
    (await put(Array.from({ length: 90 }, (_, at) => `https://shop-number-${at}.example`))).error?.code,
    'too_many_origins',
  )
  assert.deepEqual(
    (await asTenant<{ origins: string[] }>('GET', '/v1/origins')).body.origins,
    body.origins,
    'a refusal changes nothing',
  )
})

test('a public origin waits for a confirmed address, and a held one is refused like a foreign one', async () => {
  tenant = await house.tenant()
  await house.database.database.run(unconfirmed, [tenant.tenantId])
  const origins = ['https://shop.example', 'http://localhost:3000', 'https://192.168.1.5']
  const refused = await asTenant('PUT', '/v1/origins', { origins })
  assert.deepEqual(
    [refused.status, refused.error?.code, refused.error?.reason],
    [403, 'email_unconfirmed', 'public_origin'],
  )
  const { body } = await asTenant('PUT', '/v1/origins', { origins, holdUntilConfirmed: true })
  assert.deepEqual(body, {
    origins: ['http://localhost:3000', 'https://192.168.1.5'],
    held: ['https://shop.example'],
    reason: 'public_origin',
  })
  assert.deepEqual((await asTenant('PUT', '/v1/origins', { origins: ['http://localhost:3000'] })).body, {
    origins: ['http://localhost:3000'],
    held: [],
  })
  await asTenant('PUT', '/v1/origins', { origins, holdUntilConfirmed: true })
  const { key, held } = (await asTenant<Embed>('POST', '/v1/embed')).body
  assert.deepEqual(held, ['https://shop.example'])
  for (const origin of [
    'https://shop.example',
    'https://other.example',
    'null',
    'http://localhost:3001',
    'https://localhost:3000',
    undefined,
  ])
    assert.equal((await asksBrand(key, origin)).error?.code, 'origin_not_allowed', String(origin))
  assert.equal((await asksBrand(key, 'http://localhost:3000')).status, 200)
})

test('brand: stored lower case, cleared by null or nothing, read by the widget from its page', async () => {
  tenant = await house.tenant()
  await asTenant('PUT', '/v1/origins', { origins: ['https://shop.example'] })
  const { key } = (await asTenant<Embed>('POST', '/v1/embed')).body
  assert.deepEqual((await asksBrand(key, 'https://shop.example')).body, { color: null, logo: null })
  const logo = 'https://shop.example/logo.svg'
  assert.deepEqual((await asTenant('PUT', '/v1/chat/brand', { color: '#12615B', logo })).body, {
    color: '#12615b',
    logo,
  })
  assert.deepEqual((await asTenant('PUT', '/v1/chat/brand', { color: '' })).body, { color: null, logo })
  const read = await asksBrand(key, 'https://shop.example')
  assert.equal(read.headers['cache-control'], 'private, max-age=300')
  assert.equal(read.headers['access-control-allow-origin'], 'https://shop.example')
  for (const color of ['12615b', '#fff', 'red', 7])
    assert.equal((await asTenant('PUT', '/v1/chat/brand', { color })).error?.code, 'invalid_brand_color')
  for (const bad of [
    'javascript:alert(1)',
    'https://u@shop.example/x',
    `https://x.example/${'a'.repeat(2048)}`,
    'logo.svg',
  ])
    assert.equal((await asTenant('PUT', '/v1/chat/brand', { logo: bad })).error?.code, 'invalid_brand_logo')
  assert.equal(
    (await house.ask('PUT', '/v1/chat/brand', { key, body: {}, headers: { origin: 'https://shop.example' } })).error
      ?.code,
    'insufficient_scope',
  )
})

test('the widget key is sealed at rest, and sealed again when the encryption key changes', async () => {
  tenant = await house.tenant()
  const { key, prefix } = (await asTenant<Embed>('POST', '/v1/embed')).body
  const read = async () => (await house.database.database.one(sealedKey, [tenant.tenantId, prefix]))?.sealed ?? ''
  const before = await read()
  assert.match(before, /^enc:v1:/)
  assert.ok(!before.includes(key.slice(4)))
  const { settings, app } = house
  const keyring = openKeyring({ key: randomBytes(32).toString('base64'), previous: [settings.encryption.key] })
  const count = await resealWidgetKeys({ db: app.house.db, log: app.house.log, keyring })
  assert.ok(count.resealed >= 1 && count.unreadable === 0)
  assert.equal(
    keyring.open(await read(), { table: 'keys', column: 'sealed', tenantId: tenant.tenantId, row: prefix }),
    key,
  )
  assert.equal((await resealWidgetKeys({ db: app.house.db, log: app.house.log, keyring })).resealed, 0)
  // Back under the key of this house, for the tests that follow.
  const back = openKeyring({ key: settings.encryption.key, previous: [] })
  await house.database.database.run(putSealed, [tenant.tenantId, prefix, before])
  assert.equal(
    back.open(await read(), { table: 'keys', column: 'sealed', tenantId: tenant.tenantId, row: prefix }),
    key,
  )
})

async function site(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('the check says what a page carries and whether its policy would let it work', async () => {
  tenant = await house.tenant()
  const { snippet, endpoint } = (await asTenant<Embed>('POST', '/v1/embed')).body
  const pages: Record<string, { html: string; csp?: string }> = {
    '/good': { html: `<html><body>${snippet}</body>` },
    '/commented': { html: `<!-- ${snippet} --><script>const a = "<service-assistant>"</script>` },
    '/other': { html: snippet.replace(/tpk_\w+/, `tpk_${'0'.repeat(48)}`) },
    '/secret': { html: `<!-- tth_${'a'.repeat(48)} -->` },
    '/strict': { html: snippet, csp: "default-src 'self'" },
    '/open': {
      html: `<meta http-equiv="Content-Security-Policy" content="script-src ${endpoint}">${snippet}`,
      csp: `connect-src ${endpoint}`,
    },
  }
  const shop = await site(({ url = '' }, response) => {
    const page = pages[url]
    if (page !== undefined)
      response.writeHead(200, page.csp === undefined ? {} : { 'content-security-policy': page.csp }).end(page.html)
    else if (/^\/hop\d+$/.test(url))
      response.writeHead(302, { location: url === '/hop0' ? '/good' : `/hop${Number(url.slice(4)) - 1}` }).end()
    else if (url !== '/silent') response.writeHead(404).end()
  })
  await asTenant('PUT', '/v1/origins', { origins: [shop.url] })
  const check = async (path: string) =>
    (await asTenant<Check>('POST', '/v1/embed/check', { url: shop.url + path })).body
  const good = await check('/good')
  assert.deepEqual(good.snippet, { element: true, script: true, key: 'this_workspace' })
  assert.deepEqual([good.reachable, good.status, good.csp, good.secretKeyOnPage], [true, 200, null, false])
  assert.deepEqual(good.origins, [{ origin: shop.url, serves: true, registered: true, held: false }])
  assert.deepEqual((await check('/commented')).snippet, { element: false, script: false, key: 'missing' })
  assert.equal((await check('/other')).snippet.key, 'other')
  assert.equal((await check('/secret')).secretKeyOnPage, true)
  assert.deepEqual((await check('/strict')).csp, { scriptAllowed: false, connectAllowed: false })
  assert.deepEqual((await check('/open')).csp, { scriptAllowed: true, connectAllowed: true })
  assert.equal((await check('/hop4')).finalUrl, `${shop.url}/good`)
  assert.equal((await check('/hop5')).reachable, false, 'six redirects are too many')
  const missing = await check('/nowhere')
  assert.deepEqual([missing.reachable, missing.status, missing.origins[0]?.serves], [true, 404, false])
  for (const url of ['ftp://x.example', 'https://u:p@x.example', 'shop', 'javascript:1'])
    assert.equal((await asTenant('POST', '/v1/embed/check', { url })).error?.code, 'invalid_site_url', url)
  shop.close()
  const gone = await check('/good')
  assert.ok(!gone.reachable && (gone.error ?? '').length > 10 && gone.csp === null)
})
