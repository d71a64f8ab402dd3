// The client against the service itself, over a line that loses answers where a test says so.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { listening, openTalk, talk, until } from '../../server/src/talk/chat/fixtures/talk.ts'
import { type Client, type ClientOptions, client, type Frame, type Schemas, TetherError } from './index.ts'

openTalk()

type Fault = (response: Response, sent: RequestInit) => Promise<Response> | Response
const sent: { url: string; init: RequestInit }[] = []

/** Each request meets the next fault of the list, after the service has answered it; without one it arrives. */
async function opened(faults: Fault[] = [], options: Partial<ClientOptions> = {}): Promise<Client> {
  sent.length = 0
  return client({
    url: await listening(),
    key: talk.shop.apiKey,
    fetch: async (input, init = {}) => {
      sent.push({ url: String(input), init })
      const fault = faults.shift()
      const response = await fetch(input, init)
      return fault === undefined ? response : await fault(response, init)
    },
    ...options,
  })
}

const lost: Fault = async (response) => {
  await response.text()
  throw new TypeError('fetch failed')
}
const headerOf = (place: number, name: string): string | null => new Headers(sent[place]?.init.headers).get(name)
const refusal = async (work: Promise<unknown>): Promise<TetherError> => {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof TetherError, String(error))
  return error
}
const stagedId = async (tether: Client, number: string): Promise<string> => {
  const staged = await tether.stage('cancel_order', { number })
  assert.equal(staged.status, 'preview')
  return staged.actionId ?? ''
}
const performed = (actionId: string) =>
  talk.business.callsTo('cancel_order').filter(({ body }) => body?.action_id === actionId)

test('any operation by its name in the reference, with its types', async () => {
  const tether = await opened()
  const account = await tether.request('GET /v1/account')
  const id: number = account.tenantId
  assert.equal(id, talk.shop.tenantId)
  const called = await tether.request('POST /v1/tools/{name}/call', {
    params: { name: 'get_order' },
    body: { arguments: { number: 'A' } },
  })
  assert.equal(called.status, 'ok')
  const { deliveries } = await tether.request('GET /v1/events/deliveries', { query: { limit: 3, failed: undefined } })
  assert.ok(deliveries.length <= 3)
  assert.match(sent.at(-1)?.url ?? '', /deliveries\?limit=3$/)
  await refusal(tether.request('DELETE /v1/account/keys/{prefix}', { params: { prefix: 'a/b?c' } }))
  assert.match(sent.at(-1)?.url ?? '', /keys\/a%2Fb%3Fc$/)
})

test('a refusal has its code, its reason and the id of its request', async () => {
  const tether = await opened()
  const unknown = await refusal(tether.request('GET /v1/chat/feedback', { query: { rating: 'sideways' as never } }))
  assert.deepEqual([unknown.code, unknown.status, unknown.operation], ['invalid_request', 400, 'GET /v1/chat/feedback'])
  assert.match(unknown.requestId ?? '', /^req_/)
  const customer = await refusal(tether.ask({ prompt: 'Hi' }, { headers: { 'X-Service-Customer-Token': 'no-token' } }))
  assert.deepEqual([customer.code, customer.reason], ['invalid_customer_token', 'malformed'])
  const catalog = await refusal(tether.request('PUT /v1/tools', { body: [{ name: 'x' }] }))
  assert.equal(catalog.code, 'http_400')
  assert.match(catalog.message, /names must match/)
  assert.equal((catalog.body as Schemas['CatalogRefused']).registered, false)
  const key = await refusal((await opened([], { key: `tth_${'0'.repeat(48)}` })).request('GET /v1/account'))
  assert.deepEqual([key.code, key.message.includes('0000')], ['invalid_api_key', false])
})

test('an address or a key that cannot be one is refused before anything is sent; a redirect is not followed', async () => {
  assert.throws(() => client({ url: 'https://a.example/v1', key: 'tth_x' }), /"url"/)
  assert.throws(() => client({ url: 'https://a.example', key: 'whsec_x' }), /"key"/)
  const elsewhere = createServer((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  const error = await refusal(client({ url, key: talk.shop.apiKey }).request('GET /v1/account'))
  assert.deepEqual([error.code, error.status], ['unexpected_answer', 302])
  elsewhere.closeAllConnections()
  elsewhere.close()
  const gone = await refusal(client({ url, key: talk.shop.apiKey, retries: 0 }).request('GET /v1/account'))
  assert.deepEqual([gone.code, gone.status, gone.requestId], ['connection_lost', 0, null])
})

const answers = (...statuses: [status: number, retryAfter?: string][]): Partial<ClientOptions> => ({
  fetch: async (input, init = {}) => {
    sent.push({ url: String(input), init })
    const [status, retryAfter] = statuses.shift() ?? [200]
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
    const body = JSON.stringify(status < 300 ? {} : { error: { code: 'rate_limited', message: 'Not now.' } })
    return new Response(body, {
      status,
      headers: retryAfter === undefined ? headers : { ...headers, 'retry-after': retryAfter },
    })
  },
})

test('"not now" is obeyed for as long as it asks, whatever was asked; longer waits are the caller’s', async () => {
  const tether = await opened([], answers([429, '1'], [429, new Date(Date.now() + 1000).toUTCString()], [200]))
  const start = performance.now()
  await tether.request('POST /v1/events/test')
  assert.equal(sent.length, 3)
  assert.ok(performance.now() - start >= 990)
  const far = await refusal((await opened([], answers([429, '31']))).request('GET /v1/account'))
  assert.deepEqual([far.code, far.retryAfterSeconds, far.requestId, sent.length], ['rate_limited', 31, 'req_1', 1])
})

test('only what cannot do anything twice is sent again', async () => {
  const times = async (work: (tether: Client) => Promise<unknown>, ...faults: [number, string?][]) => {
    const tether = await opened([], answers(...faults, [200]))
    await work(tether).catch(() => undefined)
    return sent.length
  }
  assert.equal(await times((tether) => tether.request('GET /v1/account'), [503, '0'], [502], [504]), 4)
  assert.equal(await times((tether) => tether.request('PUT /v1/origins', { body: { origins: [] } }), [503]), 2)
  assert.equal(await times((tether) => tether.request('GET /v1/account'), [500]), 1)
  assert.equal(await times((tether) => tether.request('POST /v1/embed/rotate'), [503]), 1)
  assert.equal(await times((tether) => tether.request('DELETE /v1/policy'), [504]), 1)
  assert.equal(await times((tether) => tether.ask({ prompt: 'Hi' }), [502]), 1)
})

test('what the service itself says of a write it did not stage is an answer, and is not asked for again', async () => {
  const said = {
    status: 'precondition_error',
    toolName: 'cancel_order',
    actionId: null,
    message: 'No.',
    resultJson: '{}',
  }
  const times = async (status: number, body: string) => {
    const headers = { 'content-type': 'application/json' }
    const tether = await opened([], {
      fetch: async () => (sent.push({ url: '', init: {} }), new Response(body, { status, headers })),
    })
    const staged = await tether
      .stage('cancel_order', { number: 'A' })
      .catch(({ code }: TetherError) => ({ status: code }))
    return [staged.status, sent.length]
  }
  assert.deepEqual(await times(502, JSON.stringify(said)), ['precondition_error', 1])
  // Of a balancer, whatever it writes.
  assert.deepEqual(await times(502, '{"status": 502, "message": "Bad gateway"}'), ['http_502', 4])
  assert.deepEqual(await times(502, '<h1>Bad gateway</h1>'), ['unexpected_answer', 4])
})

test('staging whose answer is lost stages one action', async () => {
  const tether = await opened([lost, lost])
  const actionId = await stagedId(tether, 'lost-1')
  assert.equal(sent.length, 3)
  assert.equal(new Set([0, 1, 2].map((place) => headerOf(place, 'idempotency-key'))).size, 1)
  const pending: string[] = []
  for await (const action of tether.actions({ tool: 'cancel_order' })) pending.push(action.actionId)
  assert.equal(pending.filter((one) => one === actionId).length, 1)
  const not = await tether.stage('get_order', { number: 'A' })
  assert.deepEqual([not.status, not.actionId], ['invalid_request', null])
})

test('a confirm whose answer is lost runs nothing twice, and says what the first one did', async () => {
  const tether = await opened()
  const actionId = await stagedId(tether, 'lost-2')
  const again = await opened([lost, lost])
  const said = await again.confirm(actionId, { userId: 7, acknowledgeHighRisk: true })
  assert.equal(said.status, 'Replayed')
  assert.deepEqual((said.appliedChanges as { ok: boolean }).ok, true)
  assert.equal(sent.length, 3)
  assert.equal(
    new Set(sent.map(({ init }) => (JSON.parse(String(init.body)) as { idempotencyKey: string }).idempotencyKey)).size,
    1,
  )
  assert.equal(performed(actionId).length, 1)
})

test('a confirm that is lost while it runs waits for its end', async () => {
  const tether = await opened()
  const actionId = await stagedId(tether, 'slow')
  talk.business.script('cancel_order', { do: 'answer', delayMs: 6000 }, { do: 'answer' })
  // The line breaks while the endpoint is still at work.
  const again = await opened([], {
    fetch: async (input, init = {}) => {
      sent.push({ url: String(input), init })
      const answer = fetch(input, init)
      if (sent.length > 1) return await answer
      answer.catch(() => undefined)
      await until(() => performed(actionId).length === 1)
      throw new TypeError('fetch failed')
    },
  })
  const said = await again.confirm(actionId, { userId: 7 })
  assert.equal(said.status, 'Replayed')
  assert.ok(sent.length > 2, 'it was told that the first one runs, and asked again')
  assert.equal(performed(actionId).length, 1)
})

test('a confirm whose answer is lost, and whose key finds nothing to replay, answers what the action says', async () => {
  const tether = await opened()
  const actionId = await stagedId(tether, 'refused')
  talk.business.script('cancel_order', { do: 'answer', status: 422 }, { do: 'answer' })
  const said = await (await opened([lost])).confirm(actionId, { userId: 7 })
  assert.deepEqual([said.status, said.errorCode], ['FailedTerminal', 'VALIDATION_ERROR'])
  assert.equal(performed(actionId).length, 1)
})

test('every status of a decision is an answer', async () => {
  const tether = await opened()
  const actionId = await stagedId(tether, 'declined')
  assert.deepEqual((await tether.reject(actionId, { userId: 7, reason: 'Not this one.' })).status, 'Rejected')
  assert.equal((await tether.confirm(actionId, { userId: 7 })).errorCode, 'action_rejected')
  assert.equal((await tether.reconcile(actionId)).errorCode, 'ACTION_NOT_INDETERMINATE')
  await tether.confirm(actionId, { userId: 7, headers: { 'X-Service-User-Role': 'owner' } })
  assert.deepEqual(
    [headerOf(sent.length - 1, 'x-service-user-id'), headerOf(sent.length - 1, 'x-service-user-role')],
    ['7', 'owner'],
  )
  const nobody = await tether.confirm(await stagedId(tether, 'nobody'))
  assert.deepEqual([nobody.status, nobody.errorCode], ['ApproverUnknown', 'approver_unknown'])
  const indeterminate = await stagedId(tether, 'unknown')
  talk.business.script('cancel_order', { do: 'drop', perform: true }, { do: 'answer' })
  assert.equal((await tether.confirm(indeterminate, { userId: 7 })).status, 'Indeterminate')
  assert.equal((await tether.reconcile(indeterminate, { userId: 7 })).status, 'Executed')
  const foreign = await refusal(
    (await opened([], { key: await talk.house.key(talk.shop.tenantId, 'agent') })).confirm(actionId),
  )
  assert.equal(foreign.code, 'insufficient_scope')
})

test('a list is walked over its pages', async () => {
  const tether = await opened()
  await stagedId(tether, 'for the trail')
  const ids: number[] = []
  for await (const event of tether.audit({ limit: 2 })) ids.push(event.id)
  assert.ok(ids.length > 4)
  assert.ok(sent.length > ids.length / 2)
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((one, other) => one - other),
  )
  const tools: string[] = []
  for await (const { tool } of tether.each('GET /v1/actions', { query: { limit: 1 } })) {
    tools.push(tool)
    if (tools.length === 2) break
  }
  assert.deepEqual(tools, ['cancel_order', 'cancel_order'])
})

/** The connection breaks off in the middle of the frame after so many. */
const cutAfter =
  (frames: number): Fault =>
  async (response) => {
    const text = await response.text()
    const ends = [...text.matchAll(/\n\n/g)].map(({ index }) => index + 2)
    const kept = new TextEncoder().encode(text.slice(0, (frames === 0 ? 0 : (ends[frames - 1] ?? text.length)) + 9))
    const pieces = [kept.slice(0, 5), kept.slice(5)]
    const body = new ReadableStream<Uint8Array>({
      pull(control) {
        const piece = pieces.shift()
        if (piece === undefined) control.error(new TypeError('terminated'))
        else control.enqueue(piece)
      },
    })
    return new Response(body, response)
  }

test('a stream that breaks off goes on where it was, each frame once', async () => {
  talk.model.play([{ call: 'get_order', with: { number: 'A' } }], ['One ', 'two ', 'three.'])
  const whole: string[] = []
  const tether = await opened([cutAfter(0), cutAfter(4), lost, cutAfter(4)])
  const frames: Frame[] = []
  for await (const frame of tether.stream({ prompt: 'Where is it?' })) {
    frames.push(frame)
    whole.push(frame.type)
  }
  assert.deepEqual(whole, [
    'start',
    'status',
    'status',
    'status',
    'tool',
    'status',
    'delta',
    'delta',
    'delta',
    'complete',
  ])
  assert.equal(sent.length, 5)
  assert.deepEqual(
    [1, 2, 3, 4].map((place) => headerOf(place, 'last-event-id')),
    [null, '4', '4', '8'],
  )
  const last = frames.at(-1)
  assert.ok(last?.type === 'complete')
  assert.deepEqual(last.blocks, [{ type: 'text', markdown: 'One two three.' }])
})

test('a turn is never begun twice: before it has a name, a lost connection is the caller’s', async () => {
  const error = await refusal(collect((await opened([lost])).stream({ prompt: 'Hi' })))
  assert.equal(error.code, 'connection_lost')
  assert.equal(sent.length, 1)
})

test('whoever leaves a stream stops its turn, and an error at its end is thrown', async () => {
  talk.model.play(['One', 'hang'])
  const tether = await opened()
  for await (const { type } of tether.stream({ prompt: 'Tell me a story' })) if (type === 'delta') break
  await until(() => talk.model.playing === 0)
  const leaving = new AbortController()
  talk.model.play(['One', 'hang'])
  const reading = collect(tether.stream({ prompt: 'Another' }, { signal: leaving.signal }))
  await until(() => talk.model.playing === 1)
  leaving.abort(new Error('enough'))
  await assert.rejects(reading, /enough/)
  await until(() => talk.model.playing === 0)
  // Also whoever leaves before the service has said a word.
  const early = new AbortController()
  talk.model.play(['One', 'hang'])
  const slow = await opened([], {
    fetch: async (input, { signal, ...init } = {}) => {
      const answering = fetch(input, init)
      if (!early.signal.aborted) {
        await until(() => talk.model.playing === 1)
        early.abort(new Error('too early'))
      }
      signal?.throwIfAborted()
      return await answering
    },
  })
  await assert.rejects(collect(slow.stream({ prompt: 'A third' }, { signal: early.signal })), /too early/)
  await until(() => talk.model.playing === 0)
  talk.model.play([{ fail: new Error('the provider is away') }])
  const failed = await refusal(collect(tether.stream({ prompt: 'Hi' })))
  assert.match(failed.code, /^[A-Z_]+$/)
  assert.match(failed.requestId ?? '', /^req_/)
})

test('a conversation keeps its thread', async () => {
  talk.model.play(['Hello.'])
  const tether = await opened()
  const talking = tether.conversation({ headers: { 'X-Service-User-Id': '7' } })
  assert.equal(talking.sessionId, undefined)
  const first = await talking.ask('Hi')
  assert.equal(talking.sessionId, first.sessionId)
  for await (const frame of talking.stream('And again'))
    if (frame.type === 'start') assert.equal(frame.sessionId, first.sessionId)
  assert.equal(headerOf(1, 'x-service-user-id'), '7')
  await talking.erase()
  assert.equal(talking.sessionId, undefined)
})

const collect = async (frames: AsyncIterable<Frame>): Promise<Frame[]> => {
  const all: Frame[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

test('the client is under 12 KiB on the wire', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { client } from './index.js'", resolveDir: path.join(import.meta.dirname, '../dist') },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  assert.ok(size > 1024 && size < 12 * 1024, `${size} bytes`)
})
