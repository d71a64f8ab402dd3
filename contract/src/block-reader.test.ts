import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { openBlockReader, type Read, readBlocks } from './block-reader.ts'

const kpi = '```block:kpi\n{"label":"Orders","value":12}\n```\n'
const kpiBlock = { type: 'kpi', label: 'Orders', value: 12 }

const textOf = (reads: readonly Read[]): string => reads.map((read) => (read.type === 'text' ? read.text : '')).join('')
const blocksOf = (reads: readonly Read[]) => reads.flatMap((read) => (read.type === 'block' ? [read.block] : []))

/** One after the other, as deltas come. */
function inPieces(pieces: readonly string[]): Read[] {
  const reader = openBlockReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

test('a fence that holds a valid block becomes one, and the words around it stay', () => {
  const reads = readBlocks(`You had\n${kpi}last week.`)
  assert.deepEqual(blocksOf(reads), [kpiBlock])
  assert.equal(textOf(reads), 'You had\nlast week.')
  assert.deepEqual(blocksOf(readBlocks(kpi.trimEnd())), [kpiBlock], 'the last line needs no line break')
})

test('a fence that does not hold a valid block is shown as it is', () => {
  for (const bad of [
    '```block:kpi\n{"label":"Orders"}\n```',
    '```block:kpi\nnot json\n```',
    '```block:unheard_of\n{}\n```',
    '```block:text\n{"markdown":7}\n```',
    '```block:footnote\n{"text":"x","url":"javascript:alert(1)"}\n```',
    '```block:stacked_bar\n{"categories":["a","b"],"series":[{"name":"x","values":[1]}]}\n```',
    '```block:kpi\n{"label":"Orders","value":12}',
    '```js\n```block:kpi\n{"label":"Orders","value":12}\n```\n',
  ]) {
    const reads = readBlocks(bad)
    assert.deepEqual(blocksOf(reads), [], bad)
    assert.equal(textOf(reads), bad)
  }
})

test('a fence of the type text is a text block', () => {
  assert.deepEqual(blocksOf(readBlocks('Hello.\n```block:text\n{"markdown":"**Open** today."}\n```\n')), [
    { type: 'text', markdown: '**Open** today.' },
  ])
})

test('a model cannot say of itself that it is a preview', () => {
  assert.deepEqual(blocksOf(readBlocks('```block:kpi\n{"label":"a","value":1,"preview":true,"type":"text"}\n```')), [
    { type: 'kpi', label: 'a', value: 1 },
  ])
})

test('words pass at once; only what may open a fence is held', () => {
  const reader = openBlockReader()
  assert.deepEqual(reader.push('Hello'), [{ type: 'text', text: 'Hello' }])
  assert.deepEqual(reader.push(' you\n``'), [{ type: 'text', text: ' you\n' }])
  assert.deepEqual(reader.push('`bl'), [])
  assert.deepEqual(reader.push('ah'), [{ type: 'text', text: '```blah' }])
})

test('a fence without an end does not hold an answer for ever', () => {
  const reader = openBlockReader()
  reader.push('```block:table\n')
  const reads = Array.from({ length: 80 }, () => reader.push(`${'x'.repeat(999)}\n`)).flat()
  assert.ok(textOf(reads).length > 64_000)
  assert.equal(textOf([...reads, ...reader.end()]).length, 15 + 80_000)
})

test('however the text is cut, the same words and blocks come out, and not a letter is lost', () => {
  const part = fc.oneof(
    fc.constantFrom(
      kpi,
      '```',
      '\n',
      'block:',
      '```block:kpi',
      '```js\n',
      '{"label":"a","value":1}',
      ' ',
      'გამარჯობა ',
    ),
    fc.string({ maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(6), { maxLength: 60 }), (parts, cuts) => {
      const text = parts.join('')
      const pieces: string[] = []
      let at = 0
      for (const cut of cuts) {
        pieces.push(text.slice(at, at + cut))
        at += cut
      }
      const whole = readBlocks(text)
      const cutUp = inPieces([...pieces, text.slice(at)])
      assert.equal(textOf(cutUp), textOf(whole))
      assert.deepEqual(blocksOf(cutUp), blocksOf(whole))
      if (blocksOf(whole).length === 0) assert.equal(textOf(whole), text)
    }),
    { numRuns: 400 },
  )
})
