// Conversations that went wrong: remarks that staged a write, questions of ours whose answer we did not take, and tools that
// we chose for a word in common.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from '../../foundation/model/fixtures/rounds.ts'
import type { Message, OfferedTool } from '../../foundation/model/index.ts'
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
