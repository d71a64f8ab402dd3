import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkUpstreamToken, type UpstreamTokenFault } from './travelling.ts'

const refuses = (values: string[], reason: UpstreamTokenFault): void =>
  assert.deepEqual(checkUpstreamToken(values), { ok: false, reason })

test('no header is no token', () => {
  assert.deepEqual(checkUpstreamToken([]), { ok: true, token: null })
})

test('visible ASCII up to 4000 characters is passed on as it is', () => {
  for (const token of ['x', 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'x'.repeat(4000)]) {
    assert.deepEqual(checkUpstreamToken([token]), { ok: true, token })
  }
})

test('each reason', () => {
  refuses([''], 'empty')
  refuses(['x'.repeat(4001)], 'too_long')
  for (const token of [
    'a b',
    ' a',
    'a ',
    ' ',
    'a\tb',
    'a\r\nX-Evil: 1',
    'a\n',
    'a\0',
    'a\x7f',
    'tökén',
    'a\u00a0',
    '😀',
    'Bearer x',
    'a, b',
  ]) {
    refuses([token], 'invalid_characters')
  }
  refuses(['a', 'a'], 'repeated')
  refuses(['a', ''], 'repeated')
})

test('whatever passes can stand in a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
      const checked = checkUpstreamToken([value])
      if (!checked.ok) return
      assert.equal(new Headers({ authorization: `Bearer ${value}` }).get('authorization'), `Bearer ${value}`)
    }),
  )
})
