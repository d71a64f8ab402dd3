import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readFeed } from './read-feed.ts'
import { readSitemap } from './read-sitemap.ts'

const AT = 'https://shop.com/feeds/'

async function entryOf(xml: string) {
  const feed = await readFeed(xml, AT, 10)
  const entry = feed?.entries[0]
  return [feed?.title, entry?.title, entry?.url, entry?.content || entry?.summary]
}

const read = ['News', 'A & B', 'https://shop.com/a', 'It is new.']

test('each of the families of feeds, with whatever prefixes', async () => {
  const b64 = Buffer.from('<p>It is <b>new</b>.</p>').toString('base64')
  for (const xml of [
    '<rss version="2.0"><channel><title>News</title><item><title>A &amp;amp; B</title><link>/a</link><description>&lt;p&gt;It is &lt;b&gt;new&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>',
    '<rss><channel><title>News</title><item><title><![CDATA[A & B]]></title><guid>https://shop.com/a</guid><x:encoded xmlns:x="http://purl.org/rss/1.0/modules/content/"><![CDATA[It is <i>new</i>.<script>no</script>]]></x:encoded></item></channel></rss>',
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>News</title></channel><item><title>A &amp; B</title><link>../a</link><description>It is new.</description></item></r:RDF>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://shop.com/b/"><title>News</title><entry><title type="text">A &amp; B</title><link rel="edit" href="x"/><link href="../a"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">It is <b>new</b>.</div></content></entry></feed>',
    `<a:feed version="0.3" xmlns:a="http://purl.org/atom/ns#"><a:title>News</a:title><a:entry><a:title>A &amp; B</a:title><a:link rel="alternate" href="/a"/><a:content type="text/html" mode="base64">${b64}</a:content></a:entry></a:feed>`,
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News',
      items: [{ title: 'A & B', url: '/a', content_html: '<p>It is new.' }],
    }),
  ])
    assert.deepEqual(await entryOf(xml), read, xml)
})

test('what is no feed is none, and of a feed as many entries as are wanted', async () => {
  for (const text of ['', '<html><title>404</title></html>', '{"items": []}', 'User-agent: *', '<a><b>'])
    assert.equal(await readFeed(text, AT, 10), null, text)
  const many = `<rss><channel>${'<item><title>x</title></item>'.repeat(50)}</channel></rss>`
  assert.equal((await readFeed(many, AT, 7))?.entries.length, 7)
  assert.equal((await readFeed(many.slice(0, 100), AT, 50))?.entries.length, 3)
})

test('sitemaps: an index, a packed one, a list of lines, and one that was cut', async () => {
  const map =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc> https://shop.com/a </loc><lastmod>2026-01-02</lastmod><i:image xmlns:i="x"><i:loc>/no</i:loc></i:image></url><url><loc>https://shop.com/b</loc><lastmod>some day</lastmod></url></urlset>'
  const pages = [
    { url: 'https://shop.com/a', lastmod: Date.UTC(2026, 0, 2) },
    { url: 'https://shop.com/b', lastmod: 0 },
  ]
  assert.deepEqual(await readSitemap(Buffer.from(map), 'text/xml', AT, 10_000), { pages, maps: [] })
  const packed = gzipSync(map)
  assert.deepEqual(await readSitemap(packed, 'application/octet-stream', AT, 10_000), { pages, maps: [] })
  assert.deepEqual((await readSitemap(packed.subarray(0, -20), '', AT, 10_000)).pages[0], pages[0])
  assert.deepEqual(await readSitemap(gzipSync(Buffer.alloc(1_000_000)), '', AT, 10_000), { pages: [], maps: [] })
  assert.deepEqual(await readSitemap(Buffer.from('https://shop.com/b\nno\n'), 'text/plain', AT, 10_000), {
    pages: [pages[1]],
    maps: [],
  })
  const index = '<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap></sitemapindex>'
  assert.deepEqual(await readSitemap(Buffer.from(index), 'text/xml', AT, 10_000), { pages: [], maps: ['/s1.xml'] })
})
