import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestShare } from '../../../testkit/processor.ts'
import { atOnce } from '../json/index.ts'
import { cutText } from './cut-text.ts'
import { gatherTerms } from './gather-terms.ts'
import { packSegment } from './segment.ts'

/** As a site would that wants to hold everybody: hardly a letter of it stands there twice. */
const unlike = (words: number): string[] =>
  Array.from({ length: words }, (_, at) => `w${((at + 1) * 0x9e3779b97f4a7).toString(36)}`)

test('terms are counted by chunk, in the order of their hashes, whatever the order in which they came', () => {
  const terms = gatherTerms(3)
  for (const [chunk, hash] of [
    [0, 0xffffffff],
    [0, 7],
    [0, 0xffffffff],
    [1, 0x01000000],
    [2, 7],
    [2, 0],
    ...Array.from({ length: 300 }, () => [2, 0x00010000] as const),
  ] as const)
    terms.add(chunk, hash)
  const { hashes, starts, chunks, counts, lengths } = atOnce(terms.done())
  assert.deepEqual([...hashes], [0, 7, 0x00010000, 0x01000000, 0xffffffff])
  assert.deepEqual([...starts], [0, 1, 3, 4, 5, 6])
  assert.deepEqual([...chunks], [2, 0, 2, 2, 1, 0])
  assert.deepEqual([...counts], [1, 1, 1, 255, 1, 2])
  assert.deepEqual([...lengths], [3, 1, 302])
  assert.deepEqual([...atOnce(gatherTerms(0).done()).starts], [0])
})

test('unlike words are packed, and cut into chunks, in steps of which none is long', () => {
  const words = unlike(30_000)
  const chunks = Array.from({ length: 300 }, (_, at) => words.slice(at * 100, at * 100 + 100).join(' '))
  assert.ok(longestShare(() => packSegment(chunks)) < 1 / 8)
  const text = words.map((word, at) => (at % 20 === 0 ? `## ${word}\n\n` : `${word}\n\n`)).join('')
  assert.ok(longestShare(() => cutText(text, 'markdown', { chars: 900, overlap: 120 })) < 1 / 3)
})
