import assert from 'node:assert/strict'
import test from 'node:test'
import { set, workspace } from '../fixtures/owner.ts'

const ask = <Body = Record<string, unknown>>(method: string, path: string, key: string, body?: unknown) =>
  set.house.ask<Body>(method, path, body === undefined ? { key } : { key, body })

type Pack = { version: number; lexicon: Record<string, string[]> }
const packOf = async (key: string) => (await ask<Pack>('GET', '/v1/domain-pack', key)).body

const source = (path: string) => ({ kind: 'repository', commit: '0f3a9be', path, dirty: false })
const suggest = async (key: string, path: string, lexicon: object, note = '') =>
  (await ask<{ id: string }>('POST', '/v1/domain-pack/suggestions', key, { lexicon, note, source: source(path) })).body
    .id

const marked = (text: string, tag: 'ins' | 'del') =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'g'))].map(([, word]) => word)

test('a suggestion is a difference: what is added, what is there, what would go; each is accepted or left out', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  await browser.get('/console/vocabulary')
  assert.match(browser.page.text, /There is no vocabulary yet[\s\S]*No suggestion is here/)
  await ask('PUT', '/v1/domain-pack', key, { lexicon: { returns: ['refund', 'დაბრუნება'], delivery: ['courier'] } })
  const lexicon = { returns: ['Refund', 'money <b>back'], visits: ['workshop'] }
  const first = await suggest(key, 'docs/a.json', lexicon, 'From support.')
  const second = await suggest(key, 'docs/b.json', { delivery: ['parcel'] })
  const { text } = await browser.get('/console/vocabulary')
  assert.match(
    text,
    /adds one word to one domain[\s\S]*docs\/b\.json[\s\S]*adds 2 words to 2 domains[\s\S]*From support/,
  )
  const one = await browser.get(`/console/vocabulary?suggestion=${first}`)
  assert.deepEqual(marked(one.text, 'ins'), ['money &lt;b&gt;back', 'workshop'])
  assert.deepEqual(marked(one.text, 'del'), ['დაბრუნება', 'courier'])
  assert.match(one.text, /There already<\/dt><dd>Refund</)
  assert.match(one.text, /visits <span class="badge good">new/)
  assert.ok(one.text.includes(`/v1/domain-pack/suggestions/${first}/accept`), 'with the call that does the same')
  await browser.post('/console/vocabulary/accept', { id: first })
  assert.match(browser.page.text, /Accepted\. The next turn knows the words/)
  assert.deepEqual((await packOf(key)).lexicon, {
    returns: ['refund', 'დაბრუნება', 'money <b>back'],
    delivery: ['courier'],
    visits: ['workshop'],
  })
  await browser.post('/console/vocabulary/dismiss', { id: second })
  assert.match(browser.page.text, /Left out\.[\s\S]*No suggestion is here/)
  assert.equal((await packOf(key)).version, 2)
  for (const form of ['accept', 'dismiss', 'replace']) {
    const again = await browser.post(`/console/vocabulary/${form}`, { id: second })
    assert.match(again.text, /role="alert"[\s\S]*suggestion_not_pending/, form)
  }
  const all = (await browser.get('/console/vocabulary?status=all')).text
  assert.match(all, /badge plain">left out[\s\S]*badge good">accepted/)
  const third = await suggest(key, 'docs/c.json', { visits: ['workshop'] })
  assert.match((await browser.get('/console/vocabulary')).text, /adds no word that is not there already/)
  await browser.post('/console/vocabulary/replace', { id: third })
  assert.deepEqual((await packOf(key)).lexicon, { visits: ['workshop'] })
  assert.equal((await browser.get('/console/vocabulary?suggestion=sug_none')).status, 404)
})

test('the vocabulary is written as JSON, with its faults, and what was typed stays', async () => {
  const { tenant, browser } = await workspace()
  await browser.get('/console/vocabulary')
  await browser.post('/console/vocabulary/save', { lexicon: '{"returns": [' })
  assert.match(browser.page.text, /This is not JSON[\s\S]*>\n\{&quot;returns&quot;: \[</)
  await browser.post('/console/vocabulary/save', { lexicon: '{"Re turns": ["a"]}' })
  assert.match(browser.page.text, /invalid_suggestion[\s\S]*Re turns/)
  await browser.post('/console/vocabulary/save', { lexicon: '{"returns": ["refund"]}' })
  assert.match(browser.page.text, /one word in one domain\. It is version 1[\s\S]*Saved\./)
  assert.deepEqual((await packOf(tenant.apiKey)).lexicon, { returns: ['refund'] })
})

test('the largest vocabulary and the largest suggestions stay small pages', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  const wordOf = (domain: number, word: number, start: string) => `${start}-${domain}-${word}-`.padEnd(60, 'აბგდევზთ')
  const lexiconOf = (start: string) =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, domain) => [
        `domain_${domain}_${'x'.repeat(50)}`,
        Array.from({ length: 200 }, (_, word) => wordOf(domain, word, start)),
      ]),
    )
  assert.equal((await ask('PUT', '/v1/domain-pack', key, { lexicon: lexiconOf('ა') })).status, 200)
  let id = ''
  for (let at = 0; at < 9; at++) {
    const words =
      at === 8 ? lexiconOf('ბ') : { visits: Array.from({ length: 200 }, (_, word) => wordOf(at, word, 'გ')) }
    id = await suggest(key, `docs/${'დ'.repeat(300)}/${at}.json`, words, 'შენიშვნა '.repeat(50))
    assert.match(id, /^sug_/)
  }
  const { text } = await browser.get('/console/vocabulary?lang=ka')
  const older =
    /href="(\/console\/vocabulary\?status=pending&amp;before=[^"]+)"/.exec(text)?.[1] ?? assert.fail('no older')
  const pages = ['/console/vocabulary', older.replaceAll('&amp;', '&'), `/console/vocabulary?suggestion=${id}`]
  for (const page of [...pages, `/console/vocabulary?domain=domain_0_${'x'.repeat(50)}`]) {
    const seen = await browser.get(page)
    assert.equal(seen.status, 200, page)
    assert.ok(Buffer.byteLength(seen.text) < 60 * 1024, `${page}: ${Buffer.byteLength(seen.text)} bytes`)
  }
  assert.match((await browser.get(`/console/vocabulary?suggestion=${id}`)).text, /და კიდევ 200/)
})

test('a domain named "constructor" is shown, suggested, accepted and dismissed like any other', async () => {
  const { tenant, browser } = await workspace()
  const key = tenant.apiKey
  const lexicon = { constructor: ['builder'] }
  const first = await suggest(key, 'docs/hostile.json', lexicon)
  const second = await suggest(key, 'docs/other.json', lexicon)
  assert.equal((await browser.get('/console/vocabulary')).status, 200)
  const { status, text } = await browser.get(`/console/vocabulary?suggestion=${first}`)
  assert.deepEqual([status, marked(text, 'ins')], [200, ['builder']])
  assert.equal((await browser.get('/console/vocabulary?domain=constructor')).status, 200)
  assert.equal((await ask('POST', `/v1/domain-pack/suggestions/${first}/accept`, key, {})).status, 200)
  assert.deepEqual((await packOf(key)).lexicon, lexicon)
  assert.equal((await ask('POST', `/v1/domain-pack/suggestions/${second}/dismiss`, key, {})).status, 200)
  assert.equal((await browser.get('/console/vocabulary?domain=constructor')).status, 200)
})
