import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { normalized, piecesOf } from './index.ts'

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
  const text = assertTakesLess(1_000, () => normalized(`a${'\u0301\u0316'.repeat(250_000)}bc`, 'NFKC'))
  assert.ok(text.endsWith('bc') && text.length < 50)
})

test('so do the letters that become marks, and nothing else in Unicode is ordered like a mark', () => {
  const text = assertTakesLess(1_000, () => normalized('\uff9e\u0316'.repeat(250_000), 'NFKC'))
  assert.ok(text.length < 50)
  // Two marks of other classes: what changes places with either of them is ordered.
  const ordered = (sign: string) =>
    ['\u0334', '\u0345'].some((mark) => `${sign}${mark}`.normalize('NFKD') === `${mark}${sign}`.normalize('NFKD'))
  for (let point = 0; point <= 0x10ffff; point++) {
    const sign = String.fromCodePoint(point)
    if (/[\p{M}\p{Cs}\uff9e\uff9f]/u.test(sign)) continue
    assert.equal(ordered(sign), false, `U+${point.toString(16)}: put it into LONG_STACK`)
  }
})

test('pieces are the text again, and no character of them is cut', () => {
  for (const text of ['', 'a', 'abcdefg', '👩‍🔧👩‍🔧👩‍🔧', 'a👩b👩c', '\ud800a\udc00']) {
    for (const most of [2, 3, 4, 50]) {
      const pieces = [...piecesOf(text, most)]
      assert.equal(pieces.join(''), text)
      for (const piece of pieces) {
        assert.ok(piece.length > 0 && piece.length <= most)
        assert.equal(piece.isWellFormed(), text.isWellFormed() || piece.isWellFormed())
      }
    }
  }
})
