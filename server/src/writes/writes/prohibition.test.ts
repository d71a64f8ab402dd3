import assert from 'node:assert/strict'
import test from 'node:test'
import { processorMs } from '../../../testkit/processor.ts'
import { PRINCIPLE, readable, ruleList } from './prohibition.ts'

const judged = (given: unknown, summary = 'Refund order') =>
  ruleList.forbids({ tool: 'refund_order', summary, argumentsText: readable(JSON.stringify(given)) })

const forbidden: unknown[] = [
  'child porn',
  'CHILD · PORN',
  'child-pornography',
  'ｃｈｉｌｄ ｐｏｒｎ',
  'chi\u200bld po\u00adrn',
  'c\u0336h\u0336i\u0336ld pórn',
  '\nchild\n\tporn\r',
  { child_porn: true },
  { deep: [{ text: '\nchild' }, '\tporn'] },
  'nude pictures of a child',
  'nude photos of the children',
  'nudes of minors',
  'naked kids',
  'child nudes',
  'nude photos of my young child',
  'photos of naked underage girls',
  'nudes of a 12-year-old girl',
  'a naked picture, the boy is 9 years old',
  'porn with a 15 yr old',
  'children’s naked photos',
  'sexual images of a minor',
  'csam',
  'ბავშვთა პორნოგრაფია',
  'ᲑᲐᲕᲨᲕᲗᲐ ᲞᲝᲠᲜᲝᲒᲠᲐᲤᲘᲐ',
  'საბავშვო პორნო',
  '\nარასრულწლოვანი\nსექსუალური',
  'შიშველი ბავშვები',
  'შიშველი ფოტოები ბავშვის',
  'ბავშვის შიშველი ფოტოები',
]

const allowed: unknown[] = [
  'a child seat',
  'nude lipstick',
  'childhood',
  'Kids ballet tights, colour nude',
  { colour: 'nude', kids: 2 },
  'Naked juice, 2 for the kids',
  'Child seat: a crack that the naked eye sees',
  'Refund: minor scratch on nude heels',
  'Erotic novel, minor damage to the cover',
  'Sexual health for children, a book',
  'Pornic, kidney beans, children',
  'asexual plants for kids',
  'საბავშვო ფეხსაცმელი',
  'ბავშვის საწოლი, შიშველი კაბელი',
  'სექსუალური განათლება ბავშვებისთვის, წიგნი',
  'ფეხშიშველი ბავშვი',
]

for (const given of forbidden)
  test(`forbidden: ${JSON.stringify(given)}`, async () => assert.equal(await judged(given), PRINCIPLE))

for (const given of allowed)
  test(`allowed: ${JSON.stringify(given)}`, async () => assert.equal(await judged(given), null))

test('what a person reads first is looked at too', async () => {
  assert.equal(await judged({}, 'Sell child porn'), PRINCIPLE)
})

test('a long text is judged in bounded time', async () => {
  const start = processorMs()
  for (const piece of ['nude ', 'შიშვ', 'child ', 'minor\u0301 ', ' ', 'sexual\t']) {
    await judged(piece.repeat(1_000_000 / piece.length))
  }
  const took = processorMs() - start
  assert.ok(took < 3_000, `${took} ms`)
})

test('a long text is read whole, wherever in it the words stand', async () => {
  for (let before = 1_900; before < 2_200; before += 7) {
    const filled = (words: string) => `${'x '.repeat(before / 2)}${words} ${'y '.repeat(3_000)}`
    assert.equal(await judged(filled('nude photos of the children')), PRINCIPLE, `${before}`)
    assert.equal(await judged(filled(`ch${'\u200b'.repeat(before)}ild porn`)), PRINCIPLE, `${before}`)
    assert.equal(await judged(filled('sexual education of children')), null, `${before}`)
    assert.equal(await judged(filled('a grandchildhood of porno1')), null, `${before}`)
  }
  // The two words may stand as far from one another as the text is long.
  assert.equal(await judged(`child ${'x '.repeat(50_000)} porn`), PRINCIPLE)
})

const times: [what: string, text: string][] = [
  ['letters that become marks', '\uff9e\u0316'.repeat(40_000)],
  ['marks upon marks', `a${'\u0301\u0316'.repeat(15)}`.repeat(4_000)],
  ['signs that stand for eighteen', '\ufdfa'.repeat(80_000)],
  ['words that begin what is forbidden', 'sexual nude photo of the '.repeat(10_000)],
  ['the ages of many', '17 years '.repeat(25_000)],
  ['blanks', ' '.repeat(250_000)],
]
for (const [what, text] of times) {
  test(`${what} hold nobody else`, async () => {
    const turns: number[] = []
    let turn = processorMs()
    const onTurn = () => {
      turns.push(processorMs() - turn)
      turn = processorMs()
    }
    const watch = setInterval(onTurn, 1)
    await judged({ text })
    clearInterval(watch)
    onTurn()
    assert.ok(Math.max(...turns) < 60, `${Math.max(...turns)} ms at a time`)
  })
}

test('lists in lists are read once', () => {
  const deep = `${'['.repeat(120)}${'"a",'.repeat(50_000)}"b"${']'.repeat(120)}`
  const started = processorMs()
  assert.equal(readable(deep).length, 4 * 50_000 + 1)
  assert.ok(processorMs() - started < 60)
})
