import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topicOf } from './asked-about.ts'
import { openSite, page, readWell } from './fixtures/site.ts'

const WORDS = 'We make mugs by hand in Tbilisi, and send them wherever you are. '.repeat(6)

test('a page is of a topic by its own name or by what the first page calls it, and a product or an article never is', () => {
  const topic = (path: string, called?: string) => topicOf(new URL(path, 'https://shop.com/'), called)
  for (const [path, called] of [
    ['/delivery'],
    ['/en/shipping-and-delivery.html'],
    ['/ka/მიწოდება'],
    ['/mitana'],
    ['/g/7', 'Delivery to you'],
    ['/g/8', 'მიწოდების პირობები'],
  ] as const)
    assert.equal(topic(path, called), 0, path)
  assert.deepEqual(
    ['/returns', '/contact-us', '/faq', '/prices', '/opening-hours', '/about'].map((path) => topic(path)),
    [...[1, 2, 3, 4, 5, 6]],
  )
  for (const [path, called] of [
    ['/'],
    ['/mugs'],
    ['/%E1%83'],
    ['/products/delivery-box'],
    ['/blog/how-we-deliver'],
    ['/a/b/c/delivery'],
    ['/g/9', 'Everything about the mugs that we made this year'],
  ] as const)
    assert.equal(topic(path, called), null, path)
})

test('a long tail of new products leaves half of the pages to what visitors ask about', async (t) => {
  const urls = (paths: readonly string[], lastmod: string): string =>
    paths.map((path) => `<url><loc>ORIGIN${path}</loc><lastmod>${lastmod}</lastmod></url>`).join('')
  const mugs = Array.from({ length: 30 }, (_, at) => `/mug${at + 10}`)
  const asked = ['/delivery', '/ka/delivery', '/returns', '/contact']
  const map = `<urlset>${urls(asked, '2020-01-01')}${urls(mugs, '2026-05-01')}</urlset>`
  const site = await openSite(t, {}, (path) => {
    if (path === '/sitemap.xml') return { type: 'text/xml', body: map.replaceAll('ORIGIN', site.origin) }
    if (path === '/robots.txt') return undefined
    const menu =
      path === '/' ? '<footer><a href="/g/7">Opening <b>hours</b></a> <a href="/g/8">Our mugs</a></footer>' : ''
    return page(path, `${path} ${WORDS}`) + menu
  })
  const read = async (pages: number) => {
    const reading = await readWell(t, `${site.origin}/`, { limits: { pages } })
    return reading.pages.map(({ url }) => new URL(url).pathname)
  }
  assert.deepEqual(await read(8), ['/', '/mug10', '/mug11', '/mug12', '/delivery', '/returns', '/contact', '/g/7'])
  assert.deepEqual(await read(3), ['/', '/mug10', '/mug11'])
  // Where everything is read, it is read in the order of the sitemap.
  assert.deepEqual((await read(40)).slice(0, 35), ['/', ...mugs, ...asked])
})
