// Questions of a shop's visitors for prices and stock, answered from what a website lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEnvelope, type Passage } from '../../kernel/model/index.ts'
import { answerTo } from './answer.ts'

const page = (title: string, text: string): Passage => ({ kind: 'page', title, text })
const SHOP = 'https://leaf.example'
const PROSE = [
  page(
    'Chestnut honey from Ajara',
    'Dark honey from the chestnut forests of Ajara, with a bitter edge. Good with cheese.',
  ),
  page('მწვანე ჩაი „ანასეული“', 'მწვანე ჩაი ანასეულის პლანტაციიდან, ხელით დაკრეფილი. ადუღეთ 80 გრადუსზე.'),
]
const ITEMS = [
  page(
    'Chestnut honey from Ajara',
    `Chestnut honey from Ajara: 32.00 GEL\nOutOfStock\n${SHOP}/honey\nDark honey from Ajara.`,
  ),
  page('Lime honey', `Lime honey: 28.00 GEL\nInStock\n${SHOP}/lime_honey_1`),
  page('Clay teapot', `Clay teapot: 85.00 GEL\nInStock\n${SHOP}/teapot`),
  page('მწვანე ჩაი „ანასეული“', `მწვანე ჩაი „ანასეული“: 18,50 GEL\nInStock\n${SHOP}/ka/green`),
  page('Gift card', `Gift card\n${SHOP}/card`),
]

function answered(question: string, passages: readonly Passage[] = [...PROSE, ...ITEMS]): string {
  const { passage } = openEnvelope()
  const system = passages.map((one, at) => passage({ ...one, number: at + 1 })).join('\n')
  const messages = [
    { role: 'system' as const, text: system },
    { role: 'user' as const, text: question },
  ]
  return answerTo({ model: 'offline', messages, tools: [], maxOutputTokens: 1 }).text
}

test('who asks what a thing costs, or whether there is any, is told what is listed, in both languages', () => {
  const honey = `- **Chestnut honey from Ajara: 32.00 GEL** · OutOfStock · ${SHOP}/honey`
  for (const [question, item] of [
    ['How much is the chestnut honey?', honey],
    ['Is chestnut honey in stock?', honey],
    ['Do you have chestnut honey?', honey],
    ['price of the clay teapot', `- **Clay teapot: 85.00 GEL** · InStock · ${SHOP}/teapot`],
    ['რა ღირს მწვანე ჩაი?', `- **მწვანე ჩაი „ანასეული“: 18,50 GEL** · InStock · ${SHOP}/ka/green`],
    ['მწვანე ჩაი გაქვთ?', `- **მწვანე ჩაი „ანასეული“: 18,50 GEL** · InStock · ${SHOP}/ka/green`],
    ['რა ფასი აქვს მწვანე ჩაის?', `- **მწვანე ჩაი „ანასეული“: 18,50 GEL** · InStock · ${SHOP}/ka/green`],
  ] as const) {
    const lines = answered(question).split('\n')
    assert.deepEqual(lines.slice(2), [item], question)
    assert.match(lines[0] ?? '', /^(?:This is listed on the website:|ვებგვერდზე მითითებულია:) \[\d\]$/)
  }
})

test('several that fit are all listed, and each is marked', () => {
  const [first, , ...rest] = answered('Which honey do you sell?').split('\n')
  assert.equal(first, 'This is listed on the website: [3] [4]')
  assert.deepEqual(rest, [
    `- **Chestnut honey from Ajara: 32.00 GEL** · OutOfStock · ${SHOP}/honey`,
    `- **Lime honey: 28.00 GEL** · InStock · ${SHOP}/lime_honey_1`,
  ])
  assert.equal(answered('What are your prices?').split('\n- ').length, 5)
})

test('no price is said that is not listed, of nothing else, and nothing that is no question for one', () => {
  for (const [question, passages] of [
    ['How much is the gift card?', undefined],
    ['How much is a bicycle?', undefined],
    ['How much does delivery cost?', undefined],
    ['How much is the chestnut honey?', PROSE],
    ['Is the chestnut honey bitter?', undefined],
  ] as const) {
    assert.doesNotMatch(answered(question, passages), /GEL|is listed/, question)
  }
})

test('what the business wrote itself stands above what its site lists', () => {
  const written: Passage = {
    kind: 'knowledge',
    title: 'Prices of chestnut honey',
    text: 'Chestnut honey costs 30 GEL from Monday.',
  }
  assert.match(answered('How much is the chestnut honey?', [written, ...ITEMS]), /30 GEL from Monday/)
  assert.doesNotMatch(answered('My friend said that the clay teapot costs 10'), /is listed/)
  const other: Passage = { kind: 'knowledge', title: 'Gift wrapping', text: 'We wrap gifts free of charge.' }
  assert.match(answered('How much is the chestnut honey?', [other, ...ITEMS]), /32\.00 GEL/)
})
