// What the readers get right of the open corpus, if it lies beside the repository:
// node --test server/src/modules/previews/webpages/figures.test.ts server/src/modules/previews/crawl/figures.test.ts
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isChallenge } from './challenge.ts'
import { decodeText } from './charset.ts'
import { readFeed } from './feed/read-feed.ts'
import { bytesOf, NO_CORPORA, realPages, rowsOf, tableOf } from './fixtures/corpus.ts'
import { parseJsonLd } from './items/json-ld.ts'
import { gatherBlocks } from './page/blocks.ts'
import { readHead } from './page/head.ts'
import { charsOf, textOf } from './page/prose.ts'
import { readPage } from './page/read-page.ts'
import { gatherScripts } from './page/scripts.ts'
import { textOfHtml } from './page/text-of-html.ts'
import { walkPage } from './page/walk-page.ts'

const options = { skip: NO_CORPORA }

const share = (right: number, of: number): string => `${right} of ${of} (${((100 * right) / of).toFixed(1)} %)`
const say = (t: TestContext, what: string, figure: string): void => t.diagnostic(`${what}: ${figure}`)
const plain = (text: unknown): string => String(text).replace(/\s+/g, ' ').trim()

test('prose: labelled segments of 137 pages', options, async (t) => {
  let [kept, wanted, dropped, unwanted] = [0, 0, 0, 0]
  const folded = (text: string) => plain(text).toLowerCase()
  for (const { file, mustContain, mustNotContain } of rowsOf('pages/segments/expected.json')) {
    const { prose } = await readPage(
      decodeText(bytesOf(`pages/segments/${file}`), undefined),
      'https://shop.com/',
      false,
    )
    const text = folded(textOf(prose))
    const has = (segment: unknown) => text.includes(folded(String(segment)))
    assert.ok(Array.isArray(mustContain) && Array.isArray(mustNotContain))
    wanted += mustContain.length
    kept += mustContain.filter(has).length
    unwanted += mustNotContain.length
    dropped += mustNotContain.filter((segment) => !has(segment)).length
  }
  say(t, 'segments kept', share(kept, wanted))
  say(t, 'unwanted segments dropped', share(dropped, unwanted))
  assert.ok(kept >= 0.95 * wanted && dropped >= 0.75 * unwanted)
})

const FEEDS = 'rss atom10 atom03 rdf namespace base sanitize lang encoding illformed media'.split(' ')
const FEED_FIELDS: Readonly<Record<string, 'title' | 'url' | 'description'>> = {
  title: 'title',
  link: 'url',
  subtitle: 'description',
  description: 'description',
  tagline: 'description',
}

test('feeds: labelled titles, links, descriptions and contents', options, async (t) => {
  let [right, all, documents] = [0, 0, 0]
  for (const row of FEEDS.flatMap((set) => rowsOf(`feeds/feedparser-${set}.json`))) {
    const xml =
      row.base64 === undefined ? String(row.xml) : decodeText(Buffer.from(String(row.base64), 'base64'), undefined)
    const feed = await readFeed(xml, 'http://example.com/test/', 500)
    documents++
    for (const { path, equals } of (row.expect ?? []) as readonly {
      path: readonly (string | number)[]
      equals?: unknown
    }[]) {
      const stated = typeof equals === 'string' && row.xml !== undefined ? valueAt(feed, path) : undefined
      if (stated === undefined) continue
      all++
      const expected = path.at(-1) === 'link' ? equals : plain(textOfHtml(String(equals)))
      if (plain(stated ?? '') === expected) right++
    }
  }
  for (const file of ['feeds/rome-feeds.json', 'feeds/feedvalidator-cases.json']) {
    for (const { xml } of rowsOf(file)) if (typeof xml === 'string') await readFeed(xml, 'http://example.com/', 500)
    documents += rowsOf(file).length
  }
  say(t, 'labelled fields of feeds', `${share(right, all)}, and none of ${documents} documents threw`)
  assert.ok(right >= all * (180 / 191))
})

/** The field that a label of feedparser names; undefined for one that a crawl does not read. */
function valueAt(
  feed: Awaited<ReturnType<typeof readFeed>>,
  path: readonly (string | number)[],
): string | null | undefined {
  const [of, at, name, , last] = path
  if (of === 'feed') {
    const field = path.length === 2 ? FEED_FIELDS[String(at)] : undefined
    return field === undefined ? undefined : (feed?.[field] ?? null)
  }
  const entry = of === 'entries' ? feed?.entries[Number(at)] : undefined
  if (entry === undefined) return undefined
  if (name === 'content') return last === 'value' ? entry.content : undefined
  if (path.length !== 3) return undefined
  if (name === 'title') return entry.title
  if (name === 'link') return entry.url
  return name === 'summary' || name === 'description' ? entry.summary || entry.content : undefined
}

test('product feeds state their prices', options, async () => {
  for (const [file, price, currency] of [
    ['product-feed-xml_criteo_feed_sample.xml', '1199.99', 'EUR'],
    ['product-feed-dpa_product_catalog_sample_feed_atom.xml', '9.99', 'GBP'],
    ['product-feed-google-example.xml', '105.29', 'USD'],
  ] as const) {
    const feed = await readFeed(decodeText(bytesOf(`feeds/${file}`), undefined), 'http://example.com/', 500)
    assert.deepEqual([feed?.entries[0]?.price, feed?.entries[0]?.currency], [price, currency], file)
  }
})

test('announced feeds are found', options, async (t) => {
  let [found, all] = [0, 0]
  for (const { file, html } of rowsOf('feeds/feed-autodiscovery-pages.json')) {
    const name = String(file).split('/').at(-1)?.replace('.html', '.xml') ?? ''
    const { head } = await readPage(String(html), 'http://diveintomark.org/tests/client/autodiscovery/', false)
    if (!String(html).includes(name)) continue
    all++
    if (head.feeds[0]?.endsWith(name) === true) found++
  }
  say(t, 'announced feeds', share(found, all))
  assert.equal(found, all)
})

test('challenges are known, and no real page is one', options, async (t) => {
  let [right, all, alarms, pages] = [0, 0, 0, 0]
  const judge = async (status: number, text: string, headers: Readonly<Record<string, string>>) => {
    const [blocks, head] = [gatherBlocks(), readHead()]
    await walkPage(text, [blocks, head])
    return isChallenge({ status, headers, text }, head.head().wholeTitle, charsOf(blocks.blocks()))
  }
  for (const { html, challenge, suggestedStatus, headers } of rowsOf('pages/challenge-pages.json')) {
    const lower = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
    all++
    const isKnown = (await judge(Number(suggestedStatus), String(html), lower)) === challenge
    // Some send it with status 200.
    if (isKnown && (challenge === false || (await judge(200, String(html), lower)))) right++
  }
  for (const { name, bytes } of realPages()) {
    pages++
    if (await judge(200, decodeText(bytes, undefined), {})) alarms++
    assert.equal(alarms, 0, name)
  }
  say(t, 'challenges', `${share(right, all)}, ${alarms} false alarms on ${pages} real pages`)
  assert.equal(right, all)
})

/** The number as written, with whatever divides its thousands left out. */
function amountOf(written: string): number {
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(written.replace(/[\s']/g, '')) ?? []
  return Number(`${whole.replace(/[.,]/g, '')}.${cents || 0}`)
}

const digitsOf = (written: string): string => written.replace(/\D/g, '').replace(/0+$/, '')

test('prices of 70 product pages: what is stated is right, and none is invented', options, async (t) => {
  let [right, stated, start, invented] = [0, 0, 0, 0]
  for (const [id, { url, price }] of Object.entries(tableOf('pages/product-pages/ground-truth.json'))) {
    const html = decodeText(bytesOf(`pages/product-pages/${id}.html.gz`), undefined)
    const { items } = await readPage(html, String(url), false)
    const found = items.find((item) => item.price !== null)
    if (found?.price === null || found === undefined || !Array.isArray(price)) continue
    stated++
    const written = found.price
    // Three labels write thousands with a point.
    if (price.some((label: string) => amountOf(label) === amountOf(written) || digitsOf(label) === digitsOf(written)))
      right++
    else if (String(url).includes('liveauctioneers')) start++
    else invented++
    assert.ok(html.includes(written), `${url} does not have ${written}`)
  }
  say(
    t,
    'prices of product pages',
    `${share(right, stated)}; ${start} are what an auction starts at, ${invented} invented`,
  )
  assert.equal(invented, 0)
  assert.ok(stated >= 45 && right >= stated - 2)
})

test('JSON-LD is read as people write it', options, async (t) => {
  let [read, all, strict] = [0, 0, 0]
  const texts = [...rowsOf('pages/extruct-samples.json'), ...rowsOf('pages/schemaorg-examples.json')].map(({ html }) =>
    String(html),
  )
  for (const { bytes } of realPages()) texts.push(decodeText(bytes, undefined))
  for (const text of texts) {
    const scripts = gatherScripts()
    await walkPage(text, [scripts])
    for (const block of scripts.scripts().jsonLd) {
      all++
      if (parseJsonLd(block) !== undefined) read++
      if (isJson(block)) strict++
    }
  }
  say(t, 'blocks of JSON-LD', `${share(read, all)}; ${strict} are JSON as they are`)
  assert.ok(read >= all - 3)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
