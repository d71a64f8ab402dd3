import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readJsonObject } from './strict-json.ts'

const read = (text: string): unknown => readJsonObject(Buffer.from(text))

test('an object is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(read(text), JSON.parse(text))
    }),
  )
})

test('equal names in different objects, and names as values, are no repetition', () => {
  assert.deepEqual(
    read('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":["a","a"],"d":"a"}'),
    JSON.parse('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":["a","a"],"d":"a"}'),
  )
  assert.ok(read('{"a":"\\"a\\":{","b":"}"}'))
})

test('a name that stands twice is refused, at any depth and however it is written', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":1 , "b":2,\n"a" :3}',
    '{"x":{"a":1,"a":2}}',
    '{"x":[{"a":1},{"b":1,"b":2}]}',
    '{"a":{"b":1},"a":2}',
    '{"a":[1],"a":[2]}',
    '{"a":1,"x":[[]],"a":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"\\"":1,"\\u0022":2}',
  ]) {
    assert.equal(read(text), null, text)
  }
})

test('what is no object, no JSON or no UTF-8 is refused', () => {
  for (const text of ['', 'null', '[]', '"a"', '1', '{', '{"a":1}x', "{'a':1}", '{"a":1,}', '\ufeff{}', '{"a":NaN}']) {
    assert.equal(read(text), null, text)
  }
  for (const bytes of [
    [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
    [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d],
  ]) {
    assert.equal(readJsonObject(Buffer.from(bytes)), null)
  }
})

test('no bytes throw, and deep ones take no time', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readJsonObject(bytes)))
  assert.ok(read(`{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`))
  assert.equal(read(`{"a":${'['.repeat(4000)}`), null)
})
