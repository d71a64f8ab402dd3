import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pretty } from './pretty.ts'

const time = '2026-01-02T03:04:05.678Z'
const local = new Date(time).toTimeString().slice(0, 8)
const line = (fields: object) => `${JSON.stringify({ level: 'info', time, ...fields })}\n`

test('a record is one line', () => {
  const text = pretty(line({ a: 'x', b: 'two words', c: 5, d: { e: [1] }, f: null, g: '', msg: 'it runs' }), false)
  assert.equal(text, `${local} INFO   it runs  a=x  b="two words"  c=5  d={"e":[1]}  f=null  g=""\n`)
})

test('an error stands below its line, with its causes', () => {
  const error = {
    type: 'TypeError',
    message: 'bad',
    code: 'E1',
    stack: 'TypeError: bad\n    at one (a.ts:1:1)\n    at two (b.ts:2:2)',
    cause: { type: 'Error', message: 'inner', stack: 'Error: inner\n    at three (c.ts:3:3)', cause: 'words' },
  }
  assert.equal(
    pretty(line({ level: 'error', err: error, n: 1, msg: 'failed' }), false),
    [
      `${local} ERROR  failed  n=1`,
      '    err: TypeError: bad (E1)',
      '        at one (a.ts:1:1)',
      '        at two (b.ts:2:2)',
      '    caused by Error: inner',
      '        at three (c.ts:3:3)',
      '    caused by words',
      '',
    ].join('\n'),
  )
})

test('colours are written only when asked for', () => {
  assert.ok(!pretty(line({ msg: 'x', a: 1 }), false).includes('\u001b'))
  assert.equal(
    pretty(line({ level: 'warn', msg: 'x' }), true),
    `\u001b[2m${local}\u001b[0m \u001b[33mWARN \u001b[0m  x\n`,
  )
})

test("a stranger's words cannot move the cursor, forge a line or turn text round", () => {
  const bad = 'a\nb\rc\u001b[2Jd\u009b1me\u202ef\u2028g\u0000h\u007f'
  const error = { type: bad, message: bad, stack: `x\n    at ${bad}` }
  const text = pretty(line({ msg: bad, [bad]: bad, list: [bad], err: error }), false)
  assert.equal(text.replace(/[ -~\n]/g, ''), '')
  assert.equal(text.split('\n').length, 4, text)
  assert.ok(text.includes('a\\u{a}b\\u{d}c\\u{1b}[2Jd'))
})

test('what is no record is printed as it is', () => {
  assert.equal(pretty('not JSON\u001b\n', false), 'not JSON\\u{1b}\n')
  assert.equal(pretty('[1]\n', false), '[1]\n')
})
