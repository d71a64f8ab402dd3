import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalized } from './index.ts'

test('what people write is normalised as ever', () => {
  for (const text of [
    '',
    'shop',
    'caf\u0065\u0301',
    'ﬁne',
    'გამარჯობა',
    'a\u0316\u0301',
    '\u1100\u1161\u11a8',
    '👩‍🔧',
  ]) {
    assert.equal(normalized(text, 'NFKC'), text.normalize('NFKC'))
    assert.equal(normalized(text, 'NFC'), text.normalize('NFC'))
  }
})

test('half a million marks on one letter take no time, and no letter after them is lost', () => {
  const started = performance.now()
  const text = normalized(`a${'\u0301\u0316'.repeat(250_000)}bc`, 'NFKC')
  assert.ok(performance.now() - started < 1_000, `${performance.now() - started} ms`)
  assert.ok(text.endsWith('bc') && text.length < 50)
})
