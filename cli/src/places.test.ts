import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { JsonFault, locate } from './places.ts'

test('each value has the place at which it stands, and a member that of its name', () => {
  const { value, placeOf } = locate('[\n  {"name": "a",\n   "parameters": {"type": 1, "a/b~c": [true]}}\n]\n')
  assert.deepEqual(value, [{ name: 'a', parameters: { type: 1, 'a/b~c': [true] } }])
  for (const [path, line, column] of [
    ['', 1, 1],
    ['/0', 2, 3],
    ['/0/name', 2, 4],
    ['/0/parameters', 3, 4],
    ['/0/parameters/type', 3, 19],
    ['/0/parameters/a~1b~0c/0', 3, 40],
  ] as const)
    assert.deepEqual(placeOf(path), { line, column }, path)
  assert.equal(placeOf('/1'), undefined)
})

test('what is not JSON says where it stops being so', () => {
  for (const [text, line, column, words] of [
    ['', 1, 1, /ends/],
    ['[\n  {"a": 1,}\n]', 2, 11, /comma/],
    ['[1\n2]', 2, 1, /missing/],
    ['{a: 1}', 1, 2, /double quotes/],
    ['{"a" 1}', 1, 6, /colon/],
    ['["a\n"]', 1, 2, /string/],
    ['[nul]', 1, 2, /not a JSON value/],
    ['[01]', 1, 2, /not a JSON value/],
    ['{} {}', 1, 4, /follows/],
  ] as const)
    assert.throws(
      () => locate(text),
      (fault) =>
        fault instanceof JsonFault &&
        words.test(fault.message) &&
        fault.place.line === line &&
        fault.place.column === column,
      JSON.stringify(text),
    )
})

test('it takes what JSON.parse takes, and nothing else', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, at, noise) => {
      assert.deepEqual(locate(json).value, JSON.parse(json))
      const broken = json.slice(0, at % (json.length + 1)) + noise + json.slice(at % (json.length + 1))
      const isJson = (read: (text: string) => unknown) => {
        try {
          read(broken)
          return true
        } catch {
          return false
        }
      }
      assert.equal(isJson(locate), isJson(JSON.parse), broken)
    }),
  )
})
