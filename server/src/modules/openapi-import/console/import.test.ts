import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { set, workspace } from '../../console/fixtures/owner.ts'
import { SHOP } from './fixtures/shop.ts'

const ask = <Body = Record<string, unknown>>(method: string, path: string, key: string, body?: unknown) =>
  set.house.ask<Body>(method, path, body === undefined ? { key } : { key, body })

async function listening(handler: RequestListener) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { address, [Symbol.asyncDispose]: close }
}

const BASE = 'http://127.0.0.1:9009/api'
type Browser = Awaited<ReturnType<typeof workspace>>['browser']
type Listed = {
  version: number
  tools: { name: string; is_write?: boolean; risk?: string; requires_customer?: boolean }[]
}

const read = (browser: Browser, document: unknown = SHOP) =>
  browser.post('/console/import/draft', { document: JSON.stringify(document), baseUrl: BASE })

/** What is chosen on the page, by the name of its field. */
const chosen = (text: string) => [...text.matchAll(/type="(?:radio|checkbox)" name="\w+" value="\w+" checked/g)]

/** The field of an operation. */
function fieldOf(text: string, name: string): string {
  const at = text.indexOf(`<span class="meta">${name}</span>`)
  assert.ok(at > 0, `${name} is not on the page`)
  return /name="(c\d+)"/.exec(text.slice(at))?.[1] ?? assert.fail(name)
}

test('a document is pasted, each operation declared, imported and registered; nothing is chosen beforehand', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await ask('PUT', '/v1/tools', key, [
    { name: 'get_stock', description: 'Says how many of a thing there are.', is_write: false },
  ])
  await browser.get('/console/import')
  await read(browser)
  assert.match(browser.page.text, /The document was read\. Now declare its operations/)
  assert.match(browser.page.text, /5 of 5 operations are not declared yet/)
  assert.deepEqual(chosen(browser.page.text), [], 'nothing is said beforehand')
  assert.doesNotMatch(browser.page.text, / selected>(?!any|Choose|not declared|leave it as it is|all)/)
  assert.match(browser.page.text, /PUT \/orders\/\{number\}\/invoice[\s\S]*Takes: number/)
  const { text } = browser.page
  const [list, get, refund] = ['list_orders', 'get_order', 'refund_order'].map((name) => fieldOf(text, name))
  const said = {
    [list ?? '']: 'read',
    [get ?? '']: 'read',
    [(get ?? '').replace('c', 'u')]: 'yes',
    [refund ?? '']: 'elevated',
  }
  await browser.post('/console/import/declare', said)
  assert.match(browser.page.text, /2 of 5 operations are not declared yet/)
  assert.doesNotMatch(browser.page.text, /<span class="meta">list_orders</, 'the next ones stand there')
  await browser.post('/console/import/import', {})
  assert.match(browser.page.text, /Nothing was imported[\s\S]*2 operation\(s\) are not declared/)
  assert.equal((await ask('GET', '/v1/tools', key)).body.import, null)
  const secret = 'sk_live_of_the_api'
  await browser.post('/console/import/import', {
    skipUndeclared: 'yes',
    scheme: 'header',
    credentialName: 'X-Shop-Key',
    secret,
  })
  assert.match(browser.page.text, /3 tools, of which 1 can write[\s\S]*Nothing is registered yet/)
  assert.ok(!browser.page.text.includes(secret), 'a secret does not come back')
  assert.equal((await ask('GET', '/v1/tools', key)).body.version, 1, 'importing registers nothing')
  await browser.post('/console/import/register', {})
  assert.match(browser.page.text, /Registered\. The next turn uses them/)
  const catalog = (await ask<Listed>('GET', '/v1/tools', key)).body
  assert.deepEqual(
    catalog.tools.map(({ name, is_write, risk, requires_customer }) => [name, is_write, risk, requires_customer]),
    [
      ['get_stock', false, undefined, undefined],
      ['list_orders', false, undefined, undefined],
      ['get_order', false, undefined, true],
      ['refund_order', true, 'elevated', undefined],
    ],
  )
  await browser.get('/console/import')
  assert.match(browser.page.text, /The last import has 3 tools[\s\S]*With what the API is called/)
  await browser.post('/console/import/api', { userToken: 'prefer', scheme: 'bearer', secret: 'two\nlines' })
  assert.match(browser.page.text, /role="alert"[\s\S]*credential must be/)
  assert.doesNotMatch(browser.page.text, /two\nlines/)
  await browser.post('/console/import/api', { userToken: 'prefer' })
  assert.match(browser.page.text, /It counts from the next call on/)
})

test('what was registered since the page was opened is not replaced unseen: the page says what changed, and one may look again', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await browser.get('/console/import')
  await read(browser)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  await browser.post('/console/import/import', { skipUndeclared: 'yes' })
  await browser.post('/console/import/register', {})
  await read(browser)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  await browser.post('/console/import/import', { skipUndeclared: 'yes' })
  const first = (await ask<Listed>('GET', '/v1/tools', key)).body as Listed & { version: number }
  const ours = first.tools.map((tool) => (tool.name === 'list_orders' ? { ...tool, domain: 'orders' } : tool))
  const theirs = {
    name: 'ping_shop',
    description: 'Says whether the shop is open.',
    is_write: false,
    parameters: { type: 'object' },
  }
  assert.equal((await ask('PUT', '/v1/tools', key, [...ours, theirs])).status, 200)
  await browser.post('/console/import/register', {})
  assert.match(
    browser.page.text,
    /Nothing was registered: the catalog has changed[\s\S]*You saw version 1, and version 2 is in use/,
  )
  assert.match(
    browser.page.text,
    /Added meanwhile: <code>ping_shop<\/code>[\s\S]*Changed meanwhile: <code>list_orders<\/code>/,
  )
  const between = (await ask<Listed & { version: number }>('GET', '/v1/tools', key)).body
  assert.equal(between.version, 2)
  assert.ok(
    between.tools.some((tool) => (tool as { domain?: string }).domain === 'orders'),
    'what was changed meanwhile is still there',
  )
  // The page that said it is the one that was looked at.
  await browser.post('/console/import/register', {})
  assert.match(browser.page.text, /Registered\. The next turn uses them/)
  const after = (await ask<Listed & { version: number }>('GET', '/v1/tools', key)).body
  assert.equal(after.version, 3)
  assert.ok(after.tools.some(({ name }) => name === 'ping_shop'))
})

test('a later document: what is new, different, gone; unchanged ones stay as they are registered', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await browser.get('/console/import')
  await read(browser)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  assert.match(browser.page.text, /2 operations were declared/)
  await browser.post('/console/import/bulk', { bulkMethod: 'POST', bulkSection: '', say: 'high' })
  await browser.post('/console/import/bulk', { say: 'skip' })
  assert.match(browser.page.text, /All 5 operations are declared/)
  await browser.post('/console/import/import', {})
  await browser.post('/console/import/register', {})
  const first = (await ask<Listed>('GET', '/v1/tools', key)).body.tools as (Listed['tools'][number] &
    Record<string, unknown>)[]
  const edited = first.map((tool) =>
    tool.name === 'list_orders' ? { ...tool, domain: 'orders', requires_customer: true } : tool,
  )
  assert.equal((await ask('PUT', '/v1/tools', key, edited)).status, 200)
  const { '/orders/{number}/refunds': refunds, '/orders/{number}': one, ...others } = SHOP.paths
  const later = {
    ...SHOP,
    paths: {
      ...others,
      '/orders/{number}': { ...one, get: { ...one.get, summary: 'Looks up one order, with its history.' } },
      '/stock': { get: { operationId: 'list_stock', summary: 'What there is.' } },
    },
  }
  assert.ok(refunds)
  await read(browser, later)
  assert.match(browser.page.text, /3 are new or different, and 2 are the same/)
  assert.match(browser.page.text, /no longer in the document:[\s\S]*refund_order/)
  assert.deepEqual(chosen(browser.page.text), [])
  assert.match(browser.page.text, /get_order<\/span> <span class="badge warn">different/)
  assert.match(browser.page.text, /list_stock<\/span> <span class="badge warn">new/)
  await browser.post('/console/import/keep', {})
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  await browser.post('/console/import/import', { skipUndeclared: 'yes' })
  await browser.post('/console/import/register', {})
  const tools = (await ask<Listed>('GET', '/v1/tools', key)).body.tools as Record<string, unknown>[]
  assert.deepEqual(
    tools.find(({ name }) => name === 'list_orders'),
    edited.find(({ name }) => name === 'list_orders'),
    'with everything that was said of it elsewhere',
  )
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['get_order', 'list_orders', 'list_stock', 'post_orders'])
})

test('a write that is to stay as it is registered, and no longer is, does not come back as a read', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await browser.get('/console/import')
  await read(browser)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  await browser.post('/console/import/bulk', { say: 'high' })
  await browser.post('/console/import/import', {})
  await browser.post('/console/import/register', {})
  const tools = (await ask<Listed>('GET', '/v1/tools', key)).body.tools
  const writes = tools.filter(({ is_write: isWrite }) => isWrite === true).map(({ name }) => name)
  assert.equal(writes.length, 3)
  await read(browser)
  await browser.post('/console/import/keep', {})
  await browser.post('/console/import/import', {})
  // Somebody takes the writes out of the catalog, and the page is loaded again.
  const reads = tools.filter(({ name }) => !writes.includes(name))
  assert.equal((await ask('PUT', '/v1/tools', key, reads)).status, 200)
  await browser.get('/console/import')
  await browser.post('/console/import/register', {})
  const after = (await ask<Listed>('GET', '/v1/tools', key)).body.tools
  assert.deepEqual(
    after.filter(({ name }) => writes.includes(name)),
    [],
    'nobody has declared them',
  )
})

test('what is no longer registered is to be declared again', async () => {
  const { tenant, browser } = await workspace()
  await browser.get('/console/import')
  await read(browser)
  await browser.post('/console/import/bulk', { say: 'high' })
  await browser.post('/console/import/import', {})
  await browser.post('/console/import/register', {})
  await read(browser)
  await browser.post('/console/import/keep', {})
  const own = [{ name: 'get_stock', description: 'Says how many of a thing there are.', is_write: false }]
  assert.equal((await ask('PUT', '/v1/tools', tenant.apiKey, own)).status, 200)
  await browser.post('/console/import/import', { skipUndeclared: 'no' })
  assert.match(browser.page.text, /Nothing was imported[\s\S]*5 operation\(s\) are not declared/)
})

const many = (operations: number) => ({
  openapi: '3.1.0',
  info: { title: 'ბევრი', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [
      `/v2/${['orders', 'stock', 'people'][at % 3]}/${at}/{number}`,
      {
        [at % 2 === 0 ? 'get' : 'post']: {
          summary: `ეძებს შეკვეთას ნომრით და აბრუნებს მის მდგომარეობას, სტრიქონებსა და მიწოდებას. ${'ძალიან გრძელი '.repeat(30)}`,
        },
      },
    ]),
  ),
})

test('hundreds of operations are declared some at a time, by method and path, and no page is large', async () => {
  const { browser } = await workspace()
  await browser.get('/console/import?lang=ka')
  await read(browser, many(1_200))
  const pages = [
    '/console/import',
    '/console/import?state=all&page=48',
    `/console/import?words=${encodeURIComponent('შეკვეთას')}&page=2`,
    '/console/import?page=9999',
  ]
  for (const page of pages) {
    const { text, status } = await browser.get(page)
    assert.equal(status, 200, page)
    assert.ok(Buffer.byteLength(text) < 60 * 1024, `${page}: ${Buffer.byteLength(text)} bytes`)
  }
  await browser.get('/console/import?lang=en')
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', bulkSection: '/stock', say: 'read' })
  assert.match(browser.page.text, /200 operations were declared/)
  assert.match(browser.page.text, /1,000 of 1,200 operations are not declared yet/)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', bulkSection: '/stock', say: 'high' })
  assert.match(browser.page.text, /0 operations were declared/, 'what somebody declared is not said again')
  await browser.get('/console/import?state=open&method=POST&section=%2Fpeople')
  assert.match(browser.page.text, /1 to 25 of 200[\s\S]*page=2/)
  const field = /name="(c\d+)"/.exec(browser.page.text)?.[1] ?? assert.fail('no field')
  await browser.post('/console/import/declare', { [field]: 'low' })
  assert.match(browser.page.text, /1 to 25 of 199/, 'the filters stay')
})

test('a fault stands beside its operation, until it is declared anew', async () => {
  const { tenant, browser } = await workspace()
  await ask('PUT', '/v1/tools', tenant.apiKey, [
    { name: 'list_orders', description: 'Ours, at our own endpoint.', is_write: false },
  ])
  await browser.get('/console/import')
  await read(browser)
  await browser.post('/console/import/bulk', { bulkMethod: 'GET', say: 'read' })
  await browser.post('/console/import/import', { skipUndeclared: 'yes' })
  assert.match(browser.page.text, /2 tools, of which 0 can write/)
  const refused = await browser.post('/console/import/register', {})
  assert.match(refused.text, /role="alert"[\s\S]*Nothing was imported[\s\S]*<code>list_orders<\/code>/)
  assert.equal((await ask('GET', '/v1/tools', tenant.apiKey)).body.version, 1)
  const faults = await browser.get('/console/import?state=faults')
  assert.match(faults.text, /1 to 1 of 1[\s\S]*<span class="meta">list_orders<\/span>[\s\S]*class="fault"/)
  await browser.post('/console/import/declare', { [fieldOf(faults.text, 'list_orders')]: 'skip' })
  assert.match(browser.page.text, /No operation fits/)
  await browser.post('/console/import/import', { skipUndeclared: 'yes' })
  await browser.post('/console/import/register', {})
  assert.match(browser.page.text, /Registered\./)
})

test('what is no document, or cannot be read, says so and keeps what was typed; an address is read once', async () => {
  const { browser } = await workspace()
  await browser.get('/console/import')
  await browser.post('/console/import/draft', { baseUrl: BASE })
  assert.match(browser.page.text, /Give an address, a file, or the document itself/)
  await browser.post('/console/import/draft', {
    baseUrl: 'ftp://x',
    document: '{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}',
  })
  assert.match(browser.page.text, /role="alert"[\s\S]*baseUrl[\s\S]*value="ftp:\/\/x"[\s\S]*&quot;openapi&quot;/)
  await browser.post('/console/import/draft', { baseUrl: BASE, document: 'hello' })
  assert.match(browser.page.text, /role="alert"[\s\S]*must be an OpenAPI document/)
  const long = await browser.post('/console/import/draft', { baseUrl: BASE, document: `# ${'x'.repeat(200_000)}` })
  assert.match(long.text, /too long to stand here a second time/)
  assert.ok(Buffer.byteLength(long.text) < 60 * 1024)
  let status = 404
  await using site = await listening((_, response) => response.writeHead(status).end(JSON.stringify(SHOP)))
  const { address } = site
  await browser.post('/console/import/draft', { baseUrl: BASE, address })
  assert.match(browser.page.text, /The address answered 404/)
  status = 200
  await browser.post('/console/import/draft', { baseUrl: BASE, address })
  assert.match(browser.page.text, /5 of 5 operations/)
})

test('a form of a draft whose place another one took changes nothing; a draft is thrown away', async () => {
  const { browser } = await workspace()
  await browser.get('/console/import')
  await browser.upload(
    '/console/import/draft',
    { baseUrl: BASE },
    { field: 'file', name: 'shop.json', text: JSON.stringify(SHOP) },
  )
  const old = { ...browser.hidden() }
  const field = fieldOf(browser.page.text, 'refund_order')
  await browser.post('/console/import/forget', {})
  assert.match(browser.page.text, /The draft is gone/)
  await read(browser)
  for (const form of ['declare', 'bulk', 'keep', 'import', 'register']) {
    const { status, text } = await browser.post(`/console/import/${form}`, {
      ...old,
      [field]: 'read',
      say: 'read',
      skipUndeclared: 'yes',
      seen: '0',
    })
    assert.equal(status, 400, form)
    assert.match(text, /This draft is gone/, form)
    assert.match(text, /5 of 5 operations are not declared/, form)
  }
})
