import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataEndpointsIn } from './data-endpoints.ts'
import { parseJsonLd } from './json-ld.ts'
import { itemsOfLinkedData } from './linked-data.ts'
import { itemsOfPlainData } from './plain-data.ts'
import { priceOf } from './price.ts'

test('JSON-LD as people write it', () => {
  const meant = { '@type': 'Product', name: 'Mug', url: 'https://shop.com//a' }
  const json = JSON.stringify(meant)
  for (const text of [
    json,
    `\n  ${json};\n`,
    `<!-- ${json} -->`,
    `<!-- made by a plugin -->\n${json}`,
    `//<![CDATA[\n${json}\n//]]>`,
    `/*<![CDATA[*/${json}/*]]>*/`,
    `${json.slice(0, -1)},}`,
    `/* one */ ${json.replace(',', ', // two\n')}`,
  ])
    assert.deepEqual(parseJsonLd(text), meant, text)
  assert.deepEqual(parseJsonLd('{"name": "two\nlines\tand \\" , ] // no comment"}'), {
    name: 'two lines and " , ] // no comment',
  })
  assert.deepEqual(parseJsonLd('{"a": "ends with \\\\", "b": "//\\\\\\"/*", /* , " */ "c": [1, 2,], }'), {
    a: 'ends with \\',
    b: '//\\"/*',
    c: [1, 2],
  })
  for (const text of ['', 'no', '{"a":', '[', '{"a" "b"}']) assert.equal(parseJsonLd(text), undefined, text)
})

test('a price is kept as it was written, and only where it is one', () => {
  assert.deepEqual(parseJsonLd('{"price": 19.90, "rating": 4.50}'), { price: '19.90', rating: 4.5 })
  for (const [stated, currency, price, found] of [
    ['19.90', 'EUR', '19.90', 'EUR'],
    [1299, 'usd', '1299', 'USD'],
    ['1 299,00', null, '1 299,00', null],
    ['€19,90', null, '19,90', '€'],
    ['25 GEL', null, '25', 'GEL'],
    ['25 ₾', null, '25', '₾'],
    ['$5', 'CAD', '5', 'CAD'],
  ] as const)
    assert.deepEqual(priceOf(stated, currency), { price, currency: found }, `${stated}`)
  for (const stated of [
    '0',
    '0.00',
    '',
    'free',
    'from 5 EUR',
    '5 items',
    '5-10 EUR',
    '12345678901234567890123',
    null,
    true,
    {},
    Number.NaN,
  ])
    assert.equal(priceOf(stated, 'EUR'), null, `${stated}`)
})

test('of several offers the lowest price counts, if they can be compared; what is not stated is null', () => {
  const priced = (offers: unknown) => {
    const [item] = itemsOfLinkedData(
      { '@type': 'https://schema.org/Product', name: 'Mug', offers },
      'https://shop.com/p',
      'json-ld',
    )
    return [item?.price, item?.currency, item?.availability]
  }
  assert.deepEqual(
    priced([
      { price: 20, priceCurrency: 'EUR' },
      { price: '9.50', priceCurrency: 'EUR', availability: 'http://schema.org/SoldOut' },
    ]),
    ['9.50', 'EUR', 'SoldOut'],
  )
  assert.deepEqual(
    priced([
      { price: '20', priceCurrency: 'EUR' },
      { price: '9', priceCurrency: 'USD' },
    ]),
    ['20', 'EUR', null],
  )
  assert.deepEqual(priced({ '@type': 'AggregateOffer', lowPrice: '5', priceCurrency: 'GEL' }), ['5', 'GEL', null])
  assert.deepEqual(priced({ priceCurrency: 'GEL', priceSpecification: [{ price: 7 }] }), ['7', 'GEL', null])
  assert.deepEqual(priced({ '@type': 'AggregateOffer', offers: [{ price: '3', priceCurrency: 'GEL' }] }), [
    '3',
    'GEL',
    null,
  ])
  assert.deepEqual(priced({ price: 0, priceCurrency: 'GEL' }), [null, null, null])
  assert.deepEqual(priced(undefined), [null, null, null])
})

test('lists and events are items; a trail of crumbs, a business and a website are none', () => {
  const graph = [
    {
      '@type': 'ItemList',
      itemListElement: [
        { '@type': 'ListItem', name: 'Bowl', url: '/bowl' },
        { '@type': 'ListItem', url: '/x' },
      ],
    },
    { '@type': 'MusicEvent', name: 'Concert', offers: { price: 30 } },
    { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'Home', item: '/' }] },
    { '@type': 'Organization', name: 'Shop' },
    { '@type': 'Product', name: 'Evil', url: 'javascript:alert(1)', image: 'file:///etc/passwd' },
  ]
  const items = itemsOfLinkedData({ '@graph': graph }, 'https://shop.com/p', 'json-ld')
  assert.deepEqual(
    items.map(({ name, url, image }) => [name, url, image]),
    [
      ['Bowl', 'https://shop.com/bowl', null],
      ['Concert', 'https://shop.com/p', null],
      ['Evil', 'https://shop.com/p', null],
    ],
  )
})

test('plain data: no cents for whole money, no menus, no ways of delivery', () => {
  const named = (value: unknown, from: 'next-data' | 'public-json') =>
    itemsOfPlainData(value, 'https://shop.com/p', from).map(({ name, price, currency, url }) => [
      name,
      price,
      currency,
      new URL(url).pathname,
    ])
  const data = [
    { title: 'Vase', price: { value: '10,50', currency: 'EUR' }, href: '/vase' },
    { title: 'Cents', price: { amount: 1050, currency: 'EUR' }, href: '/cents' },
    { name: 'Sale', price: 20, salePrice: null, currencyCode: 'GEL', link: '/sale' },
    { name: 'Shirt', variants: [{ price: '15.00' }], path: 'shirts' },
    { title: 'About us', url: '/about' },
    { name: 'Courier', price: 5 },
    { name: 'Plate', price: '8.00', slug: 'plate' },
    { name: 'Saucer', price: '4.00', sku: 1042 },
    { name: 'Pick-up', price: 0.5, slug: '' },
    { title: 'Recipe', url: '/recipe', image: { url: '/r.png' }, description: 'Cook.' },
  ]
  assert.deepEqual(named(data, 'next-data'), [
    ['Vase', '10,50', 'EUR', '/vase'],
    ['Sale', '20', 'GEL', '/sale'],
    ['Plate', '8.00', null, '/p'],
    ['Saucer', '4.00', null, '/p'],
    ['Recipe', null, null, '/recipe'],
  ])
  assert.deepEqual(
    named(data, 'public-json').map(([name]) => name),
    ['Vase', 'Sale', 'Shirt', 'Courier', 'Plate', 'Saucer', 'Pick-up'],
  )
})

test('endpoints that a page names: of the site, without placeholders, nobody’s own', () => {
  const page = `<script>a("/api/products"); b('https://api.shop.com/api/v2/catalog?page=1'); c("\\/api\\/menu"); d = { url: "data/list.json" }
    no("https://other.com/api/x"); no("https://shop.com.evil.com/api/x"); no("/api/users/1"); no("/api/auth/me"); no("/api/{id}"); no("/api/$" + x)
    no("/api/cart"); no("/api/accountSettings"); no("/api/"); no("/api/app.js"); no("/manifest.json"); no("http://shop.com/api/plain"); /api/bare </script>`
  assert.deepEqual(dataEndpointsIn(page, new URL('https://www.shop.com/a/')), [
    'https://www.shop.com/api/products',
    'https://api.shop.com/api/v2/catalog?page=1',
    'https://www.shop.com/api/menu',
    'https://www.shop.com/a/data/list.json',
  ])
})
