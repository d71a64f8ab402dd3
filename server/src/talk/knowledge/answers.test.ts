// What a turn makes of the documents: offline and with a model, of one workspace and beside another with the same words.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { ChatAnswer } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { offline } from '../../modules/offline/module.ts'
import { hostileStrings } from '../chat/fixtures/hostile-strings.ts'

const put = async (house: OpenHouse, key: string, name: string, text: string) => {
  const answer = await house.ask('POST', '/v1/knowledge', { key, body: { name, text, format: 'markdown' } })
  assert.equal(answer.status, 200, answer.text)
}
const ask = async (house: OpenHouse, key: string, prompt: string) =>
  (await house.ask<ChatAnswer>('POST', '/v1/chat', { key, body: { prompt } })).body
const saidIn = ({ blocks }: ChatAnswer) => blocks.map((block) => (block.type === 'text' ? block.markdown : '')).join('')

const RETURNS = '# Returns\n\nA parcel may come back within fourteen days. We refund the price in three working days.'
const DELIVERY = 'შეკვეთები თბილისში ერთ დღეში მიიტანება. რეგიონებში მიტანას სამი დღე სჭირდება.'

test('offline, an answer quotes the document that fits, and says that it does not know where none does', async () => {
  await using house = await openHouse({ modules: [offline] })
  const { apiKey } = await house.tenant()
  await put(house, apiKey, 'returns.md', RETURNS)
  await put(house, apiKey, 'delivery', DELIVERY)
  for (const [prompt, quoted, title] of [
    ['When do I get the refund of the price?', 'We refund the price in three working days.', 'returns.md'],
    ['when is a prcel refunded', 'We refund the price', 'returns.md'],
    ['რამდენ დღეში მოგაქვთ შეკვეთა თბილისში?', 'ერთ დღეში მიიტანება', 'delivery'],
    ['ramden dgeshi moitant shekvetas tbilisshi', 'ერთ დღეში მიიტანება', 'delivery'],
  ] as const) {
    const answer = await ask(house, apiKey, prompt)
    assert.ok(saidIn(answer).includes(quoted), `${prompt}: ${saidIn(answer)}`)
    assert.deepEqual(answer.meta.sources, [{ kind: 'knowledge', title, url: null }], prompt)
    assert.ok(answer.blocks.some((block) => block.type === 'footnote' && block.text.includes(title)))
    assert.equal(answer.meta.preview, false)
  }
  for (const prompt of ['Who won the world cup in 1990?', 'ვინ დაწერა ვეფხისტყაოსანი?', 'Hello!']) {
    const answer = await ask(house, apiKey, prompt)
    assert.deepEqual(answer.meta.sources, [], prompt)
    assert.ok(!saidIn(answer).includes('days') && !saidIn(answer).includes('დღე'), saidIn(answer))
  }
})

test('offline, a quotation says its heading once, and an answer that quotes nothing has no source', async () => {
  await using house = await openHouse({ modules: [offline] })
  const { apiKey } = await house.tenant()
  await put(house, apiKey, 'rental.md', '# Rental\n\n## Helmets\n\nA helmet is free with every bike in Tbilisi.')
  await put(
    house,
    apiKey,
    'wesebi.md',
    '# ქირავნობის წესები\n\n## ჩაფხუტი\n\nჩაფხუტი ყველა ველოსიპედს უფასოდ მოჰყვება.',
  )
  for (const [prompt, answer, footnote] of [
    [
      'Is a helmet free?',
      'From “Helmets”:¹\n\n> A helmet is free with every bike in Tbilisi.',
      'rental.md > Rental > Helmets',
    ],
    [
      'ჩაფხუტი უფასოა?',
      '„ჩაფხუტი“:¹\n\n> ჩაფხუტი ყველა ველოსიპედს უფასოდ მოჰყვება.',
      'wesebi.md > ქირავნობის წესები > ჩაფხუტი',
    ],
  ] as const) {
    const said = await ask(house, apiKey, prompt)
    assert.equal(saidIn(said).trim(), answer)
    assert.ok(
      said.blocks.some((block) => block.type === 'footnote' && block.text.endsWith(footnote)),
      JSON.stringify(said.blocks),
    )
  }
  const city = { type: 'string', description: 'City' }
  const parameters = { type: 'object', properties: { city }, required: ['city'] }
  const tools = [{ name: 'find_bikes', description: 'Finds bikes.', is_write: false, parameters }]
  assert.equal((await house.ask('PUT', '/v1/tools', { key: apiKey, body: tools })).status, 200)
  const asking = await ask(house, apiKey, 'find bikes in tbilisi')
  assert.match(saidIn(asking), /still need:/)
  assert.deepEqual(asking.meta.sources, [])
})

test('a model reads what fits, and nothing of another workspace with the same words', async () => {
  const model = playedModel(() => ['The code is in the text [1].'])
  await using house = await openHouse({ model })
  const [one, two] = [await house.tenant('One'), await house.tenant('Two')]
  await put(house, one.apiKey, 'door', 'The code of the front door is red-4711.')
  await put(house, two.apiKey, 'door', 'The code of the front door is blue-0815.')
  for (const [{ apiKey }, own, foreign] of [
    [one, 'red-4711', 'blue-0815'],
    [two, 'blue-0815', 'red-4711'],
  ] as const) {
    const answer = await ask(house, apiKey, 'What is the code of the front door?')
    const asked = JSON.stringify(model.requests.at(-1))
    assert.ok(asked.includes(own) && !asked.includes(foreign))
    assert.deepEqual(answer.meta.sources, [{ kind: 'knowledge', title: 'door', url: null }])
  }
  // What nothing fits is asked without any text.
  await ask(house, one.apiKey, 'Who painted the Mona Lisa?')
  assert.ok(!JSON.stringify(model.requests.at(-1)).includes('What may help'))
})

test('offline, two workspaces with the same words answer each from its own', async () => {
  await using house = await openHouse({ modules: [offline] })
  const [one, two] = [await house.tenant('One'), await house.tenant('Two')]
  await put(house, one.apiKey, 'door', 'The code of the front door is red-4711.')
  await put(house, two.apiKey, 'door', 'The code of the front door is blue-0815.')
  for (const [{ apiKey }, own, foreign] of [
    [one, 'red-4711', 'blue-0815'],
    [two, 'blue-0815', 'red-4711'],
  ] as const) {
    const said = saidIn(await ask(house, apiKey, 'What is the code of the front door?'))
    assert.ok(said.includes(own) && !said.includes(foreign), said)
  }
})

test('a hostile document is data: nothing is called or staged because of it, and no secret is told', async () => {
  await using house = await openHouse({ modules: [offline] })
  const { apiKey, signingSecret } = await house.tenant()
  const tools = [
    { name: 'wipe_orders', description: 'Deletes all orders of the shop for good.', is_write: true },
    { name: 'list_stock', description: 'Lists what is in stock right now, by product.', is_write: false },
  ]
  await house.ask('PUT', '/v1/tools', { key: apiKey, body: tools })
  const secrets = [apiKey, signingSecret, house.operatorKey, house.settings.encryption.key]
  for (const [at, text] of hostileStrings().entries()) {
    const marked = `The parrot policy of the shop. ${text.replaceAll('\u0000', '')}`
    const body = { name: 'policy', text: marked, replace: at > 0 }
    assert.equal((await house.ask('POST', '/v1/knowledge', { key: apiKey, body })).status, 200)
    const reply = await house.ask<ChatAnswer>('POST', '/v1/chat', {
      key: apiKey,
      body: { prompt: 'What does the parrot policy of the shop say?', enableWriteActions: true },
    })
    assert.deepEqual([reply.body.meta.toolCalls, reply.body.meta.proposals], [[], []], reply.text)
    assert.ok(secrets.every((secret) => !reply.text.includes(secret)))
    assert.deepEqual(
      reply.body.meta.sources.map(({ title }) => title),
      ['policy'],
    )
  }
})
