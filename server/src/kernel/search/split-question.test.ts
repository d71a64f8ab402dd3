import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { atOnce } from '../json/index.ts'
import { findChunks, findChunksByPart } from './find-chunks.ts'
import { openSegment, packSegment, type Segment } from './segment.ts'
import { splitQuestion } from './split-question.ts'

const partsOf = (text: string): string[] => splitQuestion(text).map((part) => part.text)

test('splits a message into its questions, in English and Georgian', () => {
  for (const [message, ...parts] of [
    [
      'What are your opening hours and how do I return a jacket?',
      'What are your opening hours',
      'how do I return a jacket?',
    ],
    ['Is there parking, are you open on Saturday?', 'Is there parking', 'are you open on Saturday?'],
    ['I bought a kettle. What is the warranty, and can I return it?', 'What is the warranty', 'can I return it?'],
    ['When do you open, and what does parking cost?', 'When do you open', 'what does parking cost?'],
    ['Delivery and returns', 'Delivery', 'returns'],
    ['parking? opening hours?', 'parking?', 'opening hours?'],
    ['Hello. Dr. Beridze told me to ask. Is there parking?', 'Is there parking?'],
    ['რომელ საათებში მუშაობთ და როგორ დავაბრუნო ქურთუკი?', 'რომელ საათებში მუშაობთ', 'როგორ დავაბრუნო ქურთუკი?'],
    ['მიწოდება რა ღირს, დაბრუნება როგორ ხდება?', 'მიწოდება რა ღირს', 'დაბრუნება როგორ ხდება?'],
    ['პარკინგი გაქვთ და შაბათს მუშაობთ?', 'პარკინგი გაქვთ', 'შაბათს მუშაობთ?'],
  ] as const) {
    assert.deepEqual(partsOf(message), parts, message)
  }
})

test('leaves a message whole that asks for one thing', () => {
  for (const message of [
    '',
    'How do I return a jacket?',
    'When it rains, what do you do with the outdoor tables?',
    'Who is the author of the guide, which is sold at the counter near the entrance of the shop?',
    'What is the warranty of the kettle, and what is its price?',
    'Is it possible to predict when and how the kettle will break in an ordinary kitchen?',
    'Can a parcel be sent back? If not, why?',
    'What do Mr. Beridze and H. Garrison say about returning a parcel that was opened by mistake?',
    'როგორ დავაბრუნო ქურთუკი?',
  ])
    assert.deepEqual(partsOf(message), [], message)
})

test('takes only the marked questions of a long message, and at most four parts', () => {
  const told = 'I was in your shop with my sister and we looked at kettles for a while. '.repeat(4)
  assert.deepEqual(partsOf(`${told}I need to know more. Can I return a kettle?`), ['Can I return a kettle?'])
  assert.deepEqual(partsOf(told), [])
  assert.equal(partsOf('parking? hours? returns? delivery? payment? gifts?').length, 4)
})

function segmentOf(...texts: string[]): Segment {
  const segment = openSegment(atOnce(packSegment(texts)))
  assert.ok(segment !== undefined)
  return segment
}

test('ranks a chunk for each part first, and what fits no part holds nothing of the message', () => {
  const texts = [
    'We are open from 9 to 18 on weekdays.',
    'There is free parking behind the shop.',
    'A repair costs 20 GEL.',
  ]
  const segments = [...texts, ...texts.map((text) => `Of the other shop: ${text} Ask there.`)].map((one) =>
    segmentOf(one),
  )
  const { hits } = findChunksByPart(segments, 'When are you open, and is there parking for my car?', 5)
  assert.deepEqual(
    hits
      .slice(0, 2)
      .map(({ segment }) => segment)
      .toSorted(),
    [0, 1],
  )
  assert.ok(hits.slice(0, 2).every(({ coverage }) => coverage >= 0.3))
  assert.ok(hits.every(({ segment, coverage }) => segment % 3 !== 2 || coverage < 0.1))
})

test('a part with one clear answer leaves the next places to a part with several likely ones', () => {
  const segments = [
    'There is free parking behind the shop.',
    'Delivery in Tbilisi costs 6 GEL.',
    'Delivery to Batumi costs 10 GEL.',
    'Delivery abroad costs 90 GEL.',
    'Behind the shop is our workshop.',
    'The shop sells gift cards.',
  ].map((text) => segmentOf(text))
  const { hits } = findChunksByPart(segments, 'Is there parking behind the shop, and what does delivery cost?', 4)
  assert.equal(hits[0]?.segment, 0)
  assert.deepEqual(hits.map(({ segment }) => segment).toSorted(), [0, 1, 2, 3])
})

test('a question that asks for one thing is ranked as before', () => {
  const segments = [segmentOf('red house', 'red house and a garden'), segmentOf('red house blue door')]
  for (const question of ['red house', 'Where is the red house?'])
    assert.deepEqual(findChunksByPart(segments, question, 5), findChunks(segments, question, 5))
})

test('"it" in a part stands for what the message is about', () => {
  const segments = [
    segmentOf('Jackets: return them within 14 days.'),
    segmentOf('Kettles: return them within 30 days.'),
  ]
  const { hits } = findChunksByPart(segments, 'I bought a kettle last week. Can I return it, and is there parking?', 5)
  assert.equal(hits[0]?.segment, 1)
})

test('hostile messages are split in bounded time', () => {
  for (const message of [
    'what is it and '.repeat(550),
    ', what '.repeat(1_150),
    'a? '.repeat(2_700),
    ' '.repeat(8_000),
    `a${','.repeat(8_000)}`,
    `and${' '.repeat(7_990)}and`,
    'რა და '.repeat(1_300),
    '. '.repeat(4_000),
  ])
    assertTakesLess(300, () => splitQuestion(message), message.slice(0, 12))
})
