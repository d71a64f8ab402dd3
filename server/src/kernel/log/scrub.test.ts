import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { scrub, scrubWith } from './scrub.ts'

const HEX = '0123456789abcdef0123456789abcdef0123456789abcdef'
const KINDS = ['tth', 'tag', 'tpk', 'tac', 'tpv', 'tib', 'tsb', 'tci', 'tck', 'tus']

test('every kind of key keeps its 12-character prefix and nothing more', () => {
  for (const kind of KINDS) {
    assert.equal(scrub(`key ${kind}_${HEX}.`), `key ${kind}_01234567***.`)
    assert.equal(scrub(`key ${kind}_ABCDxyz987654321`), `key ${kind}_ABCDxyz9***`)
    assert.equal(scrub(`x${kind}_${HEX}`), `x${kind}_01234567***`, 'joined to a word')
    assert.equal(scrub(`${kind}_Ab-_9${HEX}-_`), `${kind}_Ab-_9012***`, 'base64url')
    assert.equal(scrub(`${kind}_01234567`), `${kind}_01234567`, 'the prefix alone is no secret')
  }
})

test('every other shape is masked', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['s whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+= e', 's whsec_*** e'],
    ['u=/x?s=whsec_ab%2Bcd%2F', 'u=/x?s=whsec_***'],
    ['v enc:v1:0a1b2c3d:AAAA-_:BBBB-_== e', 'v enc:v1:*** e'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ***'],
    ['authorization: bearer\tabc', 'authorization: bearer\t***'],
    ['{"a":"Bearer p\\"q\\\\r s"}', '{"a":"Bearer *** s"}'],
    ['"BEARER%20abc"', '"BEARER%20***"'],
    ['t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123 e', 't eyJ*** e'],
    ['half eyJhbGciOiJIUzI1NiJ9.eyJzdWIi', 'half eyJ***'],
    ['postgres://me:pw@h:5432/d', 'postgres://me:***@h:5432/d'],
    ['postgresql://me:p@ss/w?rd@h/d', 'postgresql://me:***@h/d'],
    ['"rediss://:p\\"w@h"', '"rediss://:***@h"'],
    ['https://me:pw@h/p?q=a@b', 'https://me:***@h/p?q=a@b'],
    ['key sk-proj-abc_DEF-123', 'key sk-***'],
    ['"\\nsk-abcdefgh12"', '"\\nsk-***"'],
    ['"\\u001fsk-abcdefgh12"', '"\\u001fsk-***"'],
    ['postgres://h/d?user=u&password=hush&x=1', 'postgres://h/d?user=u&password=***&x=1'],
    ['GET /confirm?confirm=AbC-123_x&y=2', 'GET /confirm?confirm=***&y=2'],
  ]
  for (const [line, masked] of cases) assert.equal(scrub(line), masked)
})

test('a clean line stays as it is', () => {
  const clean = [
    '{"level":"info","time":"2026-01-02T03:04:05.678Z","requestId":"req_0123456789abcdef","status":200}',
    'status_transitions of task-management-system, hashtag_identifiers, a_status_description',
    'http://127.0.0.1:8787/v1/tools, https://example.com:8443/a@b',
    'someone@example.com opened eyJ and eyJhbGciOiJIUzI1NiJ9',
    'tag_add_to_order was called, keyPrefix tth_01234567',
    'disk-usage of risk-elevated actions, confirm=later, code=23505',
  ]
  for (const line of clean) assert.equal(scrub(line), line)
})

test('exact values are masked in their JSON form, the longer one first', () => {
  const mask = scrubWith(['correct-horse-battery', 'correct-horse-battery-staple', 'quote"and\\slash', 'short'])
  assert.equal(mask('a correct-horse-battery-staple b'), 'a *** b')
  assert.equal(mask('a correct-horse-battery b short'), 'a *** b short')
  assert.equal(mask(JSON.stringify({ a: 'x quote"and\\slash y' })), '{"a":"x *** y"}')
})

test('an exact value is not seen where its first letter belongs to an escape, so that the line stays JSON', () => {
  const mask = scrubWith(['nabcdefghijkl'])
  const other = JSON.stringify({ a: '\nabcdefghijkl' })
  assert.equal(mask(other), other)
  assert.equal(mask(JSON.stringify({ a: '\\nabcdefghijkl' })), '{"a":"\\\\***"}')
})

test('no line takes long, whatever a stranger put into it', () => {
  const pieces = [
    'postgres://a:',
    'postgres://',
    'http://a:',
    '://',
    'eyJ',
    'eyJ.',
    'tag_',
    '-tag_aaaa1',
    'tth_0',
    'bearer ',
    'whsec_',
    'enc:v1:',
    'password=',
    '?confirm=',
    'sk-',
    '\\\\',
    '@',
    'bearer+',
  ]
  const mask = scrubWith(['\\'.repeat(20), 'a'.repeat(40)])
  for (const piece of pieces) {
    const line = `${piece.repeat(65_536 / piece.length)} @ tth_ eyJ sk- whsec_ bearer`
    assertTakesLess(250, () => mask(line), JSON.stringify(piece))
  }
})
