import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertTakesLess, leastProcessorMs } from '../../../testkit/processor.ts'
import { JsonFault, type JsonFaultReason, jsonEqual, parseJson, parseJsonBytes, stringifyJson } from './index.ts'

const refused = (work: () => unknown, reason: JsonFaultReason) =>
  assert.throws(work, (error: unknown) => error instanceof JsonFault && error.reason === reason)

test('numbers that a double would change are written back as they came', () => {
  for (const text of [
    '9007199254740993',
    '[-9007199254740993,{"id":123456789012345678901234567890}]',
    '0.1234567890123456789',
    '1e400',
    '-1E-400',
    '{"total":12345678901234.56789}',
  ]) {
    assert.equal(stringifyJson(parseJson(text)), text)
  }
})

test('numbers that a double holds are plain numbers', () => {
  for (const text of [
    '0',
    '-1',
    '2.0',
    '1e3',
    '0.1',
    '1e21',
    '1.5E+2',
    '123456789012345',
    '0.1000000000000000',
    '-0.0',
    '5e-324',
  ]) {
    assert.equal(typeof parseJson(text), 'number', text)
    assert.equal(parseJson(text), Number(text))
  }
})

test('whatever a double says, the text means the same number afterwards', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
      assert.equal(stringifyJson(parseJson(`{"n":[${value}]}`)), `{"n":[${value}]}`)
    }),
  )
})

test('any JSON comes back equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.equal(stringifyJson(parseJson(text)), text)
    }),
  )
})

test('digits inside strings and member names are left alone', () => {
  const text = '{"99999999999999999999":"12345678901234567890 \\"1e999\\\\"}'
  const value = parseJson(text)
  assert.equal(stringifyJson(value), text)
  assert.ok(jsonEqual(value, { '99999999999999999999': '12345678901234567890 "1e999\\' }))
})

test('depth and size are bounded before anything recurses', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  assert.ok(Array.isArray(parseJson(nested(128))))
  refused(() => parseJson(nested(129)), 'too_deep')
  refused(() => parseJson(nested(1_000_000)), 'too_deep')
  refused(() => parseJson('{"a":'.repeat(200_000)), 'too_deep')
  assert.equal(parseJson(JSON.stringify('['.repeat(500))), '['.repeat(500))
  for (const text of ['"', '\\', '\\"', '"\\']) {
    const value = [text + '['.repeat(500)]
    assert.deepEqual(parseJson(JSON.stringify(value)), value)
  }
  refused(() => parseJson('[1,2,3]', { maxDepth: 8, maxLength: 6 }), 'too_large')
  refused(() => parseJson(`[${'9'.repeat(1001)}]`), 'number_too_long')
})

test('a member that stands twice: the last one wins, and an inherited name is an ordinary member', () => {
  assert.equal(
    stringifyJson(parseJson('{"amount":1,"amount":12345678901234567890}')),
    '{"amount":12345678901234567890}',
  )
  const value = parseJson('{"__proto__":{"admin":true},"n":12345678901234567890}')
  assert.ok(Object.hasOwn(value as object, '__proto__'))
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('an object that looks like an exact number is an object', () => {
  assert.equal(stringifyJson(parseJson('{"rawJSON":"1"}')), '{"rawJSON":"1"}')
})

test('a text of very many values or numbers is parsed in the time of any other of its size', () => {
  const text = (piece: string) => `[${piece.repeat(6_500_000 / piece.length)}0]`
  const ordinary = leastProcessorMs(() =>
    parseJson(
      text(
        '{"sku":"SKU-1234","title":"A lamp of brass, with a cord of two metres","price":12.5,"tags":["lamps","brass"]},',
      ),
    ),
  )
  const costs = (given: string) => {
    const parse = () => {
      try {
        parseJson(given)
      } catch (error) {
        assert.ok(error instanceof JsonFault)
      }
    }
    assertTakesLess(Math.max(20, 3 * ordinary), parse, given.slice(0, 20))
  }
  for (const piece of ['1e1,', '9007199254740993,', '1.00000000000000000000,', '1e999,', '{},', '[],', '0,'])
    costs(text(piece))
  // As many as there may be, and among very many a single one.
  costs(`[${'1e1,'.repeat(49_999)}0]`)
  costs(`[${'1e999,'.repeat(49_999)}0]`)
  costs(`[${'1'.repeat(20)}${',0'.repeat(490_000)}]`)
})

test('as many values as there may be, and not one more', () => {
  assert.ok(parseJson('[0,0,{"a":0}]', { maxValues: 5 }))
  refused(() => parseJson('[0,0,{"a":0}]', { maxValues: 4 }), 'too_many')
  assert.equal(parseJson('",,,,[[[[,"', { maxValues: 1 }), ',,,,[[[[,')
  refused(() => parseJson(`[${'1e1,'.repeat(50_000)}1e1]`), 'too_many')
})

test('what is no number, or stands where none can, is a fault as ever', () => {
  for (const text of [
    '{12345678901234567890:1}',
    '{"a":1,1e400 : 2}',
    '[01e400]',
    '[1e400e1]',
    '[1e]',
    '[12345678901234567890.]',
    '[.12345678901234567890]',
    '[+1e400]',
    '[--1e400]',
    '[1-1e400]',
    '[1e400 1e400]',
    '["a"1e400]',
    '[1e400"a"]',
    '1e400 1',
    '[1e400',
  ]) {
    assert.throws(() => JSON.parse(text))
    refused(() => parseJson(text), 'syntax')
  }
  for (const text of ['1e400', '-12345678901234567890', '[ 1e400 , -1E+400\n]', '{"1e400":{"b":[1e-400]}}']) {
    assert.equal(stringifyJson(parseJson(text)), text.replaceAll(/[ \n]/g, ''))
  }
})

test('the fault does not quote the text', () => {
  for (const text of ['{"apiKey":"tth_secret"', '{"a":tth_secret}', 'tth_secret', '']) {
    assert.throws(
      () => parseJson(text),
      (error: unknown) => error instanceof JsonFault && error.reason === 'syntax' && !error.message.includes('secret'),
    )
  }
})

test('the published parsing tests: accepted where they must be, refused where they must be, never another error', () => {
  for (const { name, expect, bytes } of publishedCases()) {
    let fault: unknown
    try {
      parseJsonBytes(bytes)
    } catch (error) {
      fault = error
    }
    assert.ok(fault === undefined || fault instanceof JsonFault, name)
    if (expect !== 'either') assert.equal(fault === undefined ? 'accept' : 'reject', expect, name)
  }
})

test('text full of colliding or numeric names parses in linear time', () => {
  const body = (names: number) => `{${Array.from({ length: names }, (_, index) => `"${index * 65536}":0`).join()}}`
  const small = leastProcessorMs(() => parseJson(body(5_000)))
  const large = leastProcessorMs(() => parseJson(body(50_000)))
  assert.ok(large < Math.max(small, 1) * 60, `${small} ms, then ${large} ms for ten times as many`)
})

type Case = { name: string; expect: 'accept' | 'reject' | 'either'; text?: string; base64?: string }

function publishedCases(): { name: string; expect: Case['expect']; bytes: Uint8Array }[] {
  const whole = new URL('../../../../../shared/corpora/email-and-formats/json-parsing-bodies.json', import.meta.url)
  const sample = new URL('./fixtures/json-parsing-sample.json', import.meta.url)
  const cases: Case[] = existsSync(whole)
    ? JSON.parse(readFileSync(whole, 'utf8'))
    : JSON.parse(readFileSync(sample, 'utf8')).cases
  return cases.map(({ name, expect, text, base64 }) => ({
    name,
    expect,
    bytes: base64 === undefined ? new TextEncoder().encode(text ?? '') : Buffer.from(base64, 'base64'),
  }))
}
