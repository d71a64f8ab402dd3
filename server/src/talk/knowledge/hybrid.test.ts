// Documents that are found by what they mean, with a provider of embeddings that knows a few meanings.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { timed } from '../../../testkit/stopwatch.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { type Found, fused, LEAST } from './find-passages.ts'
import { type EmbeddingServer, openEmbeddingServer } from './fixtures/embedding-server.ts'

type Hit = { document: string; chunk: number; score: number; text: string }

/** Each meaning is a direction of its own, and a text without any of them points elsewhere. */
const MEANINGS = [/vehicle|automobile|მანქან/i, /refund|money back|თანხ/i, /parrot|bird/i, /parking/i, /open from/i]
const vectorOf = (text: string, { dimensions = 8 }: { dimensions?: number }): number[] => {
  const found = MEANINGS.map((meaning) => Number(meaning.test(text)))
  const rest = Array.from({ length: dimensions - found.length - 1 }, () => 0)
  return [...found, ...rest, found.includes(1) ? 0 : 1]
}

async function provider(t: TestContext): Promise<EmbeddingServer> {
  const server = await openEmbeddingServer(vectorOf)
  t.after(() => server.close())
  return server
}
const settingsFor = (server: EmbeddingServer, more: Record<string, string> = {}) => ({
  'AI:Embeddings:Model': 'Small',
  'AI:Embeddings:BaseUrl': server.url,
  'AI:Embeddings:ApiKey': 'sk-not-a-real-key',
  'AI:Embeddings:Dimensions': '8',
  'AI:Embeddings:QuestionSeconds': '20',
  'AI:Prices:small:InputPerMillion': '2',
  ...more,
})
const put = async (house: OpenHouse, key: string, name: string, text: string) => {
  const body = { name, text, format: 'markdown', replace: true }
  assert.equal((await house.ask('POST', '/v1/knowledge', { key, body })).status, 200)
}
const search = async (house: OpenHouse, key: string, q: string) =>
  (await house.ask<{ hits: Hit[] }>('GET', `/v1/knowledge/search?q=${encodeURIComponent(q)}`, { key })).body.hits
const namesOf = (hits: readonly Hit[]) => hits.map(({ document }) => document)
/** The regular work, once. */
const work = async (house: OpenHouse, name = 'knowledge.embed') => {
  const duty = house.app.duties.find((one) => one.name === name)
  assert.ok(duty !== undefined)
  await duty.work(new AbortController().signal)
}
const ledgerOf = unlisted<{ purpose: string; model: string; tokens: number; cost: string }, { tenantId: number }>(
  'test.ledger',
  `select purpose, model, input_tokens as tokens, cost_usd::text as cost from usage_rows
    where tenant_id = $tenantId::int order by at, purpose`,
)
const slots = unlisted<
  { name: string; model: string | null; older: string | null; due: boolean },
  { tenantId: number }
>(
  'test.vectors',
  `select name, vectors_model as model, older_model as older, embed_at is not null as due from knowledge_documents
    where tenant_id = $tenantId::int order by name`,
)
const makeDue = unlisted<unknown, { tenantId: number }>(
  'test.make_due',
  'update knowledge_documents set embed_at = now() where tenant_id = $tenantId::int and embed_at is not null',
)

test('what both rankings have comes first, a chance word pushes nothing down, and scores only fall', () => {
  const found = (name: string, score: number): Found => {
    const chunk = { from: 0, to: 1, begins: 0, heading: null }
    // The cast is true for what the fusion reads of a document.
    return { document: { name } as Found['document'], chunk, number: 0, score }
  }
  const order = (hits: readonly Found[]) => hits.map(({ document, score }) => [document.name, score])
  const words = [found('a', 0.9), found('b', 0.6), found('c', 0.5)]
  const meanings = [found('d', 0.8), found('b', 0.7), found('e', 0.6)]
  assert.deepEqual(order(fused(words, meanings, 9)), [
    ['b', 0.7],
    ['d', 0.7],
    ['a', 0.7],
    ['e', 0.6],
    ['c', 0.5],
  ])
  const chance = [found('x', LEAST.answer - 0.01), found('b', 0.25)]
  assert.deepEqual(
    fused(chance, meanings, 4).map(({ document }) => document.name),
    ['d', 'b', 'e', 'x'],
  )
  assert.deepEqual(order(fused(words, [], 2)), order(words.slice(0, 2)))
})

test('a text that shares no word is found by its meaning, in any language, and what both find comes first', async (t) => {
  const server = await provider(t)
  const model = playedModel(() => ['It is refunded [1].'])
  await using house = await openHouse({ settings: settingsFor(server), model })
  const { apiKey, tenantId } = await house.tenant()
  await put(house, apiKey, 'cars', 'We rent out every vehicle by the day.')
  await put(house, apiKey, 'returns', 'You get a refund within three days.')
  await put(house, apiKey, 'hours', 'We are open from nine to six.')
  // Until the vectors are there, words alone find documents.
  assert.deepEqual(namesOf(await search(house, apiKey, 'automobile')), [])
  assert.deepEqual(namesOf(await search(house, apiKey, 'refund')), ['returns'])
  assert.equal(server.asked.length, 0)
  await work(house)
  assert.equal(server.key, 'Bearer sk-not-a-real-key')
  assert.deepEqual(new Set(server.asked.map(({ model, dimensions }) => `${model} ${dimensions}`)), new Set(['Small 8']))
  assert.equal((await server.askedTexts(3)).length, 3)
  await work(house)
  assert.equal((await server.askedTexts(3)).length, 3)

  assert.deepEqual(namesOf(await search(house, apiKey, 'automobile')), ['cars'])
  assert.deepEqual(namesOf(await search(house, apiKey, 'მანქანა მინდა')), ['cars'])
  assert.deepEqual(await search(house, apiKey, 'Who painted the Mona Lisa?'), [])
  const hits = await search(house, apiKey, 'a refund within three days for the automobile')
  // Both fit by their meaning, and one by its words as well.
  assert.deepEqual(namesOf(hits), ['returns', 'cars'])
  assert.ok(hits.every(({ score }, at) => score > 0 && score <= (hits[at - 1]?.score ?? 1)))

  const body = { prompt: 'ჩემი თანხა მინდა' }
  const answer = await house.ask<{ meta: { sources: unknown } }>('POST', '/v1/chat', { key: apiKey, body })
  assert.deepEqual(answer.body.meta.sources, [{ kind: 'knowledge', title: 'returns', url: null }])

  await house.app.flush()
  const rows = await house.database.database.rows(ledgerOf, { tenantId })
  const documents = rows.filter(({ purpose }) => purpose === 'documents')
  assert.deepEqual(new Set(rows.map(({ purpose }) => purpose)), new Set(['documents', 'question', 'turn']))
  // Two dollars for a million tokens, of which the provider counted one for each word.
  assert.ok(documents.every(({ tokens, cost }) => Number(cost) === (tokens * 2) / 1_000_000 && tokens > 5))
  assert.ok(house.logged.every((line) => !line.includes('sk-not-a-real-key')))
})

test('two workspaces with the same words never see each other’s vectors', async (t) => {
  const server = await provider(t)
  await using house = await openHouse({ settings: settingsFor(server) })
  const [one, two] = [await house.tenant('One'), await house.tenant('Two')]
  await put(house, one.apiKey, 'same', 'The vehicle of the red house.')
  await put(house, two.apiKey, 'same', 'The vehicle of the blue house.')
  await work(house)
  for (const [{ apiKey }, own] of [
    [one, 'red'],
    [two, 'blue'],
  ] as const) {
    const hits = await search(house, apiKey, 'automobile')
    assert.deepEqual([hits.length, hits[0]?.text.includes(own)], [1, true])
  }
  await house.ask('DELETE', '/v1/knowledge/same', { key: one.apiKey })
  assert.deepEqual(await search(house, one.apiKey, 'automobile'), [])
  assert.equal((await search(house, two.apiKey, 'automobile')).length, 1)
})

test('a workspace over its budget is answered by words alone, and is told nothing of it', async (t) => {
  const server = await provider(t)
  const settings = settingsFor(server, { 'AI:Prices:small:InputPerMillion': '100000', 'AI:Budget:OrgDailyCapUsd': '2' })
  await using house = await openHouse({ settings })
  const { apiKey, tenantId } = await house.tenant()
  await put(house, apiKey, 'cars', 'We rent out every vehicle by the day.')
  await work(house)
  await house.app.flush()
  assert.equal(namesOf(await search(house, apiKey, 'automobile by the day')).length, 1)
  await house.app.flush()
  // The ceiling is reached now: neither a question nor a document is sent.
  await put(house, apiKey, 'returns', 'You get a refund within three days.')
  for (let round = 0; round < 25; round++) {
    await search(house, apiKey, 'automobile')
    await house.app.flush()
  }
  const before = server.asked.length
  await work(house)
  const answer = await house.ask<{ hits: Hit[] }>('GET', '/v1/knowledge/search?q=rent+a+vehicle', { key: apiKey })
  assert.deepEqual([namesOf(answer.body.hits), server.asked.length], [['cars'], before])
  assert.ok(!/budget|ceiling|spend/i.test(answer.text))
  assert.deepEqual(await search(house, apiKey, 'automobile'), [])
  const waiting = await house.database.database.rows(slots, { tenantId })
  assert.deepEqual(
    waiting.map(({ name, due }) => [name, due]),
    [
      ['cars', false],
      ['returns', true],
    ],
  )
})

test('after a change of the model the old vectors serve until all new ones are there', async (t) => {
  const server = await provider(t)
  await using house = await openHouse({ settings: settingsFor(server) })
  const { apiKey, tenantId } = await house.tenant()
  await put(house, apiKey, 'cars', 'We rent out every vehicle by the day.')
  await put(house, apiKey, 'returns', 'You get a refund within three days.')
  await work(house)
  const prices = new Map([...house.settings.ai.prices, ['large', { inputMicros: 1, outputMicros: null }] as const])
  const embeddings = { ...house.settings.ai.embeddings, model: 'Large', dimensions: 16 }
  const settings = { ...house.settings, ai: { ...house.settings.ai, prices, embeddings } }
  await using later = await openHouse({ beside: { ...house, settings } })
  const askedOf = async (q: string) => {
    const found = namesOf(await search(later, apiKey, q))
    return [found, server.asked.at(-1)?.model, server.asked.at(-1)?.dimensions]
  }
  assert.deepEqual(await askedOf('automobile'), [['cars'], 'Small', 8])
  await work(later, 'knowledge.embed_anew')
  // One document fails for now: the other one's new vectors do not serve alone.
  const database = house.database.database
  const postpone = unlisted<unknown, { tenantId: number; name: string }>(
    'test.postpone',
    `update knowledge_documents set embed_at = now() + interval '1 hour' where tenant_id = $tenantId::int and name = $name::text`,
  )
  await database.run(postpone, { tenantId, name: 'cars' })
  await work(later)
  assert.deepEqual(
    (await database.rows(slots, { tenantId })).map(({ model, older }) => [model, older]),
    [
      ['Small', null],
      ['Large', 'Small'],
    ],
  )
  assert.deepEqual(await askedOf('automobile'), [['cars'], 'Small', 8])
  assert.deepEqual(await askedOf('money back'), [['returns'], 'Small', 8])
  await database.run(makeDue, { tenantId })
  await work(later)
  assert.deepEqual(await askedOf('automobile'), [['cars'], 'Large', 16])
  assert.deepEqual(await askedOf('money back'), [['returns'], 'Large', 16])
  assert.deepEqual(
    (await database.rows(slots, { tenantId })).map(({ model, older, due }) => [model, older, due]),
    [
      ['Large', null, false],
      ['Large', null, false],
    ],
  )
})

test('a provider that fails or is silent costs a search nothing but the second ranking, and is left alone for a while', async (t) => {
  const server = await provider(t)
  await using house = await openHouse({ settings: settingsFor(server, { 'AI:Embeddings:QuestionSeconds': '2' }) })
  const { apiKey, tenantId } = await house.tenant()
  await put(house, apiKey, 'cars', 'We rent out every vehicle by the day.')
  server.fail(500)
  await work(house)
  assert.deepEqual((await house.database.database.rows(slots, { tenantId }))[0]?.due, true)
  server.fail(null)
  await house.database.database.run(makeDue, { tenantId })
  await work(house)
  assert.deepEqual(namesOf(await search(house, apiKey, 'automobile')), ['cars'])
  server.fail('silent')
  const { result: found, ms } = await timed(() => search(house, apiKey, 'rent a vehicle'), 2_000)
  assert.deepEqual(namesOf(found), ['cars'])
  assert.ok(ms < 8_000, `${ms} ms too many`)
  const before = server.asked.length
  assert.deepEqual(namesOf(await search(house, apiKey, 'rent a vehicle')), ['cars'])
  assert.equal(server.asked.length, before)
})

test('a replaced document pays for the pieces that changed, and two processes pay once', async (t) => {
  const server = await provider(t)
  await using house = await openHouse({ settings: settingsFor(server) })
  await using other = await openHouse({ beside: house })
  const { apiKey } = await house.tenant()
  const parts = [
    '# Cars\n\nA vehicle by the day.',
    '# Birds\n\nThe parrot of the shop.',
    '# Stay\n\nThe parking is free.',
  ]
  await put(house, apiKey, 'all', parts.join('\n\n'))
  await Promise.all([work(house), work(other)])
  assert.equal((await server.askedTexts(3)).length, 3)
  await put(house, apiKey, 'all', [parts[0], '# Birds\n\nNo bird may come in.', parts[2]].join('\n\n'))
  // What is not true any longer serves nobody, not even for a moment.
  assert.deepEqual(await search(house, apiKey, 'automobile'), [])
  await work(other)
  const texts = await server.askedTexts(4)
  assert.deepEqual([texts.length, texts[3]?.includes('No bird')], [4, true])
  assert.deepEqual(
    (await search(house, apiKey, 'automobile')).map(({ chunk }) => chunk),
    [0],
  )
})
