// The makers' packages against servers that answer as their interfaces do.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { ModelFailure } from '../port.ts'
import { type EmbeddingMaker, openMakersEmbedder } from './ai-sdk.ts'
import type { EmbeddingRequest } from './port.ts'

const API_KEY = 'secret-key-of-the-operator'

type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }

async function openMaker(t: TestContext, kind: EmbeddingMaker, answer: (asked: Asked) => Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(pieces).toString()),
    }
    asked.push(one)
    const { status = 200, headers = {}, body } = answer(one)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const embedder = openMakersEmbedder({
    kind,
    apiKey: API_KEY,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    totalMs: 60_000,
    silenceMs: 60_000,
    now: () => 0,
  })
  t.after(async () => {
    await embedder.close()
    server.close()
    server.closeAllConnections()
  })
  const embed = (request: Partial<EmbeddingRequest>) =>
    embedder.embed(
      { model: 'm', dimensions: 2, texts: ['one', 'two'], of: 'documents', ...request },
      new AbortController().signal,
    )
  return { asked, embed }
}

const plain = (vectors: readonly Float32Array[]): number[][] =>
  vectors.map((vector) => [...vector].map((one) => Math.round(one * 100) / 100))

test('OpenAI: texts and dimensions are sent with the key, and vectors come back in order, as long as 1', async (t) => {
  const data = [
    { object: 'embedding', index: 0, embedding: [3, 4] },
    { object: 'embedding', index: 1, embedding: [0, 2] },
  ]
  const usage = { prompt_tokens: 7, total_tokens: 7 }
  const { asked, embed } = await openMaker(t, 'openai', () => ({ body: { object: 'list', model: 'm', data, usage } }))
  const { vectors, tokens } = await embed({})
  assert.deepEqual(plain(vectors), [
    [0.6, 0.8],
    [0, 1],
  ])
  assert.equal(tokens, 7)
  assert.equal(asked[0]?.path, '/v1/embeddings')
  assert.equal(asked[0]?.headers.authorization, `Bearer ${API_KEY}`)
  const { model, input, dimensions } = asked[0]?.body ?? {}
  assert.deepEqual([model, input, dimensions], ['m', ['one', 'two'], 2])
  // Without a length the model has its own.
  await embed({ dimensions: 0 })
  assert.equal(asked[1]?.body.dimensions, undefined)
})

test('Google: a question and documents are told apart, one text and several go to their own addresses', async (t) => {
  const { asked, embed } = await openMaker(t, 'google', ({ path }) =>
    path.endsWith(':embedContent')
      ? { body: { embedding: { values: [3, 4] } } }
      : { body: { embeddings: [{ values: [3, 4] }, { values: [0, 2] }] } },
  )
  assert.deepEqual(plain((await embed({ texts: ['where?'], of: 'question' })).vectors), [[0.6, 0.8]])
  const documents = await embed({})
  assert.deepEqual(plain(documents.vectors), [
    [0.6, 0.8],
    [0, 1],
  ])
  assert.equal(documents.tokens, null)
  const [question, several] = asked
  assert.equal(question?.path, '/v1/models/m:embedContent')
  assert.equal(question?.headers['x-goog-api-key'], API_KEY)
  assert.deepEqual([question?.body.taskType, question?.body.outputDimensionality], ['RETRIEVAL_QUERY', 2])
  assert.equal(several?.path, '/v1/models/m:batchEmbedContents')
  const requests = several?.body.requests as { taskType: string; content: { parts: { text: string }[] } }[]
  assert.deepEqual(
    requests.map(({ taskType, content }) => [taskType, content.parts[0]?.text]),
    [
      ['RETRIEVAL_DOCUMENT', 'one'],
      ['RETRIEVAL_DOCUMENT', 'two'],
    ],
  )
})

test('a refusal of either is a failure of ours, which holds neither the texts nor the key', async (t) => {
  for (const kind of ['openai', 'google'] as const) {
    const { embed } = await openMaker(t, kind, () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: {
        error: { message: `Too many for ${API_KEY}`, code: 429, status: 'RESOURCE_EXHAUSTED', type: 'x', param: null },
      },
    }))
    await assert.rejects(embed({ texts: ['a private text', 'two'] }), (error) => {
      assert.ok(error instanceof ModelFailure)
      assert.equal(error.kind, 'busy')
      assert.doesNotMatch(inspect(error, { depth: 9 }), /private text|secret-key/)
      return true
    })
    const short = await openMaker(t, kind, () => ({
      body: { object: 'list', model: 'm', data: [{ index: 0, embedding: [1, 0] }], embeddings: [{ values: [1, 0] }] },
    }))
    await assert.rejects(short.embed({}), (error) => error instanceof ModelFailure && error.kind === 'broken')
  }
})
