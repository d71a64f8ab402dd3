import assert from 'node:assert/strict'
import test from 'node:test'
import { assertTakesLess, assertTurnsTakeLess } from '../../../../testkit/processor.ts'
import { shopCatalog } from '../fixtures/parts.ts'
import { claimIn } from './claims.ts'
import { turnLanguage } from './language.ts'
import { offerInTurns, offerTools, type Terms } from './offer.ts'

const terms: Terms = { surface: 'chat', isDeep: false, mayWrite: false, hasPicture: false }
const topics = ['orders', 'lamps', 'invoices', 'suppliers', 'holidays', 'parking', 'weather', 'recipes']
const large = shopCatalog([
  ...topics.flatMap((topic) =>
    Array.from({ length: 20 }, (_, index) => ({
      name: `show_${topic}_${index}`,
      description: `Shows part ${index} of everything that the business knows about its ${topic}, in full.`,
      is_write: false,
      domain: topic === 'parking' ? 'garage' : 'general',
    })),
  ),
  { name: 'find_shekveta', description: 'პოულობს შეკვეთას მისი ნომრით და აჩვენებს მის მდგომარეობას.', is_write: false },
])
const offered = (query: string, tokenBudget: number, usedBefore: string[] = [], domains: string[] = []) =>
  offerTools({ catalog: large, terms, query, domains: new Set(domains), usedBefore, tokenBudget })

test('all tools are offered when they fit', () => {
  assert.equal(offered('anything', 1_000_000).offered.length, 162)
})

test('else the nearest, within the budget, with those that were used before, and everything stays callable', () => {
  const { offered: some, tokens, allowed } = offered('Tell me about my lamp', 700, ['show_parking_3'])
  const names = some.map(({ name }) => name)
  assert.ok(tokens <= 700 && names.length > 5, `${names.length} tools, ${tokens} tokens`)
  assert.ok(names.includes('show_parking_3') && names.includes('tether_handoff'))
  const near = names.filter((name) => name.includes('lamps')).length
  assert.ok(near >= names.length - 2, names.join(' '))
  assert.equal(allowed.size, 161)
})

test('the tools of the domain that the question is about come first, and nothing more becomes callable', () => {
  const budget = 700
  const without = offered('Tell me about my lamp', budget)
  const about = offered('Tell me about my lamp', budget, ['show_recipes_3'], ['garage', 'unheard_of'])
  const namesOf = ({ offered: some }: typeof about) => some.map(({ name }) => name)
  const isParking = (name: string) => name.includes('parking')
  assert.ok(!namesOf(without).some(isParking))
  assert.ok(namesOf(about).filter(isParking).length >= namesOf(about).length - 3, namesOf(about).join(' '))
  assert.ok(namesOf(about).includes('show_recipes_3') && about.tokens <= budget)
  assert.deepEqual([...about.allowed], [...without.allowed])
  assert.equal(offered('anything', 1_000_000, [], ['garage']).offered.length, 162)
  const description = 'Counts what is parked, hour by hour, and tells of every place whether it is free and since when.'
  const closed = shopCatalog(
    ['count_cars', 'count_vans', 'count_bikes'].map((name) => ({
      name,
      description,
      is_write: false,
      domain: 'garage',
      deep_analysis_only: name === 'count_cars',
    })),
  )
  const few = {
    catalog: closed,
    terms,
    query: 'count_cars',
    domains: new Set(['garage']),
    usedBefore: [],
    tokenBudget: 50,
  }
  const { offered: some, allowed } = offerTools(few)
  assert.deepEqual([some.map(({ name }) => name), allowed.size], [['count_vans', 'tether_handoff'], 2])
})

test('Georgian words are near in each of their forms', () => {
  assert.equal(offered('სად არის ჩემი შეკვეთა?', 100).offered[0]?.name, 'find_shekveta')
})

const ofRareWords = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => `z${((from + index) % 9_000).toString(36).padStart(3, '0')}`).join(' ')

test('five thousand tools and the longest question hold nobody else', () => {
  const newRequest = () => ({
    catalog: shopCatalog(
      Array.from({ length: 5_000 }, (_, index) => ({
        name: `show_part_${index}`,
        description: ofRareWords(200, index * 13),
        is_write: false,
      })),
    ),
    terms,
    query: ofRareWords(1_600, 0),
    domains: new Set<string>(),
    usedBefore: [],
    tokenBudget: 6_000,
  })
  let request = newRequest()
  const first = (run: number) => {
    // The first question about a catalog prepares it.
    if (run > 0) request = newRequest()
    return offerInTurns(request)
  }
  assertTurnsTakeLess({ turn: 60, total: 4_000 }, first, 'the first question')
  assertTurnsTakeLess({ turn: 60, total: 150 }, () => offerInTurns(request), 'the next question')
})

test('questions that come together prepare a catalog together, and each is offered the same', () => {
  const catalog = shopCatalog(
    Array.from({ length: 300 }, (_, index) => ({
      name: `show_part_${index}`,
      description: ofRareWords(200, index * 13),
      is_write: false,
    })),
  )
  const works = ['z005', 'z005', 'z0aa'].map((query) =>
    offerInTurns({ catalog, terms, query, domains: new Set(), usedBefore: [], tokenBudget: 2_000 }),
  )
  const found: unknown[] = []
  for (let left = works; left.length > 0; ) {
    left = left.filter((work) => {
      const step = work.next()
      if (step.done) found.push(step.value.offered.map(({ name }) => name))
      return !step.done
    })
  }
  assert.deepEqual(found[0], found[1])
  assert.notDeepEqual(found[0], found[2])
})

test('an answer that claims a change is told from one that does not', () => {
  for (const text of [
    'I have cancelled your order.',
    'I’ve just refunded it',
    'we successfully updated it',
    'გავაუქმე შეკვეთა.',
    'თანხა დავაბრუნე',
  ]) {
    assert.equal(claimIn(text), 'own', text)
  }
  for (const text of ['Your order has been cancelled.', 'It is now done.', 'Done!', 'შეკვეთა გაუქმდა.', 'All set.']) {
    assert.equal(claimIn(text), 'passive', text)
  }
  for (const text of [
    'I have not cancelled it.',
    'It will be cancelled once somebody confirms.',
    'Shall I cancel it?',
    'ჯერ არ გავაუქმე.',
    'ვერ დავაბრუნე',
    'It waits for a person.',
    'The total is 12.',
  ]) {
    assert.equal(claimIn(text), 'none', text)
  }
})

test('the language is the one asked for, else that of the prompt', () => {
  assert.deepEqual(
    [
      turnLanguage('ka', ['hello']),
      turnLanguage('English', ['გამარჯობა']),
      turnLanguage(undefined, ['გამარჯობა', 'hello']),
      turnLanguage('', ['hello', 'გამარჯობა']),
    ],
    ['ka', 'en', 'ka', 'en'],
  )
})

test('a code, a number, a sign or an address has no language, so the conversation keeps its own', () => {
  for (const said of ['TH-108', '4521', 'A17?', 'INV-2026-A', '?', '👍', 'nino@example.com', 'https://shop.example/a'])
    assert.deepEqual(
      [
        turnLanguage(undefined, [said, 'მინდა გაუქმება', 'hello']),
        turnLanguage(undefined, [said, 'hello']),
        turnLanguage(undefined, [said]),
      ],
      ['ka', 'en', 'en'],
      said,
    )
  assert.equal(turnLanguage(undefined, ['TH-108, please', 'მინდა გაუქმება']), 'en')
})

test('an answer of nothing but line breaks takes no time to look through', () => {
  for (const filler of ['\n', '\r\n', '. ', ' \n ', ' ', 'is now ', 'I have '])
    assertTakesLess(500, () => claimIn(`${filler.repeat(50_000)}x`), JSON.stringify(filler))
  assert.equal(claimIn('Let me see.\n\n\n  Done'), 'passive')
  assert.equal(claimIn('Let me see. \t Done'), 'passive')
})
