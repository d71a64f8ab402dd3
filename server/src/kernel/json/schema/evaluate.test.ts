import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPreparedTakesLess, uncachedPattern } from '../../../../testkit/processor.ts'
import { schemaAttacks } from '../fixtures/schema-attacks.ts'
import { type Json, parseJson } from '../index.ts'
import { fitsSchema, prepareSchema, type Schema } from './index.ts'

function prepared(text: string) {
  const result = prepareSchema(parseJson(text) as Schema)
  assert.ok(result.ok, JSON.stringify(result))
  return result.prepared
}

function problems(schema: string, value: string | Json): string[] {
  const result = fitsSchema(prepared(schema), typeof value === 'string' ? parseJson(value) : value)
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`)
}

test('messages say what is expected and what was sent', () => {
  const cases: [schema: string, value: string, says: string[]][] = [
    [
      '{"properties":{"quantity":{"type":"integer"}}}',
      '{"quantity":"two"}',
      ['quantity: must be an integer; you sent "two"'],
    ],
    [
      '{"properties":{"a":{"type":["string","null"]}}}',
      '{"a":[1,2]}',
      ['a: must be a string or null; you sent a list of 2'],
    ],
    ['{"required":["order_id","sku"]}', '{"sku":1}', ['order_id: is required']],
    ['{"properties":{"a":{}},"additionalProperties":false}', '{"a":1,"b":2}', ['b: is not known; known here: `a`']],
    [
      '{"properties":{"c":{"enum":["red",1,null]}}}',
      '{"c":"blue"}',
      ['c: must be one of "red", 1, null; you sent "blue"'],
    ],
    ['{"properties":{"c":{"const":true}}}', '{"c":"true"}', ['c: must be true; you sent "true"']],
    ['{"properties":{"n":{"minimum":1,"maximum":5}}}', '{"n":0}', ['n: must be at least 1; you sent 0']],
    ['{"properties":{"n":{"exclusiveMaximum":5}}}', '{"n":5.0}', ['n: must be less than 5; you sent 5']],
    ['{"properties":{"n":{"multipleOf":0.05}}}', '{"n":19.99}', ['n: must be a multiple of 0.05; you sent 19.99']],
    ['{"properties":{"s":{"minLength":3}}}', '{"s":"😀😀"}', ['s: must have at least 3 characters; you sent 2']],
    [
      '{"properties":{"s":{"pattern":"^[A-Z]{3}$"}}}',
      '{"s":"usd"}',
      ['s: must match the pattern ^[A-Z]{3}$; you sent "usd"'],
    ],
    [
      '{"properties":{"l":{"items":{"type":"string"},"maxItems":1}}}',
      '{"l":["a",2]}',
      ['l.1: must be a string; you sent 2', 'l: must have at most 1 item; you sent 2'],
    ],
    [
      '{"properties":{"l":{"uniqueItems":true}}}',
      '{"l":[1,2,1.0]}',
      ['l: must not repeat an item; items 0 and 2 are equal'],
    ],
    ['{"anyOf":[{"type":"null"},{"type":"object","required":["id"]}]}', '{}', ['id: is required']],
    [
      '{"properties":{"p":{"oneOf":[{"properties":{"kind":{"const":"card"}},"required":["number"]},{"properties":{"kind":{"const":"cash"}}}]}}}',
      '{"p":{"kind":"card"}}',
      ['p.number: is required'],
    ],
    [
      '{"properties":{"p":{"anyOf":[{"type":"string"},{"type":"null"}]}}}',
      '{"p":5}',
      ['p: fits none of the 2 allowed forms (string, null)'],
    ],
    [
      '{"oneOf":[{},{"type":"object"},{"type":"null"}]}',
      '{}',
      [': must fit exactly one of the allowed forms; it fits forms 1, 2'],
    ],
    ['{"dependentRequired":{"card":["expiry"]}}', '{"card":"4"}', ['expiry: is required when `card` is given']],
    ['{"properties":{"a":false}}', '{"a":1}', ['a: is not allowed']],
    [
      '{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{}}}]}',
      '{"a":1,"z":2}',
      ['z: is not known; known here: `a`'],
    ],
    ['{"type":"object"}', '"{}"', [': must be an object; you sent "{}"']],
  ]
  for (const [schema, value, says] of cases) assert.deepEqual(problems(schema, value), says, schema)
})

test('one mistake is told once', () => {
  assert.deepEqual(problems('{"properties":{"a":{"type":"string","enum":["x"],"minLength":1}}}', '{"a":1}'), [
    'a: must be a string; you sent 1',
  ])
  const extended = '{"allOf":[{"properties":{"a":{"type":"string"}}}],"unevaluatedProperties":false}'
  assert.deepEqual(problems(extended, '{"a":1}'), ['a: must be a string; you sent 1'])
})

test('every problem is told, up to twenty', () => {
  assert.equal(
    problems('{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["c"]}', '{"a":1,"b":2}').length,
    3,
  )
  assert.equal(problems('{"items":{"type":"string"}}', Array(500).fill(1)).length, 20)
})

test('long texts and secrets are cut in messages', () => {
  const [problem = ''] = problems(
    '{"type":"integer"}',
    'x'.repeat(5).padEnd(10_000, 'y').replace(/^/, '"').replace(/$/, '"'),
  )
  assert.ok(problem.length < 120, problem)
})

test('long numbers are checked by their whole value', () => {
  assert.deepEqual(problems('{"type":"integer","minimum":9007199254740993}', '9007199254740993'), [])
  assert.equal(problems('{"maximum":9007199254740992}', '9007199254740993').length, 1)
  assert.equal(problems('{"const":9007199254740993}', '9007199254740992').length, 1)
  assert.deepEqual(problems('{"enum":[12345678901234567890]}', '12345678901234567890'), [])
  assert.equal(problems('{"type":"integer"}', '12345678901234567890.5').length, 1)
  assert.deepEqual(problems('{"type":"number","multipleOf":0.01}', '12345678901234567890.55'), [])
  assert.equal(problems('{"type":"object"}', '12345678901234567890').length, 1)
  assert.equal(problems('{"type":"integer"}', '{"rawJSON":"1"}').length, 1)
})

test('neither schema nor value can hold the process: it ends within 200 ms and refuses', () => {
  for (const [name, schema, value] of schemaAttacks) {
    const parsed = typeof value === 'string' ? parseJson(value) : value
    const prepare = (run: number) => {
      const ready = prepared(schema.replaceAll('"^', `"${uncachedPattern('^', run)}`))
      return () => fitsSchema(ready, parsed)
    }
    assert.equal(assertPreparedTakesLess(200, prepare, name).ok, false, name)
  }
})

test('an ordinary large value is checked in full', () => {
  const schema =
    '{"type":"object","properties":{"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string","pattern":"^[A-Z]{2}-\\\\d+$"},"quantity":{"type":"integer","minimum":1}},"required":["sku","quantity"],"additionalProperties":false}}}}'
  const lines = Array.from({ length: 5_000 }, (_, n) => ({ sku: `AB-${n}`, quantity: n + 1 }))
  assert.deepEqual(problems(schema, { lines }), [])
  lines[4_999] = { sku: 'nope', quantity: 0 }
  assert.equal(problems(schema, { lines }).length, 2)
})
