// What a crawl reads of an ordinary site, in which order, and within which bounds.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openCompany } from '../../../../testkit/company.ts'
import { openSite, page, read, readWell, type Served } from './fixtures/site.ts'

const WORDS = 'We make mugs by hand in Tbilisi, and send them wherever you are. '.repeat(6)
const links = (paths: readonly string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
const text = (body: string): Served => ({ type: 'text/plain', body })
const json = (value: unknown): Served => ({ type: 'application/json', body: JSON.stringify(value) })
const pathsOf = (asked: readonly string[]): string[] => asked.map((one) => one.slice(one.indexOf('/')))
const others = (path: string): Served | undefined =>
  /^\/[a-z]\d?$/.test(path) ? page(path, `${path} ${WORDS}`) : undefined

test('pages come by the sitemap, newest first, and then by depth; each once, whatever it is called', async (t) => {
  const map = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
    <url><loc>ORIGIN/a</loc><lastmod>2026-01-01</lastmod></url>
    <url><loc>ORIGIN/b</loc><lastmod>2026-05-01T10:00:00Z</lastmod><image:image><image:loc>ORIGIN/e</image:loc></image:image></url>
    <url><loc>http://elsewhere.com/c</loc></url></urlset>`
  const site = await openSite(
    t,
    { '/robots.txt': text('Sitemap: /index.xml\nSitemap: http://elsewhere.com/s.xml\n') },
    (path) => {
      const here = (body: string) => body.replaceAll('ORIGIN', site.origin)
      if (path === '/index.xml')
        return {
          type: 'text/xml',
          body: here(
            '<sitemapindex><sitemap><loc>ORIGIN/map.xml.gz</loc></sitemap><sitemap><loc>http://elsewhere.com/s.xml</loc></sitemap></sitemapindex>',
          ),
        }
      if (path === '/map.xml.gz') return { type: 'application/gzip', body: gzipSync(here(map)) }
      if (path === '/') return page('Home', WORDS) + links(['/c', '/a?utm_source=mail', '/d#part', '/old', '/twin'])
      if (path === '/old') return { status: 301, headers: { location: '/c' } }
      if (path === '/twin') return page('Twin', `twin ${WORDS}`, '<link rel="canonical" href="/a">')
      return path === '/c' ? page('/c', `c ${WORDS}`) + links(['/f']) : others(path)
    },
  )
  const reading = await readWell(t, `${site.origin}/`)
  assert.deepEqual(pathsOf(reading.pages.map(({ url }) => new URL(url).host + new URL(url).pathname)), [
    '/',
    '/b',
    '/a',
    '/c',
    '/d',
    '/f',
  ])
  assert.equal(reading.stoppedAtPageLimit, false)
  assert.ok(site.asked.every((one) => one.startsWith('www.shop.com')))
})

test('robots.txt: a server fault refuses everything, a missing file nothing, and what it refuses is counted once', async (t) => {
  for (const [status, reason] of [
    [500, 'robots_refused'],
    [503, 'robots_refused'],
    [404, null],
    [403, null],
    [429, null],
  ] as const) {
    const site = await openSite(t, {
      '/': page('Home', WORDS),
      '/robots.txt': { status, body: 'User-agent: *\nDisallow: /' },
    })
    const result = await read(t, site.origin)
    assert.equal('fault' in result ? result.reason : null, reason, `${status}`)
  }
  const site = await openSite(
    t,
    {
      '/robots.txt': text('User-agent: *\nDisallow: /\nUser-agent: TetherPreview\nDisallow: /p\nDisallow: /gone\n'),
      '/': page('Home', WORDS) + links(['/p', '/p2', '/p', '/a', '/moved']),
      '/moved': { status: 302, headers: { location: '/gone' } },
    },
    others,
  )
  const reading = await readWell(t, site.origin)
  assert.equal(reading.pagesRefusedByRobots, 3)
  assert.ok(!site.asked.some((one) => /\/(?:p|p2|gone)$/.test(one)))
  assert.equal(site.headers[0]?.['user-agent'], 'TetherPreview/9.9.9 (+https://tether.example)')
})

test('what robots.txt refuses is counted only where it is a page: neither a feed nor data, though a link leads there', async (t) => {
  const site = await openSite(t, {
    '/robots.txt': text('User-agent: *\nDisallow: /feed\nDisallow: /api/\nDisallow: /p\n'),
    '/': page(
      'Home',
      `${WORDS}<script>fetch("/api/mugs")</script>${links(['/feed/', '/api/mugs', '/p'])}`,
      '<link rel="alternate" type="application/rss+xml" href="/feed/">',
    ),
  })
  assert.equal((await readWell(t, site.origin)).pagesRefusedByRobots, 1)
  assert.ok(!site.asked.some((one) => /feed|api|\/p$/.test(one)))
})

test('addresses that cannot be read, and why', async (t) => {
  const site = await openSite(t, {
    '/json': json({ a: 1 }),
    '/empty': '<html></html>',
    '/secret': { status: 401, body: 'Sign in.' },
  })
  for (const [url, fault, reason, options] of [
    ['ftp://shop.com/', 'invalid_site_url', undefined, {}],
    ['https://user:pass@shop.com/', 'invalid_site_url', undefined, {}],
    ['shop', 'invalid_site_url', undefined, {}],
    [`${site.origin}/`, 'invalid_feed_url', undefined, { feedUrl: 'file:///feed' }],
    [`${site.origin}/`, 'invalid_site_url', undefined, { policy: { allowInsecure: false, allowPrivateNetwork: true } }],
    [`https://www.shop.com/`, 'invalid_site_url', undefined, { private: [] }],
    ['https://127.0.0.1/', 'invalid_site_url', undefined, { private: [] }],
    ['https://gone.com/', 'preview_empty', 'unreachable', { resolve: () => Promise.resolve([]) }],
    [`http://www.shop.com:1/`, 'invalid_site_url', undefined, {}],
    [`${site.origin}/missing`, 'preview_empty', 'unreachable', {}],
    [`${site.origin}/secret`, 'preview_empty', 'unreachable', {}],
    [`${site.origin}/json`, 'preview_empty', undefined, {}],
    [`${site.origin}/empty`, 'preview_empty', undefined, {}],
  ] as const) {
    const result = await read(t, url, options)
    assert.ok('fault' in result, url)
    assert.deepEqual([result.fault, result.reason], [fault, reason], `${url} ${result.message}`)
    assert.match(result.message, /[.]$/)
  }
})

test('a feed that is named is read wherever it is; one that is announced, on the same site alone', async (t) => {
  const feed =
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>Kiln</title><link href="/kiln"/><content type="html">&lt;p&gt;A new kiln.&lt;/p&gt;</content></entry><entry><title>Two</title></entry></feed>'
  const announced = (href: string): string => `<link rel="alternate" type="application/atom+xml" href="${href}">`
  const site = await openSite(t, {}, (path, host) => {
    if (path === '/') return page('Home', WORDS, announced('http://feeds.other.com/f') + announced('/feed'))
    return path === '/feed' || host === 'feeds.other.com'
      ? { type: 'application/atom+xml', body: host === 'www.shop.com' ? feed : feed.replace('Kiln', 'Other') }
      : undefined
  })
  const own = await readWell(t, site.origin)
  assert.equal(own.feedItems, 2)
  assert.deepEqual(
    own.pages.filter(({ isFeed }) => isFeed).map(({ url, title, text: words }) => [url, title, words]),
    [
      [`${site.origin}/kiln`, 'Kiln', 'A new kiln.'],
      [`${site.origin}/feed`, 'Two', 'Two'],
    ],
  )
  const named = await readWell(t, site.origin, {
    feedUrl: `http://feeds.other.com:${site.port}/f`,
    limits: { feedItems: 1 },
  })
  assert.deepEqual([named.feedItems, named.pages.at(-1)?.title], [1, 'Other'])
  assert.ok(site.asked.includes('feeds.other.com/robots.txt'))
})

const LD = {
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': ['Product'],
      name: 'Red &amp; blue mug',
      url: '/red',
      offers: [
        { '@type': 'Offer', price: '24.50', priceCurrency: 'GEL', availability: 'https://schema.org/InStock' },
        { price: '19.50', priceCurrency: 'GEL', availability: 'OutOfStock' },
      ],
    },
    { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'Home', item: '/' }] },
  ],
}

const NEXT = {
  props: {
    products: [
      {
        title: 'Bowl',
        slug: 'bowl',
        price: { amount: '12.00', currencyCode: 'EUR' },
        url: '/bowl',
        image: '/bowl.png',
      },
      { title: 'Courier', price: 3.5 },
      { title: 'Cents', price: { amount: 1999, currency: 'USD' }, url: '/cents' },
      { title: 'About', url: '/about' },
    ],
  },
}

test('items: from JSON-LD, microdata, a page’s own data, public endpoints and product feeds, as they are stated', async (t) => {
  const more = `<script type="application/ld+json">${JSON.stringify(LD)}</script><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(NEXT)}</script>
    <div itemscope itemtype="http://schema.org/Product"><span itemprop="name">Plate</span><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="GEL"><b itemprop="price">30,00</b></div></div>
    <script>load("/api/products?page=1"); load('/data/menu.json'); load("/api/users/me"); load("/api/cart"); load("/api/item/{id}"); load("http:\\/\\/api.shop.com:PORT\\/api\\/offers")</script>`
  const feed =
    '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:title>Boots</g:title><g:price>1299.99 EUR</g:price><g:sale_price>1199.99</g:sale_price><g:link>https://www.shop.com/boots</g:link><g:availability>in stock</g:availability></item></channel></rss>'
  const site = await openSite(
    t,
    {
      '/feed': { type: 'text/xml', body: feed },
      '/data/menu.json': json({
        menu: [
          { name: 'Lobio', price: 9.9 },
          { name: 'Free', price: 0 },
        ],
      }),
    },
    (path, host) => {
      if (path === '/')
        return (
          page('Home', WORDS, '<link rel="alternate" type="application/rss+xml" href="/feed">') +
          more.replace('PORT', String(site.port))
        )
      if (path === '/api/products?page=1')
        return {
          type: 'application/json',
          body: '[{"name":"Vase","price":19.90,"currency":"GEL","inStock":true,"url":"/vase"}]',
        }
      return host === 'api.shop.com' ? json({ offers: [{ name: 'Jug', price: '7', url: '/jug' }] }) : undefined
    },
  )
  const { items } = await readWell(t, site.origin)
  assert.deepEqual(
    items.map(({ name, price, currency, availability, from }) => [name, price, currency, availability, from]),
    [
      ['Red & blue mug', '19.50', 'GEL', 'OutOfStock', 'json-ld'],
      ['Plate', '30,00', 'GEL', null, 'microdata'],
      ['Bowl', '12.00', 'EUR', null, 'next-data'],
      ['Vase', '19.90', 'GEL', 'InStock', 'public-json'],
      ['Jug', '7', null, null, 'public-json'],
      ['Lobio', '9.9', null, null, 'public-json'],
      ['Boots', '1199.99', 'EUR', 'in stock', 'feed'],
    ],
  )
  assert.ok(!site.asked.some((one) => /users|cart|item\//.test(one)))
})

test('endpoints: six at most, and what robots.txt of their host refuses is not asked', async (t) => {
  const calls = Array.from({ length: 12 }, (_, at) => `get("/api/list/${at}")`).join(';')
  const site = await openSite(
    t,
    {
      '/': `${page('Home', WORDS)}<script>get("/api/no");${calls}</script>`,
      '/robots.txt': text('User-agent: *\nDisallow: /api/no'),
    },
    (path) => (path.startsWith('/api') ? json([{ name: path, price: 1 }]) : undefined),
  )
  const { items } = await readWell(t, site.origin, { limits: { items: 3 } })
  assert.equal(site.asked.filter((one) => one.includes('/api/')).length, 5)
  assert.equal(items.length, 3)
})

test('the colour: stated, or of the manifest, or of a property, or the commonest; greys never', async (t) => {
  const sheet = (css: string): Served => ({ type: 'text/css', body: css })
  const look = async (head: string, files: Readonly<Record<string, Served>> = {}) => {
    const site = await openSite(t, { '/': page('Home', WORDS, head), ...files })
    return (await readWell(t, site.origin, { limits: { pages: 1 } })).brand.color
  }
  const manifest = '<link rel="manifest" href="/m.json">'
  const css =
    '<link rel="stylesheet" href="/1.css"><link rel="stylesheet" href="/2.css"><link rel="stylesheet" href="/3.css">'
  const files = {
    '/m.json': json({ theme_color: 'rgb(200, 16, 46)' }),
    '/1.css': sheet('a{color:#00aa00}b{color:#00aa00}'),
    '/2.css': sheet(':root{--brand: hsl(210 100% 50%)}'),
    '/3.css': sheet(':root{--primary:#ff00ff}'),
  }
  assert.equal(
    await look(
      `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#112244"><meta name="theme-color" content="#1F6FEB">${manifest}`,
      files,
    ),
    '#1f6feb',
  )
  assert.equal(await look(`<meta name="theme-color" content="#ffffff">${manifest}${css}`, files), '#c8102e')
  assert.equal(await look(css, files), '#0080ff')
  assert.equal(await look(css, { ...files, '/2.css': sheet('i{color:#808080}') }), '#00aa00')
  assert.equal(
    await look('<style>:root{--primary:#222;--accent:var(--x);--x:#e91e63}.btn--primary:hover{color:#00f}</style>'),
    '#e91e63',
  )
  assert.equal(await look('<style>body{color:#333;background:#fefefe}</style>'), null)
})

test('the logo: an image of that name, an icon, what is stated, or the favicon; https alone where nothing else is allowed', async (t) => {
  const look = async (head: string, body = '', allowInsecure = true) => {
    const site = await openSite(t, {
      '/': page('Home', WORDS, head) + body,
      '/favicon.ico': { type: 'image/x-icon', body: 'icon' },
    })
    const { logoUrl } = (await readWell(t, site.origin, { limits: { pages: 1 }, allowInsecure })).brand
    return logoUrl?.replace(site.origin, '') ?? null
  }
  const icons =
    '<link rel="icon" sizes="16x16" href="/16.png"><link rel="icon" type="image/svg+xml" href="/i.svg"><link rel="apple-touch-icon" href="/touch.png"><meta property="og:logo" content="/og.png">'
  assert.equal(
    await look(
      icons,
      '<img src="/partner-logo.png"><header><a href="/"><img data-src="/own.png" src="data:x" alt="Shop logo"></a></header>',
    ),
    '/own.png',
  )
  assert.equal(await look(icons, '<img src="/cat.png" alt="A catalogue">'), '/touch.png')
  assert.equal(await look(icons.replace(/<link rel="apple[^>]*>/, '')), '/i.svg')
  assert.equal(
    await look('<link rel="icon" sizes="16x16" href="/16.png"><meta property="og:logo" content="/og.png">'),
    '/og.png',
  )
  assert.equal(await look(''), '/favicon.ico')
  assert.equal(await look(icons, '', false), null)
  assert.equal(
    await look(
      `${icons}<meta property="og:logo" content="/og.png">`,
      '<img class="logo" src="https://cdn.shop.com/logo.png">',
      false,
    ),
    'https://cdn.shop.com/logo.png',
  )
})

test('what stands on most pages is left out, and the name of the site from their titles', async (t) => {
  const notice = '<div>Free delivery today</div><div class="end">Mug Shop Ltd, all rights reserved, Tbilisi 0105</div>'
  const site = await openSite(t, { '/': page('Home', WORDS) + notice + links(['/a', '/b', '/c', '/d']) }, (path) => {
    const found = others(path)
    return typeof found === 'string' ? found + notice : found
  })
  const reading = await readWell(t, site.origin)
  assert.equal(reading.pages.length, 5)
  assert.ok(
    reading.pages.every(
      ({ text: words }) => !/delivery today|rights reserved/.test(words) && words.includes('by hand'),
    ),
  )
  assert.deepEqual(
    [reading.name, reading.brand.name, reading.topics],
    ['Mug Shop', 'Mug Shop', ['Home', '/a', '/b', '/c']],
  )
})

test('one request at a time, or as many as were allowed, and never more than four', async (t) => {
  for (const [concurrency, most] of [
    [1, 1],
    [3, 3],
    [9, 4],
  ] as const) {
    const company = openCompany(most, 8)
    const slow = (path: string) => (_: unknown, response: ServerResponse) => {
      void company
        .stay()
        .then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page(path, `${path} ${WORDS}`)))
    }
    const site = await openSite(
      t,
      { '/': page('Home', WORDS) + links(['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h']) },
      (path) => (/^\/[a-h]$/.test(path) ? slow(path) : undefined),
    )
    assert.equal((await readWell(t, site.origin, { limits: { concurrency } })).pages.length, 9)
    assert.equal(company.highest(), most)
  }
})

test('bytes and time: what was read by then is kept', async (t) => {
  const large = (path: string) =>
    page(path, `${path} ${'Mugs and more mugs. '.repeat(3_000)}`) + links([`/n${Number(path.slice(2)) + 1}`])
  const site = await openSite(t, {}, (path) =>
    path === '/robots.txt' || path === '/sitemap.xml' ? undefined : large(path === '/' ? '/n0' : path),
  )
  const reading = await readWell(t, site.origin, { limits: { totalBytes: 300_000, bytesPerPage: 100_000 } })
  assert.ok(
    reading.bytes <= 300_000 && reading.pages.length >= 3 && reading.pages.length <= 6,
    `${reading.bytes} ${reading.pages.length}`,
  )
  const slow = await openSite(t, { '/': page('Home', WORDS) + links(['/a']), '/a': () => undefined })
  assert.equal((await readWell(t, slow.origin, { limits: { timeoutMs: 2_500 } })).pages.length, 1)
  const stop = new AbortController()
  const halted = await openSite(t, { '/': page('Home', WORDS) + links(['/a', '/b']), '/a': () => stop.abort() })
  assert.equal((await readWell(t, halted.origin, { signal: stop.signal })).pages.length, 1)
})

test('progress is told while it goes on', async (t) => {
  const site = await openSite(
    t,
    {
      '/': page('Home', WORDS, '<meta name="theme-color" content="#1f6feb">') + links(['/a', '/b']),
      '/robots.txt': text('User-agent: *\nDisallow: /b'),
    },
    others,
  )
  const told: (readonly [number, number, string | null])[] = []
  await readWell(t, site.origin, {
    onProgress: ({ pages, refused, brand }) => told.push([pages, refused, brand?.color ?? null]),
  })
  assert.deepEqual(told, [
    [1, 0, null],
    [1, 0, '#1f6feb'],
    [2, 0, '#1f6feb'],
  ])
})
