import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { type Json, type JsonObject, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import { trimResult } from './index.ts'
import { parseTrim } from './result-trim.ts'

function trimmed(trim: Json, value: string): [string, string | null] {
  const parsed = parseTrim(trim)
  assert.ok(parsed, JSON.stringify(trim))
  const { value: shown, notice } = trimResult(parseJson(value), parsed)
  return [stringifyJson(shown), notice]
}

const shop =
  '{"id":9007199254740993,"state":"open","customer":{"name":"Ana","card":"4242"},"lines":[{"sku":"a","cost":1},{"sku":"b","cost":2},{"sku":"c","cost":3}]}'

test('only what is picked stays, and the notice says what went', () => {
  assert.deepEqual(trimmed({ pick: ['id', 'customer.name'] }, shop), [
    '{"id":9007199254740993,"customer":{"name":"Ana"}}',
    'This result was shortened: not shown: `state`, `customer.card`, `lines`.',
  ])
  assert.deepEqual(trimmed({ pick: ['lines.sku'] }, shop), [
    '{"lines":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}',
    'This result was shortened: not shown: `id`, `state`, `customer`, `lines.cost`.',
  ])
  assert.deepEqual(trimmed({ pick: ['lines.0', 'id', 'state', 'customer'] }, shop), [
    '{"id":9007199254740993,"state":"open","customer":{"name":"Ana","card":"4242"},"lines":[{"sku":"a","cost":1}]}',
    'This result was shortened: `lines` shows 1 of 3 items.',
  ])
})

test('a number and a name together: one item in full, one member of all', () => {
  assert.equal(
    trimmed({ pick: ['lines.1.cost', 'lines.sku'] }, shop)[0],
    '{"lines":[{"sku":"a"},{"sku":"b","cost":2},{"sku":"c"}]}',
  )
  assert.equal(
    trimmed({ pick: ['lines.sku', 'lines.1'] }, shop)[0],
    '{"lines":[{"sku":"a"},{"sku":"b","cost":2},{"sku":"c"}]}',
  )
})

test('a shorter path takes what longer ones take parts of, in either order', () => {
  for (const pick of [
    ['customer', 'customer.name'],
    ['customer.name', 'customer'],
  ]) {
    assert.equal(trimmed({ pick }, shop)[0], '{"customer":{"name":"Ana","card":"4242"}}')
  }
})

test('lists are cut at every depth', () => {
  assert.deepEqual(trimmed({ max_items: 2 }, '{"orders":[{"lines":[1,2,3]},{"lines":[1]},{"lines":[]}],"n":1}'), [
    '{"orders":[{"lines":[1,2]},{"lines":[1]}],"n":1}',
    'This result was shortened: `orders` shows 2 of 3 items, `orders.lines` shows 2 of 3 items.',
  ])
  assert.deepEqual(trimmed({ max_items: 1 }, '[1,2]'), [
    '[1]',
    'This result was shortened: the list shows 1 of 2 items.',
  ])
})

test('of lists that share a path the longest is told', () => {
  const [, notice] = trimmed({ max_items: 2 }, '[{"a":[1,2,3]},{"a":[1,2,3,4,5]}]')
  assert.equal(notice, 'This result was shortened: `a` shows 2 of 5 items.')
})

test('nothing left out, nothing said', () => {
  assert.deepEqual(trimmed({ max_items: 5 }, shop), [shop, null])
  assert.deepEqual(trimmed({ pick: ['a'] }, '{"a":null}'), ['{"a":null}', null])
})

test('a picked path that the result lacks is named, so a changed API does not read as "nothing there"', () => {
  assert.deepEqual(trimmed({ pick: ['total', 'lines.price'] }, '{"lines":[{"sku":"a"}]}'), [
    '{"lines":[{}]}',
    'This result was shortened: not shown: `lines.sku`; not in the result: `total`, `lines.price`.',
  ])
  assert.deepEqual(trimmed({ pick: ['lines.sku'] }, '{"lines":[]}'), ['{"lines":[]}', null])
})

test('results that are no object or list stay as they are', () => {
  for (const value of ['null', '"text"', '5', 'true'])
    assert.equal(trimmed({ pick: ['a'], max_items: 1 }, value)[0], value)
})

test('names that mean something to JavaScript are ordinary names', () => {
  assert.equal(
    trimmed({ pick: ['__proto__', 'constructor'] }, '{"__proto__":{"a":1},"b":2}')[0],
    '{"__proto__":{"a":1}}',
  )
})

test('trimming never throws, never grows a result, and is silent exactly when it changed nothing', () => {
  const step = fc.constantFrom('a', 'b', '0', '1')
  const pick = fc.array(
    fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.')),
    { minLength: 1, maxLength: 4 },
  )
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 1, 'x'),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
      fc.array(tie('value'), { maxLength: 4 }),
    ) as fc.Arbitrary<Json>,
  }))
  fc.assert(
    fc.property(fc.option(pick, { nil: undefined }), fc.integer({ min: 1, max: 3 }), value, (paths, most, given) => {
      const text = JSON.stringify(given)
      const [shown, notice] = trimmed({ ...(paths ? { pick: paths } : {}), max_items: most }, text)
      assert.ok(shown.length <= text.length)
      if (notice === null) assert.equal(shown, text)
      else assert.ok(shown !== text || notice.includes('not in the result'))
    }),
    { numRuns: 1000 },
  )
})

test('no answer and no trim hold the process', () => {
  const long = 'y'.repeat(100_000)
  const members = (count: number, inner: Json) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, inner]))
  const items = (count: number, item: Json) => Array.from({ length: count }, () => item)
  const hundred = (path: (index: number) => string) => Array.from({ length: 100 }, (_, index) => path(index))
  const costly: [what: string, trim: JsonObject, value: Json][] = [
    ['lists under a long name', { max_items: 1 }, { [long]: members(11_000, [1, 2]) }],
    ['members under a long name', { pick: ['x.y'] }, { x: { [long]: 1, ...members(9_000, 1) } }],
    ['lists under long names', { pick: ['a.b'], max_items: 1 }, { a: { b: { [long]: members(11_000, [1, 2]) } } }],
    ['empty lists', { pick: hundred((at) => `a${at}.b`) }, items(80_000, [])],
    ['lists in lists', { pick: hundred((at) => `a${at}`) }, items(60_000, [[]])],
    ['numbers and names', { pick: hundred((at) => (at % 2 ? `${at}.x` : `x${at}`)) }, items(40_000, [[1]])],
    ['paths that lead nowhere', { pick: hundred((at) => `a.b${at}`) }, items(40_000, { a: 0 })],
  ]
  for (const [what, trim, value] of costly) {
    const parsed = parseTrim(trim)
    assert.ok(parsed)
    const { notice } = assertTakesLess(150, () => trimResult(value, parsed), what)
    assert.ok((notice?.length ?? 0) < 10_000, what)
  }
})
