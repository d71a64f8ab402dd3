// Conversations that went wrong: remarks that staged a write, questions of ours whose answer we did not take, and tools that
// we chose for a word in common.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from '../../kernel/model/fixtures/rounds.ts'
import { type Message, type OfferedTool, openEnvelope } from '../../kernel/model/index.ts'
import { answerTo } from './answer.ts'
import { openOffline } from './open-offline.ts'
import { phrasesOf } from './phrases.ts'

const takes = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const text = { type: 'string' }
const tool = (name: string, description: string, properties: object = {}, isWrite = false): OfferedTool => ({
  name,
  description,
  isWrite,
  parameters: takes(properties),
})

const TOOLS = [
  tool('my_repairs', 'Lists the repairs of the signed-in customer.'),
  tool('repair_state', 'The state of one repair.', { repair: text }),
  tool('pickup_points', 'Where a device can be handed in, in one city.', { city: { ...text, description: 'City' } }),
  tool('cancel_repair', 'Cancels a repair. · შეკეთების გაუქმება.', { repair: text }, true),
  tool('open_repair', 'Opens a repair.', { device: { ...text, description: 'What is broken' }, city: text }, true),
  tool('submit_reading', 'Submits a reading.', { meter: text, reading: { type: 'integer' } }, true),
  tool('refund_order', 'Refunds an order.', { number: text }, true),
]

const STAGED = `I have prepared this: **Cancel repair**. ${phrasesOf('en').waits}`

/** Sends each message as a turn, and returns what each answer called or said. */
function talk(...said: readonly string[]): string[] {
  const messages: Message[] = []
  return said.map((prompt) => {
    messages.push({ role: 'user', text: prompt })
    const { text: reply, calls } = answerTo({ model: 'offline', messages, tools: TOOLS, maxOutputTokens: 1 })
    const [call] = calls
    const isWrite = TOOLS.some(({ name, isWrite: changes }) => changes && name === call?.name)
    messages.push({ role: 'assistant', text: call === undefined ? reply : isWrite ? STAGED : 'Here is what I found:' })
    return call === undefined ? reply : `${call.name} ${call.arguments}`
  })
}

const last = (...said: readonly string[]): string => talk(...said).at(-1) ?? ''

test('what others said about a change stages nothing, and is not said to be known', () => {
  for (const remark of [
    'My friend told me you refund order A-20 slowly, is that true?',
    'I heard that you refund order A-20 only after 14 days',
    'My wife says you cancel repair A-20',
  ]) {
    assert.match(last(remark), /^I do not know anything about that, and nothing has been changed\./)
  }
})

test('the answer to a question of its own is taken, also where no pattern says what it looks like', () => {
  const asked = talk('where can I hand in a device?', 'Batumi')
  assert.match(asked[0] ?? '', /^I can look that up.*still need:\n\n- \*\*City\*\*/s)
  assert.equal(asked[1], 'pickup_points {"city":"Batumi"}')
  assert.equal(last('open a repair', 'my phone', 'Batumi'), 'open_repair {"device":"my phone","city":"Batumi"}')
  assert.equal(last('open a repair', 'phone, Batumi'), 'open_repair {"device":"phone","city":"Batumi"}')
  assert.equal(last('cancel a repair', 'it is R-101'), 'cancel_repair {"repair":"R-101"}')
})

test('what is no answer is none: a refusal, a remark, another question, no idea', () => {
  assert.match(last('open a repair', 'never mind'), /^All right, I will leave that\.$/)
  assert.match(last('open a repair', 'my dog is sick today'), /still need:/)
  assert.equal(last('open a repair', 'what is the state of repair R-101?'), 'repair_state {"repair":"R-101"}')
  assert.match(last('open a repair', 'yes'), /still need:/)
  assert.match(last('open a repair', 'I do not know'), /still need:/)
})

test('the tool that is asked for is chosen, and not one that shares a word', () => {
  assert.equal(last('state of repair R-101?'), 'repair_state {"repair":"R-101"}')
  assert.equal(last('where are my repairs'), 'my_repairs {}')
  for (const said of ['I want to buy it', 'yes', 'no', 'cancel my newspaper'])
    assert.doesNotMatch(last(said), /^\w+ \{/, said)
})

test('a number belongs to the word that it stands behind', () => {
  const given = '{"meter":"100200300","reading":5432}'
  for (const said of ['submit reading 5432 for meter 100200300', 'submit the reading of meter 100200300: reading 5432'])
    assert.equal(
      last(said).replace(/"reading":5432,"meter":"100200300"/, given.slice(1, -1)),
      `submit_reading ${given}`,
    )
})

test('a write is never called a look-up, nor a look-up a write', () => {
  assert.match(last('open a repair'), /^I can prepare “Open repair”\./)
  assert.match(last('where can I hand in a device?'), /^I can look that up \(“Pickup points”\)\./)
})

test('"no wait" about what was proposed says that it is not done, and who can take it back', () => {
  for (const said of ['no wait, do not', 'cancel that', 'stop!', 'I changed my mind', 'don’t']) {
    assert.match(
      last('cancel repair R-101', said),
      /^What I have prepared .*not done.*whoever may confirm it can also reject it/s,
      said,
    )
  }
  assert.match(last('გააუქმეთ შეკეთება R-101', 'არა, მოიცა'), /^რაც ამ საუბარში მოვამზადე, არ შესრულებულა/)
  assert.match(last('cancel repair R-101', 'yes'), /^What I have prepared has to be confirmed/)
  assert.equal(last('no wait, do not'), 'All right.')
})

test('a proposal that is refused by its number does not stay behind as if nothing waited', () => {
  const refused = (...said: string[]) => last('cancel repair R-101', ...said)
  assert.match(refused('do not cancel repair R-101'), /^What I have prepared .*not done/s)
  assert.match(refused('please do not cancel any repair'), /^What I have prepared .*not done/s)
  assert.match(refused('cancel repair R-102', 'do not cancel repair R-102'), /^What I have prepared .*not done/s)
  assert.match(refused('cancel repair R-102', 'do not cancel repair R-101'), /^I can take back only the newest change/)
  assert.equal(refused('do not cancel repair R-999'), phrasesOf('en').negated)
  assert.equal(last('do not cancel repair R-101'), phrasesOf('en').negated)
})

test('whoever no longer wants what was proposed is understood, and not by a word about something else', () => {
  const then = (said: string) => last('cancel repair R-101', said)
  for (const said of [
    'I do not want it any more',
    'I don’t need that any more',
    'that was a mistake',
    'Oh no, I wrote that by mistake.',
    'Could you undo that, please?',
    'please leave the repair as it is',
  ])
    assert.match(then(said), /^What I have prepared .*not done/s, said)
  for (const said of [
    'I do not need a receipt',
    'keep the change',
    'My son said that was a mistake',
    'Was that a mistake?',
    'I do not want to wait so long',
  ])
    assert.doesNotMatch(then(said), /^What I have prepared/, said)
})

test('whoever asks whether it is done hears that it waits, as long as it does', () => {
  const then = (said: string) => last('cancel repair R-101', said)
  for (const said of [
    'is it done?',
    'Has it been cancelled yet?',
    'ok, is that confirmed now',
    'did it work?',
    'who will confirm it?',
    'when will it be done',
    'what happens next?',
  ])
    assert.equal(then(said), phrasesOf('en').waits, said)
  for (const said of ['შესრულდა?', 'უკვე გაუქმდა?', 'ვინ დაადასტურებს?', 'როდის შესრულდება?'])
    assert.equal(last('გააუქმეთ შეკეთება R-101', said), phrasesOf('ka').waits, said)
  for (const said of ['is the shop open?', 'is repair R-7 done?', 'what is done on Mondays?'])
    assert.notEqual(then(said), phrasesOf('en').waits, said)
  assert.notEqual(last('is it done?'), phrasesOf('en').waits)
})

test('the first answer says that no model is set up, and the next ones need not', async () => {
  const system: Message = { role: 'system', text: 'Today is 2026-11-22 (UTC). Answer in English.' }
  const said = async (...messages: Message[]) =>
    (
      await gather(openOffline(), {
        model: 'offline',
        messages: [system, ...messages],
        tools: TOOLS,
        maxOutputTokens: 1,
      })
    ).texts.join('')
  const question: Message = { role: 'user', text: 'why is the sky blue' }
  assert.match(await said(question), /block:footnote\n\{"text":"No language model is set up here\. /)
  assert.doesNotMatch(await said(question, { role: 'assistant', text: 'I do not know that.' }, question), /footnote/)
  // The greeting already says it.
  assert.doesNotMatch(await said({ role: 'user', text: 'hello' }), /footnote/)
})

test('what was proposed no longer waits once all of it was decided', () => {
  const yes = (...states: string[]) => {
    const { wrap } = openEnvelope()
    const system = wrap('proposals', states.map((state) => `${state}: Would cancel`).join('\n'))
    const messages: Message[] = [
      { role: 'system', text: `Answer in English.\n\n${system}` },
      { role: 'user', text: 'Cancel repair R-1' },
      { role: 'assistant', text: STAGED },
      { role: 'user', text: 'yes' },
    ]
    return answerTo({ model: 'offline', messages, tools: TOOLS, maxOutputTokens: 1 }).text
  }
  assert.equal(yes('executed', 'pending'), phrasesOf('en').stillWaits)
  assert.equal(yes('executed', 'rejected'), phrasesOf('en').nothingAsked)
})

const BIKES = [
  tool('find_bikes', 'Finds bikes.', { city: { ...text, description: 'City such as Tbilisi or Batumi' } }),
  tool('bike_price', 'What a bike costs.', { model: text }),
]

const PASSAGES = [
  ['rental.md', 'Late returns. If you bring the bike back late, each hour costs 5 GEL.'],
  ['trains.md', 'A model bike is no toy: take it on the train for 5 GEL.'],
] as const

function about(prompt: string, passages: readonly (readonly [title: string, text: string])[] = []): string {
  const { passage } = openEnvelope()
  const known = passages.map(([title, said]) => passage({ kind: 'knowledge', title, text: said })).join('\n')
  const messages: Message[] = [
    { role: 'system', text: `Answer in English.\n${known}` },
    { role: 'user', text: prompt },
  ]
  const { text: reply, calls } = answerTo({ model: 'offline', messages, tools: BIKES, maxOutputTokens: 1 })
  return calls[0] === undefined ? reply : `${calls[0].name} ${calls[0].arguments}`
}

test('an argument is taken where something shows that it is one, and what else was said is no value', () => {
  for (const said of [
    'How much is it if I bring the bike back late?',
    'Can I bring my bike home on the train?',
    'Do you have bikes for tall people?',
    'I lost my bike, what now?',
    'Do you have bikes in March?',
  ])
    assert.doesNotMatch(about(said), /^\w+ \{/, said)
  for (const said of [
    'Find bikes in Tbilisi',
    'bikes in tbilisi?',
    'Find bikes, city Tbilisi',
    'ველოსიპედი: find bikes, თბილისში',
  ])
    assert.equal(about(said), 'find_bikes {"city":"Tbilisi"}', said)
  assert.equal(about('Find bikes in Kutaisi'), 'find_bikes {"city":"Kutaisi"}')
  assert.equal(about('Find bikes, city: Zugdidi'), 'find_bikes {"city":"Zugdidi"}')
  // A winter is no city, and Kutaisi without its capital may be one: we ask.
  for (const said of ['find bikes in winter', 'find bikes in kutaisi'])
    assert.match(about(said), /still need:\n\n- \*\*City/)
  assert.equal(about('what does the bike "Trek 4" cost?'), 'bike_price {"model":"Trek 4"}')
})

test('a text with the answer is quoted before a read that would rest on the words that remain', () => {
  assert.match(
    about('How much is it if I bring the bike back late?', PASSAGES),
    /^From “rental\.md”:\n\n> Late returns/,
  )
  assert.match(about('How late can I bring the bike back in Batumi?', PASSAGES), /^From “rental\.md”:/)
  assert.equal(about('How late can I bring the bike back in Batumi?'), 'find_bikes {"city":"Batumi"}')
  assert.equal(about('What does a toy bike cost?'), 'bike_price {"model":"toy"}')
  assert.match(about('What does a toy bike cost?', PASSAGES.slice(1)), /^From “trains\.md”:/)
  assert.equal(about('Find bikes in Batumi', PASSAGES), 'find_bikes {"city":"Batumi"}')
})
