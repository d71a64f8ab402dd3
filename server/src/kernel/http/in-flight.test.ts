// What callers hold without finishing: bodies that do not end, and answers that nobody reads.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { timed } from '../../../testkit/stopwatch.ts'
import { until } from '../../../testkit/until.ts'
import type { Answer, Endpoint } from './endpoint.ts'
import { refuse } from './refusal.ts'
import { openServer } from './server.ts'

const MEBIBYTE = 1024 * 1024
const LIMITS = { mostBytes: 64 * MEBIBYTE, mostLarge: 3 }
const HUGE = 'x'.repeat(32 * MEBIBYTE)

async function* flood(): NonNullable<Answer['events']> {
  for (;;) yield { data: 'x'.repeat(MEBIBYTE) }
}

const handlers: Record<string, () => Promise<Answer>> = {
  '/small': async () => ({ status: 200, body: { done: true } }),
  '/huge': async () => ({ status: 200, text: { type: 'text/plain', content: HUGE } }),
  '/flood': async () => ({ status: 200, events: flood() }),
  '/slow': async () => {
    await pause(2_000)
    return { status: 200, body: { done: true } }
  },
}

const endpointOf = ([path, handle]: [string, () => Promise<Answer>]): Endpoint => ({
  method: 'POST',
  path,
  bodyLimit: 4 * MEBIBYTE,
  bodyMs: 60_000,
  answerBytes: 0,
  readmit: async () => {},
  admit: async ({ headers }, carried) => {
    if (headers['x-share'] !== undefined) carried.share = String(headers['x-share'])
  },
  check: () => {},
  handle,
})

async function opened(t: TestContext, limits = LIMITS, stallMs = 200) {
  const server = openServer({
    endpoints: Object.entries(handlers).map(endpointOf),
    unmatched: async () => {
      throw refuse('not_found', 'There is nothing here.')
    },
    newRequestId: () => 'req_1',
    parseJson: (text) => JSON.parse(text),
    onServed: () => {},
    onFailure: ({ error }) => assert.fail(String(error)),
    refusalOf: () => undefined,
    https: false,
    inFlight: limits,
    stallMs,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(async () => {
    server.server.closeAllConnections()
    await server.close()
  })
  const { port } = server.server.address() as AddressInfo
  /** Sends a head and as much of a body as is given, and reads nothing unless told to. */
  const begin = async (path: string, share: string, { announced = 0, body = '' } = {}): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Share: ${share}\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n${body}`,
    )
    return socket
  }
  const status = async (socket: Socket): Promise<number> => {
    const [first] = await once(socket, 'data')
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1])
  }
  const ask = async (path: string, share: string, body = '{}') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-share': share },
      body,
    })
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as { error: { code: string; reason?: string } },
    }
  }
  return { server, begin, status, ask }
}

const connections = ({ server }: Awaited<ReturnType<typeof opened>>['server']) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

test('an answer that nobody reads is ended, and so is a stream', async (t) => {
  const house = await opened(t)
  for (const path of ['/huge', '/flood']) {
    const socket = await house.begin(path, 'one')
    socket.pause()
    const { ms } = await timed(() => until(async () => (await connections(house.server)) === 0, `${path} is ended`))
    assert.ok(ms < 3_000, `${path}: ${ms} ms`)
  }
})

test('a reader that is slow gets everything, and a handler may take its time', async (t) => {
  const { begin, ask } = await opened(t, LIMITS, 1_000)
  const socket = await begin('/huge', 'one')
  let read = 0
  let slowly = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (slowly++ % 40 !== 0 || slowly > 400) return
    socket.pause()
    // Ten times, which is three times as long as an answer may wait.
    setTimeout(() => socket.resume(), 300)
  })
  assert.equal((await ask('/slow', 'one')).status, 200, 'longer than an answer may wait for its reader')
  await until(() => read > HUGE.length, 'everything is read')
})

test('a connection that is kept alive, or sends its requests in advance, is not cut between two answers', async (t) => {
  const { begin } = await opened(t, LIMITS, 1_000)
  const head = 'HTTP/1.1\r\nHost: a\r\nX-Share: one\r\nContent-Length: 0\r\n\r\n'
  const socket = await begin('/small', 'one')
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  const answers = (): number => text.split('HTTP/1.1 200').length - 1
  await until(() => answers() === 1, 'the first is answered')
  await pause(1_500)
  socket.write(`POST /small ${head}POST /slow ${head}POST /small ${head}`)
  await until(() => answers() === 4, 'all are answered')
})

test('bodies that do not end are bounded in bytes for each share, and hold up no other', async (t) => {
  const { begin, status, ask } = await opened(t, { mostBytes: 3 * MEBIBYTE, mostLarge: 3 })
  const unfinished = await Promise.all(
    [1, 2, 3, 4, 5].map(() => begin('/small', 'hostile', { announced: MEBIBYTE, body: '{"a":' })),
  )
  const refused = await Promise.race(unfinished.map(async (socket) => [socket, await status(socket)] as const))
  assert.equal(refused[1], 429)
  const { status: code, headers, body } = await ask('/small', 'hostile')
  assert.deepEqual(
    [code, headers.get('retry-after'), body.error.code, body.error.reason],
    [429, '1', 'rate_limited', 'bytes_in_flight'],
  )
  assert.equal((await ask('/small', 'other')).status, 200)
  for (const socket of unfinished) socket.destroy()
  await until(async () => (await ask('/small', 'hostile')).status === 200, 'what ended is given back')
})

test('large bodies are few at a time for each share', async (t) => {
  const { begin, ask } = await opened(t)
  const large = JSON.stringify({ text: 'x'.repeat(2 * MEBIBYTE) })
  const unfinished = await Promise.all(
    [1, 2, 3].map(() => begin('/small', 'hostile', { announced: 2 * MEBIBYTE, body: '{"a":' })),
  )
  // A place is taken when the head is read, which may be a moment later. Until then this one may have it.
  let answer = await ask('/small', 'hostile', large)
  for (let tries = 0; answer.status === 200 && tries < 2_000; tries += 1) answer = await ask('/small', 'hostile', large)
  const { status, body } = answer
  assert.deepEqual([status, body.error.code, body.error.reason], [429, 'rate_limited', 'large_bodies'])
  assert.equal((await ask('/small', 'hostile')).status, 200, 'a small one is served')
  assert.equal((await ask('/small', 'other', large)).status, 200)
  for (const socket of unfinished) socket.destroy()
  await until(async () => (await ask('/small', 'hostile', large)).status === 200, 'what ended is given back')
})

test('answers that are not read count, and what is read is given back', async (t) => {
  const { begin, ask } = await opened(t, { mostBytes: 40 * MEBIBYTE, mostLarge: 3 }, 4_000)
  const [first, second] = [await begin('/huge', 'hostile'), await begin('/huge', 'hostile')]
  first.pause()
  second.pause()
  await until(async () => (await ask('/small', 'hostile')).status === 429, 'what nobody reads counts')
  assert.equal((await ask('/small', 'other')).status, 200)
  await until(async () => (await ask('/small', 'hostile')).status === 200, 'what nobody read is given back')
  for (let turn = 0; turn < 3; turn++) {
    const reading = await begin('/huge', 'hostile')
    let read = 0
    reading.on('data', (chunk: Buffer) => {
      read += chunk.length
    })
    await until(() => read > HUGE.length, 'everything is read')
  }
  assert.equal((await ask('/small', 'hostile')).status, 200)
})
