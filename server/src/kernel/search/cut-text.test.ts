import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { atOnce } from '../json/index.ts'
import { charsIn, cutText } from './cut-text.ts'

const LINES = [
  'A sentence. Another one! A third? ',
  'ქართული წინადადება. კიდევ ერთი.',
  '# Title',
  '## Part',
  '```',
  'const a = "a. b. c"',
  '| a. b | c. d |',
  '    indented. code',
  '',
  '💡💡💡',
  'x'.repeat(40),
  '\r',
]
const texts = fc
  .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 60 })
  .map((lines) => lines.join('\n'))
  .filter((text) => text !== '')
const sizes = fc.record({ chars: fc.integer({ min: 10, max: 120 }), overlap: fc.integer({ min: 0, max: 5 }) })

test('the own parts of the chunks are the text, none is longer than allowed, and each repeats only what stands before it', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('text' as const, 'markdown' as const), sizes, (text, format, size) => {
      const chunks = atOnce(cutText(text, format, size))
      assert.equal(chunks.map(({ from, to }) => text.slice(from, to)).join(''), text)
      for (const [at, { from, to, begins }] of chunks.entries()) {
        assert.ok(to > from && begins <= from)
        assert.ok(charsIn(text, begins, to) <= size.chars, 'too long')
        assert.ok(charsIn(text, begins, from) <= size.overlap, 'too much overlap')
        assert.ok(at === 0 ? begins === from : begins >= (chunks[at - 1]?.from ?? 0))
        assert.ok(text.slice(begins, to).isWellFormed(), 'a character is cut in two')
      }
    }),
    { numRuns: 1500 },
  )
})

test('nothing is cut that fits in a chunk: a paragraph, a sentence, a table row, a line of code', () => {
  const whole = [
    'First paragraph. It has two sentences.',
    '| Size. | Price. |',
    'const a = "1. 2. 3."',
    'A last. Word.',
  ]
  const text = `${whole[0]}\n\n${whole[1]}\n\n\`\`\`\n${whole[2]}\n\`\`\`\n\n${whole[3]}`
  for (let chars = 40; chars < 130; chars++) {
    const parts = atOnce(cutText(text, 'markdown', { chars, overlap: 0 })).map(({ from, to }) => text.slice(from, to))
    for (const one of whole)
      assert.ok(
        parts.some((part) => part.includes(one)),
        `${one} at ${chars}: ${parts.join('¦')}`,
      )
  }
  const long = `${'Many words follow each other here. '.repeat(20)}`
  for (const { from, to } of atOnce(cutText(long, 'text', { chars: 100, overlap: 0 }))) {
    assert.match(long.slice(from, to), /^Many .*here\. $/)
  }
})

test('a Markdown chunk carries the path of its headings, and a heading stays with what follows it', () => {
  const text =
    '# Shop\n\n## Returns\n\nWithin 14 days.\n\n### Refunds\nIn three days.\n\n## Hours\n```\n# no heading\n```\n'
  const chunks = atOnce(cutText(text, 'markdown', { chars: 900, overlap: 120 }))
  assert.deepEqual(
    chunks.map(({ from, to, heading }) => [heading, text.slice(from, to).trim()]),
    [
      ['Shop > Returns', '# Shop\n\n## Returns\n\nWithin 14 days.'],
      ['Shop > Returns > Refunds', '### Refunds\nIn three days.'],
      ['Shop > Hours', '## Hours\n```\n# no heading\n```'],
    ],
  )
  assert.deepEqual(
    new Set(atOnce(cutText(text, 'text', { chars: 900, overlap: 0 })).map(({ heading }) => heading)),
    new Set([null]),
  )
})

test('a chunk of running text repeats the end of the one before, from the beginning of a sentence or a word', () => {
  const text = 'One sentence of the text stands here. '.repeat(60)
  const [first, ...rest] = atOnce(cutText(text, 'text', { chars: 900, overlap: 120 }))
  assert.equal(first?.begins, first?.from)
  assert.ok(rest.length > 0)
  for (const { begins, from } of rest) {
    assert.ok(from - begins > 0 && from - begins <= 120)
    assert.match(text.slice(begins, from), /^One /)
  }
})

test('hostile texts take no longer than their length', () => {
  for (const piece of ['#', '# a\n', '|', '`', '\n', ' ', '. ', 'a', '!', '💡', '])"', '- ']) {
    const text = piece.repeat(50_000 / piece.length)
    assertTakesLess(2_000, () => atOnce(cutText(text, 'markdown', { chars: 900, overlap: 120 })), JSON.stringify(piece))
  }
})
