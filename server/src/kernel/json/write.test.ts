import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson, rawJson, stringifyJson } from './index.ts'

test('raw JSON stands where it was put, as it was written', () => {
  const list = rawJson('[1.50, {"id": 12345678901234567890}]')
  assert.equal(
    stringifyJson({ ok: true, list, none: undefined, again: [rawJson('null'), list] }),
    '{"ok":true,"list":[1.50, {"id": 12345678901234567890}],"again":[null,[1.50, {"id": 12345678901234567890}]]}',
  )
  assert.equal(stringifyJson(rawJson(' {"a":1}')), ' {"a":1}')
  assert.equal(stringifyJson(parseJson('12345678901234567890')), '12345678901234567890')
})

test('no text, and no raw JSON, is taken for the place of another', () => {
  const pieces = fc.string({ unit: fc.constantFrom('"', '\\', 'u', '0', '4', '1', 'A', '\u0000'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(fc.tuple(pieces, pieces, pieces), { maxLength: 4 }), (rows) => {
      const members = rows.map(([name, text, raw], index) => [`${index}${name}`, text, raw] as const)
      const written = members.map(([name, text, raw]) => ({ [name]: text, raw: rawJson(JSON.stringify(raw)) }))
      const plain = members.map(([name, text, raw]) => ({ [name]: text, raw }))
      assert.equal(stringifyJson(written), JSON.stringify(plain))
    }),
    { numRuns: 2000 },
  )
  const nested = JSON.stringify({ text: '"\\u0041"' })
  assert.equal(stringifyJson([rawJson('"\\u0041"'), rawJson(nested)]), `["\\u0041",${nested}]`)
})

test('raw JSON is never lost where something else writes it, and a failed writing leaves nothing behind', () => {
  assert.throws(() => JSON.stringify({ a: rawJson('1') }), /stringifyJson/)
  const circle: Record<string, never> = {}
  Object.assign(circle, { raw: rawJson('1'), circle })
  assert.throws(() => stringifyJson(circle), /circular/i)
  assert.throws(() => JSON.stringify([rawJson('1')]), /stringifyJson/)
  assert.equal(stringifyJson([rawJson('2')]), '[2]')
})
