// What a Georgian visitor reads of a proposed write, where no model is set up: whatever the business calls it, and no English of ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import { openHouse } from '../../../testkit/house.ts'
import { newShop, openTalk, page, talk } from '../../talk/chat/fixtures/talk.ts'
import { offline } from './module.ts'

openTalk()

const cancel = {
  name: 'cancel_order',
  description: 'Cancels one order that has not been shipped yet.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}
const labels = {
  ka: { title: 'შეკვეთის გაუქმება', parameters: { number: 'შეკვეთის ნომერი' } },
  en: { title: 'Call it off', parameters: { number: 'Order' } },
}

async function proposed(tool: object, prompt: string): Promise<ChatAnswer> {
  const shop = await newShop('Growth', [tool])
  await using plain = await openHouse({ beside: talk.house, modules: [offline] })
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const { body, text } = await plain.ask<ChatAnswer>('POST', '/v1/chat', { key, headers: page, body: { prompt } })
  assert.equal(body.meta.proposals.length, 1, text)
  return body
}

/** Every word that is shown: the texts of the answer, and the card without what was asked for itself. */
function shownIn({ blocks, meta }: ChatAnswer): string {
  const cards = meta.proposals.flatMap(({ title, summary, labels = {} }) => [title, summary, ...Object.values(labels)])
  const texts = JSON.stringify(blocks, (key, value) => (key === 'type' ? undefined : value)).replace(/"\w+":/g, '')
  return [texts, ...cards].join('\n').replace(/A-17|\\n/g, '')
}

test('a Georgian visitor reads what the business calls it in Georgian, and an English one what it calls it in English', async () => {
  const georgian = await proposed({ ...cancel, labels }, 'გააუქმე შეკვეთა A-17')
  const [proposal] = georgian.meta.proposals
  assert.deepEqual(
    [proposal?.title, proposal?.summary, proposal?.labels],
    ['შეკვეთის გაუქმება', 'შეკვეთის გაუქმება (შეკვეთის ნომერი: A-17)', { number: 'შეკვეთის ნომერი' }],
  )
  assert.match(JSON.stringify(georgian.blocks), /შეკვეთის გაუქმება/)
  assert.doesNotMatch(shownIn(georgian), /[a-z]/i)
  const english = (await proposed({ ...cancel, labels }, 'Cancel order A-17')).meta.proposals[0]
  assert.deepEqual([english?.title, english?.labels], ['Call it off', { number: 'Order' }])
})

test('where nobody said in Georgian what a write is called, no word of its name is shown either', async () => {
  const answer = await proposed(cancel, 'გააუქმე შეკვეთა A-17')
  assert.equal(answer.meta.proposals[0]?.title, 'შემოთავაზებული მოქმედება')
  assert.deepEqual(answer.meta.proposals[0]?.labels, { number: 'ნომერი' })
  assert.doesNotMatch(shownIn(answer), /[a-z]/i)
})
