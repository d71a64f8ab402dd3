// What goes wrong on the way to a provider, and how it is told.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { stopwatch } from '../../../../testkit/stopwatch.ts'
import { eventsOf, type Recorded, replay } from '../fixtures/replay.ts'
import { API_KEY, callChunk, chatCompletions, chunk, gather, NOW, request } from '../fixtures/rounds.ts'
import { ModelFailure } from '../port.ts'

async function failure(t: TestContext, answer: Recorded, limits = {}): Promise<ModelFailure> {
  const { baseUrl } = await replay(t, answer)
  return await failureOf(gather(chatCompletions(t, baseUrl, limits)))
}

async function failureOf(answer: Promise<unknown>): Promise<ModelFailure> {
  const error = await answer.then(
    () => assert.fail('this must fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ModelFailure, inspect(error))
  assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(API_KEY), 'the key is in the error')
  return error
}

const refused = (status: number, body: unknown, headers = {}): Recorded => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
})

test('what is asked: the path, the key, the stream and its usage; a history that any provider takes', async (t) => {
  const { baseUrl, asked } = await replay(t, { pieces: eventsOf(chunk({ content: 'x' }, 'stop')) })
  await gather(chatCompletions(t, `${baseUrl}/`), {
    ...request,
    messages: [
      { role: 'user', text: 'See', pictures: [{ mimeType: 'image/png', data: Buffer.from('png') }] },
      { role: 'assistant', text: '', calls: [{ id: 'a', name: 'n', arguments: '{"x": nonsense' }] },
      { role: 'tool', callId: 'a', name: 'n', text: 'no' },
    ],
  })
  const [one] = asked
  assert.equal(one?.path, '/v1/chat/completions')
  assert.equal(one?.headers.authorization, `Bearer ${API_KEY}`)
  const body = JSON.parse(one?.body ?? '')
  assert.equal(body.stream, true)
  assert.deepEqual(body.stream_options, { include_usage: true })
  assert.deepEqual([body.model, body.max_tokens, body.tools[0].function.name], ['m', 100, 'get_order'])
  assert.deepEqual(body.messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'n', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'no' },
  ])
})

test('429 and its like are busy, with Retry-After in seconds or as a moment', async (t) => {
  const later = new Date(NOW + 90_000).toUTCString()
  for (const [status, header, seconds] of [
    [429, '7', 7],
    [429, '1.2', 2],
    [503, later, 90],
    [529, new Date(NOW - 5_000).toUTCString(), 0],
    [429, 'soon', null],
    [429, '999999999', 86_400],
  ] as const) {
    const error = await failure(t, refused(status, { error: { message: 'Slow down' } }, { 'retry-after': header }))
    assert.deepEqual([error.kind, error.retryAfterSeconds], ['busy', seconds], header)
    assert.match(error.message, /Slow down/)
  }
})

test("a provider's refusal tells what to do, without the key, in a bounded length", async (t) => {
  const unauthorized = await failure(
    t,
    refused(401, { error: { message: `Incorrect API key provided: sk-not***6789` } }),
  )
  assert.equal(unauthorized.kind, 'refused')
  assert.match(unauthorized.message, /Check AI:Provider:ApiKey/)
  assert.doesNotMatch(unauthorized.message, /6789/)
  const repeated = await failure(
    t,
    refused(400, { error: { message: `bad\n request with ${API_KEY} ${'x'.repeat(9_999)}` } }),
  )
  assert.equal(repeated.kind, 'refused')
  assert.match(repeated.message, /bad request with \*\*\*/)
  assert.ok(repeated.message.length < 400)
  const unknown = await failure(t, refused(404, { detail: "model 'm' not found" }))
  assert.match(unknown.message, /model 'm' not found.*BaseUrl/)
  assert.equal((await failure(t, refused(500, 'oops'))).kind, 'broken')
  assert.equal((await failure(t, refused(504, ''))).kind, 'late')
})

test('a redirect is not followed', async (t) => {
  const elsewhere = await replay(t, { pieces: eventsOf(chunk({ content: 'x' }, 'stop')) })
  for (const status of [301, 302, 307, 308]) {
    const error = await failure(t, {
      status,
      headers: { location: `${elsewhere.baseUrl}/chat/completions` },
      pieces: [],
    })
    assert.equal(error.kind, 'refused')
    assert.match(error.message, /redirects.*AI:Provider:BaseUrl/)
  }
  assert.equal(elsewhere.asked.length, 0)
})

test('an error inside a stream that began with 200', async (t) => {
  const inside = (error: unknown) => failure(t, { pieces: eventsOf(chunk({ content: 'so' }), { error }) })
  assert.deepEqual((await inside({ message: 'The server had an error', type: 'server_error' })).kind, 'broken')
  assert.deepEqual((await inside({ message: 'Overloaded', type: 'overloaded_error' })).kind, 'busy')
  assert.deepEqual((await inside({ message: 'Slow', code: 429 })).kind, 'busy')
  assert.match((await inside(`plain words of ${API_KEY}`)).message, /plain words of \*\*\*/)
  const whole = await failure(t, {
    headers: { 'content-type': 'application/json' },
    pieces: ['{"error":{"message":"no"}}'],
  })
  assert.equal(whole.kind, 'broken')
})

test('a connection that is cut gives what was said, no half call, and a failure', async (t) => {
  const half = callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'n', arguments: '{"a":1}' } })
  const { baseUrl } = await replay(t, { pieces: eventsOf(chunk({ content: 'so' }), half), ends: 'cut' })
  const seen: string[] = []
  const error = await failureOf(
    (async () => {
      for await (const part of chatCompletions(t, baseUrl).stream(request, AbortSignal.timeout(60_000)))
        seen.push(part.type)
    })(),
  )
  assert.equal(error.kind, 'broken')
  assert.ok(!seen.includes('call') && !seen.includes('finish'))
})

test('an event that is cut in its middle, or is no JSON, or no stream at all', async (t) => {
  assert.equal((await failure(t, { pieces: ['data: {"choices":[{"delta":{"con'] })).kind, 'broken')
  assert.equal((await failure(t, { pieces: ['data: 12\n\n'] })).kind, 'broken')
  const page = await failure(t, { headers: { 'content-type': 'text/html' }, pieces: ['<!doctype html><p>Welcome'] })
  assert.match(page.message, /does not have the format of Chat Completions. Check AI:Provider:BaseUrl/)
  assert.equal((await failure(t, { pieces: [] })).kind, 'broken')
})

test('nobody listens there', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  const port = typeof address === 'object' ? address?.port : 0
  const error = await failureOf(gather(chatCompletions(t, `http://127.0.0.1:${port}/v1`)))
  assert.equal(error.kind, 'unreachable')
  assert.match(error.message, /ECONNREFUSED.*AI:Provider:BaseUrl/)
})

test('a certificate that nobody vouches for ends it before the key is sent', async (t) => {
  const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../egress/fixtures', `server-${name}.pem`))
  let asked = 0
  const server = createSecureServer({ key: pem('key'), cert: pem('cert') }, (_, response) => {
    asked++
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const error = await failureOf(gather(chatCompletions(t, `https://localhost:${port}/v1`)))
  assert.equal(error.kind, 'unreachable')
  assert.match(error.message, /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/)
  assert.equal(asked, 0)
})

test('too late as a whole, and too long without a sign; a comment is a sign', async (t) => {
  const silent = await failure(t, { pieces: eventsOf(chunk({ content: 'x' })), ends: 'open' }, { silenceMs: 60 })
  assert.deepEqual([silent.kind, silent.message], ['late', 'The model sent nothing for 0.1 s.'])
  const never = await failure(t, { pieces: [], ends: 'open' }, { silenceMs: 60 })
  assert.equal(never.kind, 'late')
  const { baseUrl, hungUp } = await replay(t, { pieces: Array.from({ length: 1_000_000 }, () => ': still here\n\n') })
  const total = await failureOf(gather(chatCompletions(t, baseUrl, { totalMs: 1_500, silenceMs: 1_000 })))
  assert.deepEqual([total.kind, total.message], ['late', 'The model did not finish within 1.5 s.'])
  await hungUp
})

test('a reader that takes its time is not late', async (t) => {
  const { baseUrl } = await replay(t, {
    pieces: eventsOf(chunk({ content: 'a' }), chunk({ content: 'b' }), chunk({}, 'stop')),
  })
  let text = ''
  for await (const part of chatCompletions(t, baseUrl, { silenceMs: 800 }).stream(
    request,
    AbortSignal.timeout(60_000),
  )) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    if (part.type === 'text') text += part.text
  }
  assert.equal(text, 'ab')
})

test('an abort frees the connection at once and throws its reason, whenever it comes', async (t) => {
  const reason = new Error('the visitor left')
  for (const pieces of [[], eventsOf(chunk({ content: 'x' }))]) {
    const { baseUrl, heard, hungUp } = await replay(t, { pieces, ends: 'open' })
    const controller = new AbortController()
    let lasts = stopwatch()
    // Who aborts before anybody was asked has no line to hang up.
    void heard.then(() =>
      setTimeout(() => {
        lasts()
        lasts = stopwatch()
        controller.abort(reason)
      }, 20),
    )
    const answer = gather(chatCompletions(t, baseUrl), request, controller.signal)
    await assert.rejects(answer, (thrown) => thrown === reason)
    await hungUp
    const ms = lasts()
    assert.ok(ms < 1_000, `${ms} ms`)
  }
  const { baseUrl, asked } = await replay(t, { pieces: [] })
  await assert.rejects(
    gather(chatCompletions(t, baseUrl), request, AbortSignal.abort(reason)),
    (thrown) => thrown === reason,
  )
  assert.equal(asked.length, 0)
})

test('an abort after the reason of the end, while its usage is awaited, gives no call out', async (t) => {
  const call = callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'n', arguments: '{}' } })
  const { baseUrl, heard, hungUp } = await replay(t, {
    pieces: eventsOf(call, chunk({}, 'tool_calls')),
    ends: 'open',
  })
  const controller = new AbortController()
  // Who aborts before anybody was asked has no line to hang up.
  void heard.then(() => setTimeout(() => controller.abort(new Error('gone')), 100))
  const seen: string[] = []
  await assert.rejects(async () => {
    for await (const part of chatCompletions(t, baseUrl).stream(request, controller.signal)) seen.push(part.type)
  }, /gone/)
  assert.deepEqual(seen, [])
  await hungUp
})

test('an abort while the reader holds a part frees the connection, too; so does a reader that stops', async (t) => {
  const first = await replay(t, { pieces: eventsOf(chunk({ content: 'x' })), ends: 'open' })
  const controller = new AbortController()
  const parts = chatCompletions(t, first.baseUrl).stream(request, controller.signal)[Symbol.asyncIterator]()
  await parts.next()
  controller.abort(new Error('gone'))
  await first.hungUp
  await assert.rejects(parts.next(), /gone/)
  const second = await replay(t, { pieces: eventsOf(chunk({ content: 'x' })), ends: 'open' })
  for await (const _ of chatCompletions(t, second.baseUrl).stream(request, new AbortController().signal)) break
  await second.hungUp
})

test('what a provider may send is bounded: a line, an event, a text, arguments, calls, an error', async (t) => {
  const big = 'x'.repeat(300_000)
  const many = (one: string) => Array.from({ length: 8 }, () => one)
  const call = (index: number, text: string) => ({
    index,
    id: `i${index}`,
    type: 'function',
    function: { name: 'n', arguments: text },
  })
  const hostile: Record<string, string[]> = {
    line: ['data: ', ...many(big)],
    event: many(`data: ${big}\n`),
    text: eventsOf(...many(big).map((content) => chunk({ content }))),
    arguments: eventsOf(...many(big).map((text) => callChunk(call(0, text)))),
    calls: eventsOf(...Array.from({ length: 200 }, (_, index) => callChunk(call(index, '{}')))),
    whole: ['{"choices":[', ...many(big)],
  }
  for (const [what, pieces] of Object.entries(hostile)) {
    const { baseUrl, hungUp } = await replay(t, { pieces, ends: 'open' })
    const error = await failureOf(gather(chatCompletions(t, baseUrl)))
    assert.equal(error.kind, 'broken', what)
    assert.match(error.message, /more than|over/, what)
    await hungUp
  }
  const long = await failure(t, {
    status: 400,
    pieces: Array.from({ length: 40 }, () => 'e'.repeat(10_000)),
    ends: 'open',
  })
  assert.ok(long.kind === 'refused' && long.message.length < 400)
})
