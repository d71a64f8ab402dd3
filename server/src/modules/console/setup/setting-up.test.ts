// What the pages of setting up do: each form does what the call does that it shows.
import assert from 'node:assert/strict'
import test from 'node:test'
import { processorMs } from '../../../../testkit/processor.ts'
import { CATALOG, endpoint, set, withKey, workspace } from '../fixtures/owner.ts'

const ask = <Body = Record<string, unknown>>(method: string, path: string, key: string, body?: unknown) =>
  set.house.ask<Body>(method, path, body === undefined ? { key } : { key, body })

test('a catalog is checked and registered, its faults stand where they are, and two versions are compared', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  const bad = [{ ...CATALOG[0], name: 'Get Order' }, CATALOG[1]]
  const text = JSON.stringify(bad, null, 2)
  const refused = await browser.post('/console/catalog/register', { tools: text })
  assert.match(refused.text, /role="alert"[\s\S]*line 3 · <code>&quot;Get Order&quot;<\/code> <code>name<\/code>/)
  assert.ok(refused.text.includes('&quot;Get Order&quot;'), 'what was typed stays')
  assert.equal((await ask('GET', '/v1/tools', key)).body.version, 0)
  await browser.post('/console/catalog/register', { tools: '[{"name":' })
  assert.match(browser.page.text, /This is not JSON/)
  await browser.post('/console/catalog/check', { tools: JSON.stringify(CATALOG) })
  assert.match(browser.page.text, /This catalog is good: 2 tools, of which 1 can write/)
  assert.equal((await ask('GET', '/v1/tools', key)).body.version, 0, 'checking registers nothing')
  await browser.post('/console/catalog/register', { tools: JSON.stringify(CATALOG) })
  assert.match(browser.page.text, /Registered\. The next turn uses it\./)
  assert.match(browser.page.text, /<code>refund_order<\/code>[\s\S]*high risk/)
  const other = [{ ...CATALOG[0], description: 'Looks an order up by its number, with all of its lines.' }]
  await browser.post('/console/catalog/register', { tools: JSON.stringify(other) })
  const { text: compared } = await browser.get('/console/catalog?from=1&to=2')
  assert.match(compared, /Removed<\/h3><ul><li><code>refund_order<\/code>/)
  assert.match(compared, /<code>get_order<\/code> · <code>description<\/code>[\s\S]*with all of its lines/)
  assert.match((await browser.get('/console/catalog?from=1&to=99')).text, /no longer kept/)
})

test('the lines of many faults are found in one pass over what was pasted', async () => {
  const { browser } = await workspace()
  const pasted = (faults: number): string => {
    const tools = Array.from({ length: faults }, (_, at) => JSON.stringify({ ...CATALOG[0], name: `Wrong ${at}` }))
    return `[${'\n'.repeat(900_000)}${tools.join(',\n')}]`
  }
  const cost = async (faults: number): Promise<number> => {
    const tools = pasted(faults)
    const before = processorMs()
    const { text } = await browser.post('/console/catalog/check', { tools })
    assert.match(
      text,
      new RegExp(`line ${900_000 + Math.min(faults, 50)} · <code>&quot;Wrong ${Math.min(faults, 50) - 1}&quot;`),
    )
    return processorMs() - before
  }
  const one = await cost(1)
  const many = await cost(50)
  assert.ok(many < 4 * one, `50 faults cost ${many} ms, and one ${one}`)
})

test('an endpoint is set and tried with a signed call, both sides in full', async () => {
  const { tenant, browser } = await workspace()
  endpoint.play((_, response) => response.end(JSON.stringify({ pong: '<b>yes</b>' })))
  const url = await endpoint.start()
  await browser.post('/console/endpoint/save', { url: 'ftp://nowhere' })
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.text, /role="alert"[\s\S]*invalid_endpoint[\s\S]*value="ftp:\/\/nowhere"/)
  await browser.post('/console/endpoint/save', { url })
  assert.ok(browser.page.text.includes(`Tools are called at ${url}`))
  assert.equal((await ask('GET', '/v1/endpoint', tenant.apiKey)).body.url, url)
  await browser.post('/console/endpoint/test', {})
  assert.match(browser.page.text, /It works[\s\S]*signature accepted/)
  assert.match(browser.page.text, /webhook-signature|X-Service-Signature/i)
  assert.match(browser.page.text, /&lt;b&gt;yes&lt;\/b&gt;/, 'what an endpoint answers is text')
  await browser.post('/console/endpoint/save', { url: '' })
  assert.equal((await ask('GET', '/v1/endpoint', tenant.apiKey)).body.configured, false)
})

test('events: an address, a test, the attempts, and sending again', async () => {
  const { tenant, browser } = await workspace()
  let status = 500
  endpoint.play((_, response) => {
    response.statusCode = status
    response.end('{}')
  })
  const url = await endpoint.start()
  await browser.post('/console/events/save', { url })
  assert.ok(browser.page.text.includes(`Events go to ${url}`))
  await browser.post('/console/events/test', {})
  assert.match(browser.page.text, /It did not arrive:/)
  await ask('PUT', '/v1/tools', tenant.apiKey, CATALOG)
  const body = { tool: 'refund_order', arguments: { number: 'A-1', amount: 5 } }
  const { actionId } = (await ask<{ actionId: string }>('POST', '/v1/actions', tenant.apiKey, body)).body
  await ask('POST', `/v1/actions/${actionId}/reject`, tenant.apiKey, { reason: 'no' })
  await set.house.work()
  const failed = await browser.get('/console/events?failed=true')
  const eventId = /name="eventId" value="(evt_\w+)"><button class="plain">Send again/.exec(failed.text)?.[1]
  assert.ok(eventId !== undefined, failed.text)
  assert.match((await browser.get(`/console/events?event=${eventId}`)).text, /newest first[\s\S]*action\.pending/)
  await browser.post('/console/events/again', { eventId: 'evt_unknown' })
  assert.equal(browser.page.status, 404)
  assert.match(browser.page.text, /event_not_found/)
  status = 200
  await browser.get('/console/events')
  await browser.post('/console/events/again', { eventId })
  assert.match(browser.page.text, /on its way again/)
  await set.house.work()
  assert.match((await browser.get(`/console/events?event=${eventId}`)).text, />delivered</)
})

test('a website: origins, the snippet, the check of a page, and the looks', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await browser.post('/console/website/origins', { origins: 'https://shop.example\r\nhttp://localhost:3000\r\n' })
  assert.match(browser.page.text, /may stand on 2 sites/)
  assert.deepEqual((await ask('GET', '/v1/origins', key)).body.origins, [
    'https://shop.example',
    'http://localhost:3000',
  ])
  await browser.post('/console/website/origins', { origins: 'shop' })
  assert.match(browser.page.text, /invalid_origin[\s\S]*>\nshop<\/textarea>/)
  await browser.post('/console/website/snippet', { language: 'ka', greeting: 'გამარჯობა' })
  assert.match(browser.page.text, /&lt;service-assistant[\s\S]*tpk_[\s\S]*გამარჯობა/)
  assert.ok(!browser.page.text.includes(key))
  await browser.post('/console/website/check', { url: 'not an address' })
  assert.match(browser.page.text, /invalid_site_url/)
  await browser.post('/console/website/brand', { color: '#F0E68C', logo: '' })
  assert.match(browser.page.text, /fill="#f0e68c"[\s\S]*which is enough/)
  await browser.post('/console/website/brand', { color: 'red', logo: '' })
  assert.match(browser.page.text, /invalid_brand_color/)
})

test('a key is issued, shown once, replaced and revoked; what happened is told', async () => {
  const { tenant, browser } = await workspace()
  const issued = await browser.post('/console/keys/issue', { kind: 'agent', label: 'Stock <b>' })
  const key = /<pre tabindex="0">(tag_[0-9a-f]{48})<\/pre>/.exec(issued.text)?.[1] ?? assert.fail('no key')
  assert.equal(issued.headers['cache-control'], 'no-store')
  assert.doesNotMatch((await browser.get('/console/keys')).text, new RegExp(key))
  assert.match(browser.page.text, /Stock &lt;b&gt;/)
  await browser.post('/console/keys/revoke', { prefix: key.slice(0, 12) })
  assert.match(browser.page.text, /Revoked\. It is refused/)
  assert.equal((await set.house.ask('GET', '/v1/account', { key })).status, 401)
  await browser.post('/console/keys/revoke', { prefix: tenant.keyPrefix })
  assert.match(browser.page.text, /last_secret_key/)
  await browser.post('/console/keys/issue', { kind: 'provider', label: '' })
  assert.match(browser.page.text, /unknown_kind/)
  const replaced = await browser.post('/console/keys/rotate', { prefix: tenant.keyPrefix })
  const fresh = /<pre tabindex="0">(tth_[0-9a-f]{48})<\/pre>/.exec(replaced.text)?.[1] ?? assert.fail('no key')
  assert.match(replaced.text, /this session has ended/)
  assert.match((await browser.get('/console/keys')).text, /Your session has ended/)
  const again = await withKey(fresh)
  for (const form of ['signing', 'customer']) {
    const { text } = await again.post(`/console/keys/${form}`, {})
    assert.match(text, /<pre tabindex="0">(whsec_|tck_)/)
  }
  assert.match((await again.get('/console/keys')).text, /A key was replaced[\s\S]*A key was revoked/)
})

test('a leak and a deletion ask for the name, and do nothing without it', async () => {
  const { tenant, browser } = await workspace()
  await browser.get('/console/danger')
  await browser.post('/console/danger/leak', { 'leak-name': 'Tea' })
  assert.match(browser.page.text, /confirmation_required/)
  assert.equal((await ask('GET', '/v1/account', tenant.apiKey)).status, 200)
  const leaked = await browser.post('/console/danger/leak', { 'leak-name': 'Tea & Clay', also: 'yes' })
  const [, key = '', secret = ''] = /<pre tabindex="0">(tth_\w+)\n(whsec_[^\n<]+)/.exec(leaked.text) ?? []
  assert.ok(key !== '' && secret !== '')
  assert.equal((await ask('GET', '/v1/account', tenant.apiKey)).status, 401)
  assert.match((await browser.get('/console')).text, /Your session has ended/)
  const again = await withKey(key)
  await again.get('/console/danger')
  await again.post('/console/danger/remove', { 'remove-name': 'tea & clay' })
  assert.match(again.page.text, /confirmation_required/)
  await again.post('/console/danger/remove', { 'remove-name': 'Tea & Clay' })
  assert.match(again.page.text, /action="\/console\/enter"/)
  assert.equal((await ask('GET', '/v1/account', key)).status, 401)
})
