import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../../../testkit/processor.ts'
import { isStorable } from '../text/index.ts'
import { JsonFault, parseJson, parseSentJson, storableJsonText, storableTexts, stringifyJson } from './index.ts'

/** Text in which NUL, surrogates and backslashes are as frequent as letters. */
const UNITS = ['a', '\0', '\ud83d', '\udca1', '\ud800', '\udfff', 'u', '0', 'd', '8', '💡', 'ა']
const rough = fc.string({ unit: fc.constantFrom(...UNITS, '\\', '"'), maxLength: 12 })
// No backslash: the V8 of Node 24.21 reads the name "\"" as "\\" once it has seen an object with the name "\\".
const roughName = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 12 })
const roughJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    rough,
    fc.array(tie('value')),
    fc.dictionary(roughName, tie('value'), { noNullPrototype: true }),
  ),
})).value

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value as object).flatMap(([name, one]) =>
        Array.isArray(value) ? textsIn(one) : [name, ...textsIn(one)],
      )

/** All code units as escapes, as some serializers write JSON. */
const escapedText = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)

test('refuses exactly the JSON in which some text or name cannot be stored', () => {
  fc.assert(
    fc.property(roughJson, (value) => {
      for (const text of [JSON.stringify(value), escapedText(value)]) {
        if (textsIn(value).every(isStorable)) assert.deepEqual(parseSentJson(text), parseJson(text))
        else
          assert.throws(
            () => parseSentJson(text),
            (error) => error instanceof JsonFault && error.reason === 'unstorable',
            text,
          )
      }
    }),
    { numRuns: 500 },
  )
})

test('replaces what cannot be stored, in values and in JSON text, and nothing else', () => {
  fc.assert(
    fc.property(roughJson, (value) => {
      const clean = storableTexts(value)
      assert.ok(textsIn(clean).every(isStorable))
      if (textsIn(value).every(isStorable)) assert.deepEqual(clean, value)
      for (const text of [JSON.stringify(value), escapedText(value)]) {
        assert.deepEqual(parseSentJson(storableJsonText(text)), JSON.parse(storableJsonText(text)))
        assert.deepEqual(JSON.parse(storableJsonText(text)), clean)
      }
    }),
    { numRuns: 500 },
  )
})

test('keeps exact numbers, and names that JavaScript reserves', () => {
  const text = '{"n":12345678901234567890,"__proto__":"\\u0000","constructor":[null,true,1.50]}'
  assert.equal(
    stringifyJson(storableTexts(parseJson(text))),
    '{"n":12345678901234567890,"__proto__":"\ufffd","constructor":[null,true,1.5]}',
  )
})

test('checks a megabyte in a fraction of the time that parsing it takes', () => {
  const item = { name: 'A desk lamp with a “brass” shade', note: 'line\nline', price: 189.5 }
  const plain = JSON.stringify(Array.from({ length: 12_000 }, () => item))
  const cost = (work: () => unknown) => {
    work()
    const before = processorMs()
    for (let times = 0; times < 20; times++) work()
    return processorMs() - before
  }
  const parsing = cost(() => parseJson(plain))
  const both = cost(() => parseSentJson(plain))
  assert.ok(both < parsing * 1.5 + 20, `${both} ms with the check, ${parsing} ms without`)
  const worst = `"${'\\\\'.repeat(250_000)}${'\\ud83d\\udca1'.repeat(40_000)}"`
  assert.ok(cost(() => parseSentJson(worst)) < 2_000)
})
