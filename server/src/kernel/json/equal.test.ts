import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  BudgetSpent,
  canonicalText,
  compareNumbers,
  isInteger,
  isMultipleOf,
  isNumber,
  type Json,
  jsonEqual,
  measureJson,
  parseJson,
} from './index.ts'

const equal = (a: string, b: string): boolean => {
  const [left, right] = [parseJson(a), parseJson(b)]
  assert.equal(jsonEqual(left, right), jsonEqual(right, left))
  assert.equal(canonicalText(left) === canonicalText(right), jsonEqual(left, right), `${a} and ${b}`)
  return jsonEqual(left, right)
}

test('equal values', () => {
  for (const [a, b] of [
    ['2', '2.0'],
    ['20e-1', '2'],
    ['-0', '0'],
    ['9007199254740993', '9007199254740993.0'],
    ['1e400', '10e399'],
    ['0.10000000000000000000001', '10000000000000000000001e-23'],
    ['{"a":1,"b":[true,null]}', '{"b":[true,null],"a":1.0}'],
    ['"\\u0041"', '"A"'],
    ['[]', '[ ]'],
    ['{"__proto__":1}', '{"__proto__":1}'],
  ] as const) {
    assert.ok(equal(a, b), `${a} and ${b}`)
  }
})

test('unequal values', () => {
  for (const [a, b] of [
    ['true', '"true"'],
    ['1', 'true'],
    ['0', 'false'],
    ['null', '0'],
    ['null', '{}'],
    ['""', '[]'],
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,1]'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"__proto__":{}}', '{}'],
    ['{"toString":null}', '{"other":null}'],
    ['[]', '{}'],
    ['{"rawJSON":"9007199254740993"}', '9007199254740993'],
  ] as const) {
    assert.ok(!equal(a, b), `${a} and ${b}`)
  }
})

test('equality agrees with the canonical text on any two values', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
      assert.equal(equal(JSON.stringify(a), JSON.stringify(b)), isSame(a, b))
    }),
  )
})

test('a double has the text of the same number written any other way', () => {
  for (const double of [0.1, -0.05, 12.5, 1e-6, 1e-7, 123456.789, 9007199254740994, 1e21, -0]) sameText(double)
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), sameText), { numRuns: 2_000 })
})

function sameText(double: number): void {
  assert.equal(canonicalText(double), canonicalText(JSON.rawJSON(double.toExponential())), String(double))
}

const isSame = (a: unknown, b: unknown): boolean => {
  try {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
    return true
  } catch {
    return false
  }
}

test('equality of very deep values does not overflow, and stops where its budget ends', () => {
  const deep = (): Json => {
    let value: Json = 1
    for (let level = 0; level < 200_000; level++) value = [value]
    return value
  }
  assert.ok(jsonEqual(deep(), deep()))
  assert.throws(() => jsonEqual(deep(), deep(), { left: 1000 }), BudgetSpent)
})

test('long numbers are ordered by value', () => {
  const ordered = [
    '-1e400',
    '-9007199254740993',
    '-9007199254740992',
    '-1',
    '-1e-400',
    '0',
    '1e-400',
    '0.1',
    '0.10000000000000000001',
    '1',
    '9007199254740992',
    '9007199254740993',
    '9007199254740993.5',
    '1e400',
    '1.00000000000000000001e400',
    '2e400',
  ]
  const numbers = ordered.map((text) => parseJson(text)).filter((value) => isNumber(value))
  assert.equal(numbers.length, ordered.length)
  for (const [i, a] of numbers.entries()) {
    for (const [j, b] of numbers.entries())
      assert.equal(Math.sign(compareNumbers(a, b)), Math.sign(i - j), `${ordered[i]} and ${ordered[j]}`)
  }
})

test('integers and multiples, exactly', () => {
  const number = (text: string) => {
    const value = parseJson(text)
    assert.ok(isNumber(value))
    return value
  }
  for (const text of ['1', '1.0', '-3e2', '9007199254740993', '1e400', '9007199254740993.000', '0.0e-999'])
    assert.ok(isInteger(number(text)), text)
  for (const text of ['1.5', '9007199254740993.5', '1e-400']) assert.ok(!isInteger(number(text)), text)
  const multiple = (a: string, b: string) => isMultipleOf(number(a), number(b))
  assert.ok(multiple('19.99', '0.01'))
  assert.ok(multiple('1e308', '0.5'))
  assert.ok(multiple('9007199254740993', '3'))
  assert.ok(multiple('0', '7'))
  assert.ok(multiple('-4.02', '0.02'))
  assert.ok(multiple('12e400', '6'))
  assert.ok(!multiple('19.995', '0.01'))
  assert.ok(!multiple('9007199254740993', '2'))
  assert.ok(!multiple('1e308', '0.123456789'))
  assert.ok(!multiple('5', '10'))
  assert.ok(!multiple('1e-400', '1'))
})

test('measuring follows the text, and refuses what is no JSON', () => {
  const limits = { maxDepth: 1000, maxSize: 1_000_000 }
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true, stringUnit: fc.constantFrom('a', 'b', ' ') }), (value) => {
      const clean = JSON.parse(JSON.stringify(value))
      const measured = measureJson(clean, limits)
      assert.ok(measured.ok)
      assert.equal(measured.size, JSON.stringify(clean).length)
    }),
  )
  assert.deepEqual(measureJson(parseJson('[12345678901234567890]'), limits), {
    ok: true,
    size: 22,
    depth: 1,
    values: 2,
  })
  for (const value of [undefined, () => 1, Number.NaN, 1n, [undefined], { a: new Date() }, Symbol('x')]) {
    assert.deepEqual(measureJson(value, limits), { ok: false, reason: 'not_json' })
  }
  const loop: unknown[] = []
  loop.push(loop)
  assert.deepEqual(measureJson(loop, limits), { ok: false, reason: 'too_deep' })
  assert.deepEqual(measureJson('x'.repeat(2_000_000), limits), { ok: false, reason: 'too_large' })
})
