import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { atOnce } from '../json/index.ts'
import { findChunks } from './find-chunks.ts'
import { openSegment, packSegment, type Segment } from './segment.ts'
import { gramsOf, stemOf, wordsOf } from './words.ts'

function segmentOf(...texts: string[]): Segment {
  const segment = openSegment(atOnce(packSegment(texts)))
  assert.ok(segment !== undefined)
  return segment
}
const bestOf = (segments: readonly Segment[], question: string) => findChunks(segments, question, 5).hits[0]

test('case, marks, capitals of Mtavruli and a dotless i make no difference', () => {
  assert.deepEqual(wordsOf('CAFÉ café cafe\u0301 İstanbul ıstanbul Straße ᲗᲑᲘᲚᲘᲡᲘ A-1001'), [
    ...['cafe', 'cafe', 'cafe', 'istanbul', 'istanbul', 'strasse', 'თბილისი', 'a', '1001'],
  ])
})

test('the forms of a Georgian noun have one stem, and what is short stays as it is', () => {
  for (const forms of [
    'შეკვეთა შეკვეთას შეკვეთის შეკვეთით შეკვეთები შეკვეთების შეკვეთებში შეკვეთისთვის',
    'წყალი წყლის წყლით წყალში',
    'ბილეთი ბილეთს ბილეთების ბილეთიდან ბილეთებზე ბილეთიც',
    'მაღაზია მაღაზიაში მაღაზიის მაღაზიებში',
  ]) {
    assert.equal(new Set(forms.split(' ').map(stemOf)).size, 1, `${forms}: ${forms.split(' ').map(stemOf)}`)
  }
  for (const word of ['და', 'სახლ', 'ის', 'ხე', 'parcels', 'დღე'])
    assert.ok(stemOf(word).length >= Math.min(3, word.length))
  assert.equal(stemOf('parcels'), 'parcels')
})

test('a word has grams of three letters in Georgian, of four elsewhere, with its edges', () => {
  assert.deepEqual(gramsOf('სახლი'), ['_სა', 'სახ', 'ახლ', 'ხლი', 'ლი_'])
  assert.deepEqual(gramsOf('parcel'), ['_par', 'parc', 'arce', 'rcel', 'cel_'])
  assert.deepEqual(gramsOf('a'), ['_a_'])
})

test('a packed segment opens as it was packed, also at an odd place, and one of another version does not', () => {
  const packed = atOnce(packSegment(['The parcel goes to the house.', 'ამანათი სახლში მიდის.']))
  const shifted = new Uint8Array(packed.length + 1)
  shifted.set(packed, 1)
  for (const bytes of [packed, shifted.subarray(1)]) {
    const segment = openSegment(bytes)
    assert.deepEqual([segment?.size, segment?.hasGeorgian], [2, true])
    assert.ok(segment !== undefined)
    assert.equal(bestOf([segment], 'parcel')?.chunk, 0)
    assert.equal(bestOf([segment], 'ამანათის სახლი')?.chunk, 1)
  }
  const other = packed.slice()
  other[0] = 99
  assert.equal(openSegment(other), undefined)
  assert.equal(openSegment(new Uint8Array(3)), undefined)
})

test('of two short texts, the one that a question is about fits it, and a foreign question fits none', () => {
  const two = [segmentOf('Returns: send it back within 14 days.'), segmentOf('We are open from 9 to 18 on weekdays.')]
  for (const question of [
    'How long do I have to return an item',
    'Can I return something?',
    'How many days until I return it?',
  ]) {
    const hit = bestOf(two, question)
    assert.equal(hit?.segment, 0, question)
    assert.ok(hit.coverage >= 0.3, `${question}: ${hit.coverage}`)
  }
  for (const question of [
    'How long is the Nile?',
    'What is the capital of France?',
    'Do you sell gift cards?',
    'Who won within the stadium?',
  ])
    assert.ok((bestOf(two, question)?.coverage ?? 0) < 0.3, question)
  // Said otherwise than after "how", the same word counts.
  assert.ok((bestOf([segmentOf('Long letters cost more.')], 'How long may long letters be?')?.coverage ?? 0) > 0.5)
})

test('a chunk that shares only question words ranks below one that shares a word of the subject', () => {
  const english = ['You can ask us what you would like to have.', 'The shop opens at nine.', 'Returns are free.']
  const georgian = ['როგორ შევარჩიოთ ფერი', 'საათები: ვმუშაობთ შაბათსაც', 'ფასი: 20 ლარი']
  for (const [texts, question, segment] of [
    [english, 'What time would you have the shop open?', 1],
    [english, 'What would you do to return it?', 2],
    [georgian, 'როგორ მუშაობთ?', 1],
  ] as const) {
    const hit = bestOf(
      texts.map((text) => segmentOf(text)),
      question,
    )
    assert.equal(hit?.segment, segment, question)
  }
})

test('Georgian words of asking, in any form, count nothing towards what a chunk holds of the question', () => {
  const hit = bestOf([segmentOf('ამანათი სწრაფად მოდის.')], 'მაინტერესებს, რამდენად სწრაფად მოდის ამანათი?')
  assert.ok((hit?.coverage ?? 0) > 0.99, `${hit?.coverage}`)
})

test('an ending of a Georgian word in an unrelated word weighs less than the stem in another form', () => {
  const texts = ['ველოსიპედებისთვის', 'გადავიხადოთ ბარათი', 'სხვა'].map((text) => segmentOf(text))
  assert.equal(bestOf(texts, 'ბარათებისთვის')?.segment, 1)
})

test('one short text alone is judged as among others: what is in it covers, what is not does not', () => {
  const alone = [segmentOf('We refund the price within three working days.')]
  assert.ok((bestOf(alone, 'When is the price refunded?')?.coverage ?? 0) >= 0.3)
  for (const foreign of ['What is the weather in Batumi?', 'the', 'how do I', '']) {
    assert.ok((bestOf(alone, foreign)?.coverage ?? 0) < 0.2, foreign)
  }
  assert.deepEqual(findChunks([], 'anything', 5).hits, [])
})

/** Whoever tells a story says "you" and "I" far more often than what it is about. */
const STORY = `Hello, I am writing to you because I was at your shop with my sister, and I think that you told us what we would have to do, but I am not
  sure that I have it right. When we were there, you said that you would tell me how to have a jacket repaired, and that I should ask you. So I do.`

test('in a story the words that say little rank nothing, and another chunk of the same document does', () => {
  const polite = segmentOf(
    'Are you there? We are. Do you have what you want? Tell us what you would have us do for you, and we will.',
  )
  const repairs = segmentOf('Repairs: a torn jacket is repaired within a week.')
  assert.equal(findChunks([polite, repairs], STORY, 5).hits[0]?.segment, 1)
  const [said, told] = [
    segmentOf('A jacket is repaired at the shop, ask there.', 'Trousers are shortened by post.'),
    segmentOf('A jacket is repaired at the shop.', 'Ask at the shop for your jacket.'),
  ]
  assert.equal(findChunks([said, told], STORY, 5).hits[0]?.segment, 1)
  assert.equal(findChunks([told, said], STORY, 5).hits[0]?.segment, 0)
})

test('a question of thirty words is asked as any other, and a longer one tells a story', () => {
  const texts = [segmentOf('red house')]
  assert.equal(findChunks(texts, 'house '.repeat(30), 5).isStory, false)
  assert.equal(findChunks(texts, 'house '.repeat(31), 5).isStory, true)
})

test('equal chunks keep their order, the order of segments changes no rank, and coverage is at most 1', () => {
  const [one, two] = [segmentOf('red house', 'red house'), segmentOf('red house blue door')]
  const hits = findChunks([one, two], 'red house', 5).hits
  assert.deepEqual(
    hits.map(({ segment, chunk }) => [segment, chunk]),
    [
      [0, 0],
      [0, 1],
      [1, 0],
    ],
  )
  const turned = findChunks([two, one], 'red house', 5).hits
  assert.deepEqual(
    turned.map(({ rank }) => rank),
    hits.map(({ rank }) => rank),
  )
  assert.ok(hits.every(({ coverage }) => coverage > 0.99 && coverage <= 1))
})

test('Georgian in Latin letters is found however it is written, and English is not taken for it', () => {
  const texts = [
    segmentOf('შეკვეთის სტატუსს ნახავთ პირად გვერდზე.', 'ბილეთის დაბრუნება შეიძლება ერთი დღით ადრე.'),
    segmentOf('წყლის ფილტრს სამი თვის გარანტია აქვს.', 'ჟურნალი ყოველ ხუთშაბათს გამოდის.'),
  ]
  for (const [question, segment, chunk] of [
    ['sad aris chemi shekveta', 0, 0],
    ["shek'vetis st'at'usi", 0, 0],
    ['biletis dabruneba', 0, 1],
    ['wylis filtris garantia', 1, 0],
    ['tsqlis filtri', 1, 0],
    ['JURNALI', 1, 1],
    ['zhurnali xutshabats', 1, 1],
    ['BileTis dabruneba', 0, 1],
  ] as const) {
    const hit = bestOf(texts, question)
    assert.deepEqual([hit?.segment, hit?.chunk, (hit?.coverage ?? 0) >= 0.3], [segment, chunk, true], question)
  }
  for (const foreign of [
    'Where can I see the weather forecast for tomorrow?',
    'Wie ist das Wetter heute?',
    'сколько стоит',
  ]) {
    assert.ok((bestOf(texts, foreign)?.coverage ?? 0) < 0.3, foreign)
  }
})

test('neither the longest question nor hostile words hold the process', () => {
  const texts = Array.from({ length: 20 }, (_, at) => segmentOf(`შეკვეთა ${at} parcel`.repeat(400)))
  for (const question of [
    'shekvetistvis '.repeat(570),
    'tshtshtsh'.repeat(900),
    'a'.repeat(8000),
    `a${'\u0301'.repeat(7999)}`,
  ])
    assertTakesLess(1_500, () => findChunks(texts, question, 50), question.slice(0, 12))
  const words = Array.from({ length: 300 }, (_, at) => `tsqkwjchgp${at.toString(36).replace(/\d/g, 't')}ckqt`).join(' ')
  assertTakesLess(6_000, () => findChunks(texts, words, 50))
})
