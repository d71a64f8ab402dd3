import assert from 'node:assert/strict'
import test from 'node:test'
import { ExactNumber, exactText, valueOfNumber } from './exact-json.ts'
import { parseExact } from './places.ts'

test('a number comes out as it went in, and one that JavaScript keeps is its own', () => {
  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '0.1234567890123456789',
    '123456789012345.123456',
    '1.0',
    '1.50',
    '1e400',
    '-0',
    '1E5',
    '0.00000001',
    '{"a":[9007199254740993,{"b":"9007199254740993","c":null}],"__proto__":1.0}',
  ])
    assert.equal(exactText(parseExact(text)), text)
  assert.deepEqual(parseExact('[1, -2, 0.5, 9007199254740991, true, "x"]'), [1, -2, 0.5, 9007199254740991, true, 'x'])
  assert.equal((parseExact('1.50') as number) * 2, 3, 'for whoever counts with it')
  assert.equal(exactText({ a: new ExactNumber('1.0') }, 2), '{\n  "a": 1.0\n}')
})

test('two numbers are the same by their value', () => {
  const value = (text: string) => valueOfNumber(new ExactNumber(text))
  for (const [one, other] of [
    ['1', '1.0'],
    ['10', '1e1'],
    ['0.10', '0.1'],
    ['0', '-0.0'],
    ['1200', '12E+2'],
    ['0.0012', '1.2e-3'],
  ] as const)
    assert.equal(value(one), value(other), `${one} ${other}`)
  for (const [one, other] of [
    ['9007199254740992', '9007199254740993'],
    ['1', '-1'],
    ['1', '10'],
    ['1e400', '1e401'],
  ] as const)
    assert.notEqual(value(one), value(other), `${one} ${other}`)
  assert.equal(valueOfNumber(0.1), value('0.10'))
})
