// The three makers' packages behind the one adapter, on streams as each maker sends them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { eventsOf, type Recorded, replay } from '../fixtures/replay.ts'
import { API_KEY, callChunk, chunk, gather, NOW, request, usageChunk } from '../fixtures/rounds.ts'
import { ModelFailure, type ModelRequest } from '../port.ts'
import { openAiSdk } from './open.ts'
import type { ProviderKind } from './providers.ts'

function open(t: TestContext, kind: ProviderKind, baseUrl: string, limits = {}) {
  const model = openAiSdk({
    kind,
    baseUrl,
    apiKey: API_KEY,
    totalMs: 10_000,
    silenceMs: 5_000,
    now: () => NOW,
    ...limits,
  })
  t.after(() => model.close())
  return model
}

const named = (...events: readonly { readonly type: string }[]): string[] =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const anthropicStart = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 1 },
  },
}
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const json = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
})
const words = (index: number, text: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const anthropicEnd = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]

const STREAMS: Record<ProviderKind, string[]> = {
  openai: eventsOf(
    chunk({ role: 'assistant', content: 'Let me ' }),
    chunk({ content: 'look.' }),
    callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'get_order', arguments: '' } }),
    callChunk({ index: 0, function: { arguments: '{"number":' } }),
    callChunk({ index: 0, function: { arguments: '"A-1"}' } }),
    chunk({}, 'tool_calls'),
    usageChunk(11, 7),
    '[DONE]',
  ),
  anthropic: named(
    anthropicStart,
    block(0, { type: 'text', text: '' }),
    words(0, 'Let me '),
    words(0, 'look.'),
    stop(0),
    block(1, { type: 'tool_use', id: 'a', name: 'get_order', input: {} }),
    json(1, '{"number":'),
    json(1, '"A-1"}'),
    stop(1),
    ...anthropicEnd('tool_use'),
  ),
  google: eventsOf(
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Let me ' }] } }] },
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'look.' },
              { functionCall: { id: 'a', name: 'get_order', args: { number: 'A-1' } }, thoughtSignature: 'c2ln' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    },
  ),
}

for (const kind of ['openai', 'anthropic', 'google'] as const) {
  test(`${kind}: text, a call, usage and one end; then its result goes back with what belongs to the call`, async (t) => {
    const { baseUrl, asked } = await replay(t, { pieces: STREAMS[kind] })
    const model = open(t, kind, baseUrl)
    const got = await gather(model)
    assert.equal(got.text, 'Let me look.')
    assert.equal(got.calls.length, 1)
    const [call] = got.calls
    assert.deepEqual([call?.name, JSON.parse(call?.arguments ?? '')], ['get_order', { number: 'A-1' }])
    assert.deepEqual(got.usages, [{ inputTokens: 11, outputTokens: 7 }])
    assert.deepEqual([got.order.at(-1), got.finishes], ['finish', ['calls']])
    const second: ModelRequest = {
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', text: got.text, calls: got.calls },
        { role: 'tool', callId: call?.id ?? '', name: 'get_order', text: '{"state":"on its way"}' },
      ],
    }
    await gather(model, second)
    const sent = asked[1]?.body ?? ''
    assert.match(sent, /on its way/)
    assert.match(sent, /Be brief/)
    if (kind === 'google') assert.match(sent, /c2ln/, 'the signature goes back')
  })
}

test('cut off by its length in the middle of a call: the half is not given out', async (t) => {
  const half = named(
    anthropicStart,
    block(0, { type: 'tool_use', id: 'a', name: 'get_order', input: {} }),
    json(0, '{"number":"A"}'),
    stop(0),
    block(1, { type: 'tool_use', id: 'b', name: 'get_order', input: {} }),
    json(1, '{"number":"A-'),
    stop(1),
    ...anthropicEnd('max_tokens'),
  )
  const { baseUrl } = await replay(t, { pieces: half })
  const got = await gather(open(t, 'anthropic', baseUrl))
  assert.deepEqual(got.finishes, ['length'])
  assert.deepEqual(
    got.calls.map(({ id }) => id),
    ['a'],
  )
})

async function failure(t: TestContext, kind: ProviderKind, answer: Recorded, limits = {}): Promise<ModelFailure> {
  const { baseUrl } = await replay(t, answer)
  const error = await gather(open(t, kind, baseUrl, limits)).then(
    () => assert.fail('this must fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ModelFailure, inspect(error))
  const shown = inspect(error, { depth: 9, showHidden: true })
  assert.ok(!shown.includes(API_KEY) && !shown.includes('Where is A-1?'), shown)
  return error
}

test('failures are told apart as for the other kind, and hold neither the key nor the conversation', async (t) => {
  const refused = (status: number, headers = {}): Recorded => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    pieces: [
      JSON.stringify({ error: { message: `no ${API_KEY}`, type: 'x', code: null, status: 'X' }, type: 'error' }),
    ],
  })
  for (const kind of ['openai', 'anthropic', 'google'] as const) {
    const busy = await failure(t, kind, refused(429, { 'retry-after': '9' }))
    assert.deepEqual([busy.kind, busy.retryAfterSeconds], ['busy', 9], kind)
    assert.equal((await failure(t, kind, refused(401))).kind, 'refused')
    assert.equal((await failure(t, kind, refused(500))).kind, 'broken')
    assert.match(
      (await failure(t, kind, { status: 302, headers: { location: 'http://127.0.0.1:1/' }, pieces: [] })).message,
      /redirects/,
    )
    assert.equal((await failure(t, kind, { pieces: STREAMS[kind].slice(0, 2), ends: 'cut' })).kind, 'broken', kind)
    assert.equal(
      (await failure(t, kind, { pieces: STREAMS[kind].slice(0, 1), ends: 'open' }, { silenceMs: 80 })).kind,
      'late',
    )
  }
  const overloaded = [
    ...STREAMS.anthropic.slice(0, 3),
    ...named(Object.assign({ type: 'error' }, { error: { type: 'overloaded_error', message: 'Overloaded' } })),
  ]
  assert.equal((await failure(t, 'anthropic', { pieces: overloaded })).kind, 'busy')
})

test('nobody listens there', async (t) => {
  const answer = gather(open(t, 'openai', 'http://127.0.0.1:1/v1'))
  await assert.rejects(answer, { name: 'ModelFailure', kind: 'unreachable' })
})

test('an abort frees the connection and throws its reason; so does a reader that stops', async (t) => {
  for (const kind of ['openai', 'anthropic', 'google'] as const) {
    const { baseUrl, heard, hungUp } = await replay(t, { pieces: STREAMS[kind].slice(0, 3), ends: 'open' })
    const controller = new AbortController()
    const reason = new Error('gone')
    const answer = gather(open(t, kind, baseUrl), request, controller.signal)
    // Who aborts before anybody was asked has no line to hang up.
    void heard.then(() => setTimeout(() => controller.abort(reason), 20))
    await assert.rejects(answer, (thrown) => thrown === reason)
    await hungUp
    const other = await replay(t, { pieces: STREAMS[kind].slice(0, kind === 'anthropic' ? 3 : 1), ends: 'open' })
    for await (const _ of open(t, kind, other.baseUrl).stream(request, new AbortController().signal)) break
    await other.hungUp
  }
})
