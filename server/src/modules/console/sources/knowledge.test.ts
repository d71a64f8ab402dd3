import assert from 'node:assert/strict'
import test from 'node:test'
import { openMailedHouse } from '../../../../testkit/mailed-house.ts'
import { MODULES } from '../../../modules.ts'
import { set, withKey, workspace } from '../fixtures/owner.ts'

const ask = <Body = Record<string, unknown>>(method: string, path: string, key: string, body?: unknown) =>
  set.house.ask<Body>(method, path, body === undefined ? { key } : { key, body })

const RETURNS =
  '# Returns\n\nAn unused lamp may be returned within 21 days.\n\n## Refunds\n\nWe refund the whole price within three working days.'

test('a document is pasted, changed, and deleted', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  assert.match((await browser.get('/console/knowledge')).text, /There is no document yet/)
  await browser.post('/console/knowledge/save', { name: 'Re turns', text: '<b>ours</b>' })
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.text, /invalid_knowledge_name[\s\S]*value="Re turns"[\s\S]*&lt;b&gt;ours/, 'it stays typed')
  await browser.post('/console/knowledge/save', { name: 'returns.md', text: RETURNS.replaceAll('\n', '\r\n') })
  assert.match(browser.page.text, /Saved\. The next answer may rest on it\./)
  const kept = await ask<{ document: { text: string; format: string } }>('GET', '/v1/knowledge/returns.md', key)
  assert.deepEqual([kept.body.document.text, kept.body.document.format], [RETURNS, 'markdown'])
  await browser.post('/console/knowledge/save', { name: 'returns.md', text: 'Never.' })
  assert.match(browser.page.text, /knowledge_document_exists/)
  const opened = await browser.get('/console/knowledge?document=returns.md')
  assert.match(
    opened.text,
    /Change returns\.md[\s\S]*name="text"[^>]*>\n# Returns[\s\S]*name="replace" value="yes" checked/,
  )
  await browser.post('/console/knowledge/save', { name: 'returns.md', text: 'Never.', format: 'text', replace: 'yes' })
  assert.match(browser.page.text, /Saved\. The next answer may rest on it\./)
  await browser.post('/console/knowledge/remove', { name: 'returns.md' })
  assert.match(browser.page.text, /There is no document yet[\s\S]*Deleted\./)
  await browser.post('/console/knowledge/remove', { name: 'returns.md' })
  assert.match(browser.page.text, /knowledge_document_not_found/)
  assert.match(
    (await browser.get('/console/knowledge?document=returns.md')).text,
    /no document of this name any longer/,
  )
})

test('a file is uploaded without scripts, by its own name; one that is no text is refused', async () => {
  const { tenant, browser } = await workspace()
  await browser.get('/console/knowledge')
  await browser.upload(
    '/console/knowledge/save',
    { text: 'typed' },
    { field: 'file', name: 'our returns.md', text: RETURNS },
  )
  const kept = await ask<{ document: { text: string } }>('GET', '/v1/knowledge/our-returns.md', tenant.apiKey)
  assert.equal(kept.body.document.text, RETURNS)
  const broken = { field: 'file', name: 'a.md', text: Uint8Array.of(0xff, 0xfe, 0x41) }
  assert.match((await browser.upload('/console/knowledge/save', {}, broken)).text, /UTF-8/)
  await browser.get('/console/knowledge')
  const stranger = await browser.upload(
    '/console/knowledge/save',
    { token: 'x' },
    { field: 'file', name: 'b.md', text: 'b' },
  )
  assert.equal(stranger.status, 403, 'the token counts for this kind of form, too')
  assert.equal((await ask('GET', '/v1/knowledge/b.md', tenant.apiKey)).status, 404)
})

test('a question shows what a turn would be given, with scores, and what fits too loosely', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await ask('POST', '/v1/knowledge', key, { name: 'returns.md', format: 'markdown', text: RETURNS })
  await ask('POST', '/v1/knowledge', key, {
    name: 'visits.md',
    text: 'Visitors of the workshop are welcome on weekdays between ten and six, and may watch.',
  })
  const question = 'When do you refund the price of a lamp?'
  const { text } = await browser.get(`/console/knowledge?q=${encodeURIComponent(question)}`)
  const hits = await ask<{ hits: { score: number }[] }>(
    'GET',
    `/v1/knowledge/search?q=${encodeURIComponent(question)}`,
    key,
  )
  const best = hits.body.hits[0]?.score ?? assert.fail('nothing found')
  assert.ok(best >= 0.3, `${best}`)
  const [given = '', below = ''] = text.slice(text.indexOf('id="found"')).split('Found, but not given')
  assert.match(given, /passages? would be given[\s\S]*returns\.md[\s\S]*Refunds/)
  assert.ok(given.includes(`>${best.toFixed(2)}<`), 'with the score that the API tells')
  assert.doesNotMatch(given, /visits\.md/)
  for (const { score } of hits.body.hits.filter((hit) => hit.score < 0.3))
    assert.match(below, new RegExp(`>${score.toFixed(2)}<[\\s\\S]*fits too loosely`))
  assert.ok(
    hits.body.hits.some(({ score }) => score < 0.3),
    'something fits too loosely',
  )
  const none = await browser.get('/console/knowledge?q=Do+you+sell+bicycles%3F')
  assert.match(none.text, /No passage would be given/)
  assert.match((await browser.get('/console/knowledge?q=++')).text, /Look it up/)
})

/** As long as a name may be. */
const nameOf = (at: number): string => `${'დაბრუნების-წესები-და-ვადები-'.repeat(3).slice(0, 75)}${at}.md`

test('a full workspace in Georgian stays a small page', async () => {
  const { tenant, browser } = await workspace()
  const refunds = 'ნივთის დაბრუნება შეგიძლიათ ოცდაერთი დღის განმავლობაში და თანხას მთლიანად დაგიბრუნებთ. '
  const visits = 'სახელოსნოს სტუმრობა სამუშაო დღეებში ათიდან ექვსამდე შეიძლება, შესვლა თავისუფალია. '
  for (let at = 10; at < 30; at++) {
    const text = at < 17 ? refunds.repeat(90) : visits.repeat(9)
    const body = { name: nameOf(at), text }
    assert.equal((await ask('POST', '/v1/knowledge', tenant.apiKey, body)).status, 200)
  }
  const question = encodeURIComponent('როდის დაგიბრუნებთ თანხას მთლიანად?')
  const { text } = await browser.get(`/console/knowledge?lang=ka&q=${question}`)
  assert.match(text, /20 დოკუმენტი 20-დან/)
  const found = text.slice(text.indexOf('id="found"'))
  assert.match(found, /ასისტენტი მიიღებდა 5 ნაწყვეტს[\s\S]*უკეთესებიც საკმარისი იყო/)
  assert.ok(Buffer.byteLength(text) < 60 * 1024, `${Buffer.byteLength(text)} bytes`)
  const address = /href="(\/console\/knowledge\?document=[^"]+)"/.exec(text)?.[1] ?? assert.fail('no link')
  const opened = await browser.get(encodeURI(address))
  assert.match(opened.text, /მხოლოდ დასაწყისი ჩანს/)
  assert.ok(Buffer.byteLength(opened.text) < 60 * 1024, `${Buffer.byteLength(opened.text)} bytes`)
})

test('where documents are turned off, the page says so and keeps none', async () => {
  await using house = await openMailedHouse({ 'Knowledge:Enabled': 'false' }, { modules: MODULES })
  const { apiKey } = await house.tenant()
  const browser = await withKey(apiKey, house)
  assert.match((await browser.get('/console/knowledge')).text, /turned off on this deployment/)
  assert.doesNotMatch(browser.page.text, /console\/knowledge\/save/)
  await browser.post('/console/knowledge/save', { name: 'a.md', text: 'a' })
  assert.ok(browser.page.text.includes('turned off') && browser.page.status >= 400, String(browser.page.status))
})
