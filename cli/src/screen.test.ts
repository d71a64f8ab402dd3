import assert from 'node:assert/strict'
import test from 'node:test'
import { oneLine, plain, wrap } from './screen.ts'

test('lines break between words, and what follows begins where the words of the first do', () => {
  for (const [text, width, indent, lines] of [
    ['short', 10, undefined, ['short']],
    ['one two three four', 9, undefined, ['one two', 'three', 'four']],
    ['✔ one two three', 9, undefined, ['✔ one two', '  three']],
    ['  name   a b c d', 13, 9, ['  name   a b', '         c d']],
    ['    - description: long', 12, 8, ['    -', '        description:', '        long']],
    ['unbreakable-and-long x', 5, undefined, ['unbreakable-and-long', 'x']],
    ['a\n b c', 3, undefined, ['a', ' b', 'c']],
    ['\u001b[31mred\u001b[0m and', 7, undefined, ['\u001b[31mred\u001b[0m and']],
    ['', 5, undefined, ['']],
  ] as const)
    assert.equal(wrap(text, width, indent), lines.join('\n'), text)
})

test('shows characters that nobody sees by their code, keeps emoji whole, and drops what steers a terminal', () => {
  for (const sign of '\u200f\u200e\u061c\u200b\u200d\u00ad\u2062\u3164\u034f\ufff9\u202e\u2066\u{e0041}') {
    const code = `[U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
    assert.equal(plain(`a${sign}b`), `a${code}b`)
    assert.equal(oneLine(`a\n${sign}b`), `a ${code}b`)
  }
  assert.equal(plain('👩‍👩‍👧 ❤️ 👩🏽‍🔧'), '👩‍👩‍👧 ❤️ 👩🏽‍🔧')
  assert.equal(plain('a\u001b[2Jb\u009b1m'), 'a[2Jb1m')
})
