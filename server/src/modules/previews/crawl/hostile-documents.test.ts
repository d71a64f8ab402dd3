// Documents that want a reader to stand still: deep, wide, endless, or broken where mending is expensive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLoopTurnsTakeLess } from '../../../../testkit/processor.ts'
import { endless } from './fixtures/endless.ts'
import { openSite, page, readWell } from './fixtures/site.ts'

/** Of processor time. */
const LONGEST_TURN_MS = 800
const WORDS = 'We make mugs by hand in Tbilisi, and send them wherever you are. '.repeat(6)

test('JSON-LD and JSON of a Next.js page that are endlessly deep, or broken in expensive ways', async (t) => {
  const inScript = (open: string, text: string): string => page('Home', WORDS, `<script ${open}>${text}</script>`)
  const ld = 'type="application/ld+json"'
  const hostile = [
    inScript(ld, '[{"@graph":'.repeat(80_000)),
    inScript(ld, `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    inScript(ld, `${'{"@type":"Product","name":"a","offers":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
    inScript(ld, `{"a": "${'\\"'.repeat(200_000)}`),
    inScript(ld, `{"a": ${', '.repeat(100_000)}}`),
    inScript(ld, `/*${'*'.repeat(200_000)}`),
    inScript('id="__NEXT_DATA__"', `[${'{"name":"<b>a","price":"1","url":"/a","image":"/b"},'.repeat(15_000)}1]`),
  ]
  for (const [at, body] of hostile.entries()) {
    const site = await openSite(t, { '/': body })
    const result = await assertLoopTurnsTakeLess(LONGEST_TURN_MS, () => readWell(t, site.origin), `${at}`)
    assert.ok(result.pages[0]?.text.includes('mugs by hand') === true, `${at}`)
    assert.ok(result.items.length <= 300)
  }
  const huge = await openSite(t, {
    '/': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.write(`${page('Home', WORDS)}<script ${ld}>`)
      endless(response, '[{"a":'.repeat(1_000), 30_000_000)
    },
  })
  const result = await assertLoopTurnsTakeLess(LONGEST_TURN_MS, () => readWell(t, huge.origin))
  assert.equal(result.pages[0]?.title, 'Home')
})

test('markup that costs a parser the square of its length', async (t) => {
  const beginning = page('Home', WORDS).replace('</body></html>', '')
  const megabyte = (piece: string): string => piece.repeat(Math.floor(1_000_000 / piece.length))
  for (const piece of [
    '<b>',
    '<div><p>',
    '<title ',
    '<meta charset',
    '<!--',
    '<a href="/x">',
    '<table><td>',
    '<b a a a a a',
    '&#x',
    '<![CDATA[',
    '--a:',
    '"/api/',
    '<svg><style>',
  ]) {
    const site = await openSite(t, { '/': beginning + megabyte(piece) })
    const readOne = () => readWell(t, site.origin, { limits: { pages: 1 } })
    const result = await assertLoopTurnsTakeLess(LONGEST_TURN_MS, readOne, piece)
    assert.ok(result.pages[0]?.text.includes('mugs by hand') === true, piece)
  }
  const attributes = Array.from({ length: 100_000 }, (_, at) => `a${at}="b"`).join(' ')
  const site = await openSite(t, { '/': `${beginning}<p ${attributes}>` })
  const result = await readWell(t, site.origin)
  assert.ok(result.pages[0]?.text.includes('mugs by hand') === true)
})

test('entities of a feed that multiply, or that lead outside, stay what they are', async (t) => {
  const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  const feed = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">${lol}<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>News</title><item><title>One</title><description>&l9; &x; is all</description></item></channel></rss>`
  const site = await openSite(t, {
    '/': page('Home', WORDS, '<link rel="alternate" type="application/rss+xml" href="/f">'),
    '/f': { type: 'text/xml', body: feed },
  })
  const reading = await readWell(t, site.origin)
  assert.equal(reading.feedItems, 1)
  assert.ok((reading.pages.at(-1)?.text.length ?? 0) < 100)
  assert.ok(reading.pages.every(({ text }) => !text.includes('root:')))
})

test('an element with more children than a call may have arguments, and more items than anybody lists', async (t) => {
  const wide = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><content type="xhtml"><div>Wide ${'<i/>'.repeat(190_000)}</div></content></entry></feed>`
  const list = `[${'{"@type":"Product","name":"a"},'.repeat(900)}1]`
  const scripts = `<script type="application/ld+json">${list}</script>`.repeat(30)
  const site = await openSite(t, {
    '/': page('Home', WORDS, '<link rel="alternate" type="application/atom+xml" href="/f">') + scripts,
    '/f': { type: 'application/atom+xml', body: wide },
  })
  const result = await assertLoopTurnsTakeLess(LONGEST_TURN_MS, () => readWell(t, site.origin))
  assert.deepEqual([result.feedItems, result.pages.at(-1)?.text, result.items.length], [1, 'Wide', 1])
})
