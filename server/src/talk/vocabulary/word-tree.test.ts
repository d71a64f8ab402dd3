import assert from 'node:assert/strict'
import test from 'node:test'
import type { Lexicon } from '@tether/contract'
import { assertTakesLess, assertTurnsTakeLess, longestShare } from '../../../testkit/processor.ts'
import { atOnce } from '../../kernel/json/index.ts'
import { domainsIn, growTree } from './word-tree.ts'

const found = (lexicon: Lexicon, question: string) => domainsIn(atOnce(growTree(lexicon)), question)

const SHOP: Lexicon = {
  returns: ['refund', 'send back', 'money back', 'დაბრუნება', 'თანხის დაბრუნება'],
  delivery: ['courier', 'parcel', 'delivery', 'კურიერი', 'ამანათი'],
  billing: ['invoice', 'card payment', 'ანგარიშფაქტურა', 'გადახდა'],
}

test('a word of the pack is found in the forms in which people write it', () => {
  for (const [question, domain] of [
    ['Where are my PARCELS?', 'delivery'],
    ['refunded yet?', 'returns'],
    ['I was refunding it', 'returns'],
    ['the courier’s number, please', 'delivery'],
    ['Two invoices!', 'billing'],
    ['I want my money back', 'returns'],
    ['my card-payments failed', 'billing'],
    ['სად არის ჩემი ამანათები?', 'delivery'],
    ['კურიერის ნომერი', 'delivery'],
    ['კურიერთან დამაკავშირეთ', 'delivery'],
    ['მინდა დაბრუნების წესი', 'returns'],
    ['დავაბრუნო შემიძლია?', 'returns'],
    ['ანგარიშფაქტურას ველოდები', 'billing'],
    ['გადავიხადე და არ ჩანს', 'billing'],
  ] as const) {
    assert.deepEqual(found(SHOP, question), [domain], question)
  }
})

test('what has no word of the pack has no domain: a phrase counts whole, and signs are no word', () => {
  for (const question of [
    '',
    '?!',
    'hello',
    'send it to Tbilisi',
    'my back hurts, and money is short',
    'გამარჯობა',
    'card',
  ]) {
    assert.deepEqual(found(SHOP, question), [], question)
  }
  assert.deepEqual(found({ signs: ['?', '…', '- -'] }, '? … - -'), [])
})

test('the domain with the most words comes first, and otherwise the order is fixed', () => {
  assert.deepEqual(found(SHOP, 'Is the courier with the parcel bringing the invoice?'), ['delivery', 'billing'])
  assert.deepEqual(found(SHOP, 'refund or invoice'), ['billing', 'returns'])
  assert.deepEqual(found({ one: ['parcel'], other: ['parcels', 'parcel'] }, 'parcel'), ['one', 'other'])
  assert.deepEqual(found({ long: ['gift card balance'], short: ['gift'] }, 'my gift card balance'), ['long', 'short'])
})

test('a full lexicon of one repeated word and the longest question hold nobody else', () => {
  const phrases = (domain: number) => Array.from({ length: 200 }, (_, at) => `${'a '.repeat(26)}z${domain * 200 + at}`)
  const lexicon = Object.fromEntries(Array.from({ length: 40 }, (_, domain) => [`d${domain}`, phrases(domain)]))
  const tree = assertTurnsTakeLess({ turn: 60 }, () => growTree(lexicon), 'the lexicon')
  const share = longestShare(() => growTree(lexicon))
  assert.ok(share < 1 / 4, `one turn took ${share} of the time`)
  assert.deepEqual(
    assertTakesLess(150, () => domainsIn(tree, 'a '.repeat(4_000)), 'the question'),
    [],
  )
})
