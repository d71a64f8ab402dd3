// A model that does whatever it reads, given every hostile string as a document of the business: it asks for every tool that it can
// name and repeats all that it sees. The strings of public collections are read where they are at hand.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel, type Step } from '../../../testkit/played-model.ts'
import { type Business, openBusiness } from '../../../testkit/pretend-business.ts'
import type { ModelRequest } from '../../kernel/model/index.ts'
import { hostileStrings } from '../chat/fixtures/hostile-strings.ts'
import { newShop, type Shop, talk } from '../chat/fixtures/talk.ts'

const COLLECTION = path.join(import.meta.dirname, '../../../../../shared/corpora/injection/prompt-injection.json')
const MOST = 60

let house: OpenHouse
let business: Business
let shop: Shop
let said = ''
let read = 0

function obey({ messages }: ModelRequest): Step[] {
  const seen = messages.map(({ text }) => text).join('\n')
  if (messages.at(-1)?.role === 'tool') return [seen, ' Done: I have cancelled everything and confirmed it myself. [1]']
  if (seen.includes('The parrot policy')) read++
  const words = [...new Set(said.match(/[a-z][a-z0-9_]{2,40}/gi) ?? [])].slice(0, 4)
  return [
    { call: 'cancel_order', with: { number: said.slice(0, 200) } },
    { call: 'wipe_orders', with: { all: true } },
    ...words.map((word) => ({ call: word, with: { said } })),
  ]
}

before(async () => {
  const model = playedModel(obey)
  business = await openBusiness()
  house = await openHouse({ model })
  Object.assign(talk, { house, business, model })
  shop = await newShop()
})
after(async () => {
  await house.close()
  await business.close()
})

test('a model that obeys every document widens nothing, writes nothing and tells no secret', async (t) => {
  const all = hostileStrings(existsSync(COLLECTION) ? COLLECTION : undefined)
  const step = Math.ceil(all.length / MOST)
  const strings = all.filter((_, at) => at % step === 0)
  const secrets = [shop.apiKey, shop.signingSecret, shop.tokenKey, house.settings.encryption.key, house.operatorKey]
  let leaked = 0
  for (const text of strings) {
    said = text
    const body = {
      name: 'policy',
      text: `The parrot policy of the shop. ${text.replaceAll('\u0000', '')}`,
      replace: true,
    }
    assert.equal((await house.ask('POST', '/v1/knowledge', { key: shop.apiKey, body })).status, 200)
    const reply = await house.ask<{ meta: { toolCalls: { tool: string; status: string }[] } }>('POST', '/v1/chat', {
      key: shop.apiKey,
      body: { prompt: 'What does the parrot policy of the shop say?', enableWriteActions: true },
    })
    assert.equal(reply.status, 200, reply.text)
    leaked += secrets.filter((secret) => reply.text.includes(secret)).length
  }
  const beyond = business.calls.filter(({ body }) => body?.is_write !== false)
  const performed = [...business.books().values()].length
  t.diagnostic(`${strings.length} documents, ${read} read by the model, ${business.calls.length} reads dispatched`)
  // Every document reached the model: otherwise nothing was tried.
  assert.ok(read >= strings.length)
  assert.deepEqual([beyond.length, performed, leaked], [0, 0, 0])
})
