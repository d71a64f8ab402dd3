import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { openMarks, withoutMarks } from './marks.ts'

function read(pieces: readonly string[], given: number) {
  const marks = openMarks(given)
  const text = pieces.map((piece) => marks.take(piece)).join('') + marks.end()
  return { text, used: [...marks.used] }
}

test('a mark of a text that was given becomes a figure, and any other disappears', () => {
  for (const [said, shown, used] of [
    ['Open from nine [2].', 'Open from nine¹.', [2]],
    ['Nine [2], ten [1], nine again [2].', 'Nine¹, ten², nine again¹.', [2, 1]],
    ['Both [1, 3] and [^2].', 'Both¹ ² and³.', [1, 3, 2]],
    ['Nine 【1†source】.', 'Nine¹.', [1]],
    ['Nobody gave this [4]. Nor [99][0] this.', 'Nobody gave this. Nor this.', []],
    ['Half [1, 9].', 'Half¹.', [1]],
    ['A link [1](https://shop.example.com) stays.', 'A link [1](https://shop.example.com) stays.', []],
    ['Code `list[1]` and\n```\nlist[1]\n```\nstays [1].', 'Code `list[1]` and\n```\nlist[1]\n```\nstays¹.', [1]],
    ['A [word] and [12345] stay.', 'A [word] and [12345] stay.', []],
    ['Unfinished [1', 'Unfinished [1', []],
  ] as const) {
    assert.deepEqual(read([said], 3), { text: shown, used }, said)
  }
})

const SIGNS = ['[', ']', '1', '2', '7', '^', ',', ' ', '(', ':', '`', '\n', '【', '】', 'a', '.']

test('it does not matter where the pieces are cut', () => {
  const pieces = fc.array(fc.array(fc.constantFrom(...SIGNS), { maxLength: 6 }).map((signs) => signs.join('')))
  fc.assert(
    fc.property(pieces, fc.nat(3), (cut, given) => {
      fc.pre(!/ {9}|`{9}/.test(cut.join('')))
      assert.deepEqual(read(cut, given), read([cut.join('')], given))
    }),
    { numRuns: 2000 },
  )
})

test('a conversation remembers an answer without its marks, and its blocks as they were', () => {
  const said = 'Nine [1].\n```block:stacked_bar\n{"categories":["a"],"series":[{"name":"n","values":[1]}]}\n```\n'
  assert.equal(withoutMarks(said), said.replace(' [1]', ''))
})

test('a hostile answer takes no longer than its length', () => {
  for (const piece of [' ', '[', '[1', '`', '【', '[1] ', '[1,'])
    assertTakesLess(1_500, () => read([piece.repeat(200_000 / piece.length)], 3), JSON.stringify(piece))
})
