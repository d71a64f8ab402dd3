import assert from 'node:assert/strict'
import test from 'node:test'
import type { Json } from '../../../kernel/json/index.ts'
import { parseJson } from '../../../kernel/json/index.ts'
import type { ArgumentPlace, Style } from '../../catalog/index.ts'
import { inHeader, inPairs, inPath } from './styles.ts'

// The table "Style Examples" of OpenAPI 3.1.1, section 4.8.12.4, cell by cell. Where it says "n/a" there is no cell.
const VALUES: readonly Json[] = ['', 'blue', ['blue', 'black', 'brown'], { R: 100, G: 200, B: 150 }]
type Row = readonly [
  style: Style,
  explode: boolean,
  empty: string | null,
  text: string | null,
  list: string | null,
  object: string | null,
]

const IN_PATH: readonly Row[] = [
  ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
]
const IN_QUERY: readonly Row[] = [
  ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, null, null, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, null, null, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['deepObject', true, null, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
]
// "simple" is a header's style as well, and "form" a cookie's.
const IN_HEADER = IN_PATH.filter(([style]) => style === 'simple')
const IN_COOKIE = IN_QUERY.filter(([style]) => style === 'form')

const place = (where: ArgumentPlace['in'], style?: Style, explode?: boolean): ArgumentPlace => ({
  in: where,
  name: 'color',
  ...(style === undefined ? {} : { style }),
  ...(explode === undefined ? {} : { explode }),
})

const WRITTEN = {
  path: inPath,
  query: (value: Json, at: ArgumentPlace) => inPairs(value, at).join('&'),
  header: inHeader,
  cookie: (value: Json, at: ArgumentPlace) => inPairs(value, at).join('&'),
}

test('the style table of OpenAPI 3.1.1, cell by cell', () => {
  let cells = 0
  const tables = { path: IN_PATH, query: IN_QUERY, header: IN_HEADER, cookie: IN_COOKIE }
  for (const [where, rows] of Object.entries(tables) as [keyof typeof tables, readonly Row[]][]) {
    for (const [style, explode, ...expected] of rows) {
      for (const [index, cell] of expected.entries()) {
        if (cell === null) continue
        const value = VALUES[index] ?? null
        assert.equal(WRITTEN[where](value, place(where, style, explode)), cell, `${where} ${style} ${explode} ${index}`)
        cells++
      }
    }
  }
  // The 37 cells of the table, and those of its two styles that headers and cookies share.
  assert.equal(cells, 37 + 8 + 8)
})

test('without a style, each place has its own, and lists of a query are exploded', () => {
  const list = ['a', 'b']
  assert.equal(inPath(list, place('path')), 'a,b')
  assert.equal(inHeader(list, place('header')), 'a,b')
  assert.deepEqual(inPairs(list, place('query')), ['color=a', 'color=b'])
  assert.deepEqual(inPairs(list, place('query', 'spaceDelimited')), ['color=a%20b'])
  assert.deepEqual(inPairs({ a: 1 }, place('query', 'deepObject')), ['color%5Ba%5D=1'])
})

test('what the text leaves open: lists under deepObject have indices at every level, and nested values are JSON', () => {
  const deep = { items: [{ price: 'p_1', quantity: 2 }, { price: 'p_2' }], a: { b: { c: true } } }
  const pairs = inPairs(deep, place('query', 'deepObject')).map(decodeURIComponent)
  assert.deepEqual(pairs, [
    'color[items][0][price]=p_1',
    'color[items][0][quantity]=2',
    'color[items][1][price]=p_2',
    'color[a][b][c]=true',
  ])
  assert.deepEqual(inPairs(['x'], place('query', 'deepObject')), ['color%5B0%5D=x'])
  assert.deepEqual(inPairs([{ a: 1 }], place('query')), ['color=%7B%22a%22%3A1%7D'])
})

test('nothing in a list or an object writes no pair, and null in it is absent', () => {
  for (const style of ['form', 'deepObject', 'pipeDelimited'] as const) {
    assert.deepEqual(inPairs([], place('query', style)), [], style)
    assert.deepEqual(inPairs({}, place('query', style)), [], style)
    assert.deepEqual(inPairs({ a: null }, place('query', style)), [], style)
  }
  assert.deepEqual(inPairs(['a', null, 'b'], place('query', 'form', false)), ['color=a,b'])
})

test('values are encoded, reserved ones too, and a header is left as it is', () => {
  const value = "a b/ü&=+#?[]%!'()*;,@"
  const encoded = 'a%20b%2F%C3%BC%26%3D%2B%23%3F%5B%5D%25%21%27%28%29%2A%3B%2C%40'
  assert.equal(inPath(value, place('path')), encoded)
  assert.deepEqual(inPairs(value, place('query')), [`color=${encoded}`])
  assert.equal(inHeader('a, b/%20', place('header')), 'a, b/%20')
  assert.equal(inPath({ 'a=b': 'c,d' }, place('path', 'simple', true)), 'a%3Db=c%2Cd')
})

test('reserved characters stay where they are allowed, but for those that mean something in a query', () => {
  const reserved = { ...place('query'), allowReserved: true }
  assert.deepEqual(inPairs(":/?#[]@!$&'()*+,;= %2F%zz ü", reserved), [
    "color=:/?%23%5B%5D@!$%26'()*%2B,;%3D%20%2F%25zz%20%C3%BC",
  ])
  assert.deepEqual(inPairs('a;b', { ...reserved, in: 'cookie' }), ['color=a%3Bb'])
})

test('a value with a media type of its own is written in it', () => {
  const json = { contentType: 'application/json' }
  assert.deepEqual(inPairs({ a: ['b'] }, { ...place('query'), ...json }), ['color=%7B%22a%22%3A%5B%22b%22%5D%7D'])
  assert.deepEqual(inPairs('b', { ...place('query'), ...json }), ['color=%22b%22'])
  assert.deepEqual(inPairs('b', { ...place('query'), contentType: 'text/plain' }), ['color=b'])
  assert.equal(inHeader({ a: 1 }, { ...place('header'), ...json }), '{"a":1}')
})

test('a number is written as it was', () => {
  const [long, decimal] = parseJson('[9007199254740993, 0.10000000000000000001]') as Json[]
  assert.deepEqual(inPairs(long ?? null, place('query')), ['color=9007199254740993'])
  assert.equal(inPath([long ?? null, decimal ?? null], place('path')), '9007199254740993,0.10000000000000000001')
})
