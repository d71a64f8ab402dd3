import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { env } from 'node:process'
import test, { type TestContext } from 'node:test'
import { Client } from 'undici'
import { timed } from '../../../testkit/stopwatch.ts'
import { Deadline } from './deadline.ts'
import { exchange } from './exchange.ts'
import { get, httpServer, openCalls, post, rawServer, summaryOf, until } from './fixtures/servers.ts'

// `sent` decides whether a write may be tried again. False has to be certain.

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a refused connection: nothing was sent', async (t) => {
  const result = await post(openCalls(t), `http://shop.com:${await closedPort()}/`)
  assert.equal(summaryOf(result), 'unreachable not sent')
  assert.ok(result.kind !== 'answer')
  assert.equal(result.code, 'ECONNREFUSED')
  assert.ok(!result.message.includes('127.0.0.1'), 'the message names no address')
})

test('every way in which TLS can fail: nothing was sent', async (t) => {
  const secure = await rawServer(t, () => {}, true)
  const plain = await rawServer(
    t,
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  )
  const closing = await rawServer(t, (socket) => socket.destroy())
  const resetting = await rawServer(t, (socket) => void socket.once('data', () => socket.resetAndDestroy()))
  const trusting = openCalls(t)
  const distrusting = openCalls(t, { authorities: [] })
  const cases = [
    {
      egress: distrusting,
      url: `https://good.test:${secure.port}/`,
      code: /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET_ISSUER/,
    },
    { egress: trusting, url: `https://other.test:${secure.port}/`, code: /ALTNAME/ },
    { egress: trusting, url: `https://good.test:${plain.port}/`, code: /SSL|EPROTO/ },
    { egress: trusting, url: `https://good.test:${closing.port}/`, code: /ECONNRESET/ },
    { egress: trusting, url: `https://good.test:${resetting.port}/`, code: /ECONNRESET/ },
  ]
  for (const { egress, url, code } of cases) {
    const result = await post(egress, url, { headers: { 'x-secret': 'canary' } })
    assert.equal(summaryOf(result), 'unreachable not sent', url)
    assert.ok(result.kind !== 'answer')
    assert.match(String(result.code), code)
  }
  for (const { seen } of [secure, plain, closing, resetting]) assert.doesNotMatch(seen.text, /canary|POST/)
})

test('TLS is verified although the environment says that it need not be', async (t) => {
  const before = env.NODE_TLS_REJECT_UNAUTHORIZED
  env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    if (before === undefined) delete env.NODE_TLS_REJECT_UNAUTHORIZED
    else env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  const secure = await httpServer(t, (_request, response) => response.end('hello'), true)
  assert.equal(
    summaryOf(await get(openCalls(t, { authorities: [] }), `https://good.test:${secure.port}/`)),
    'unreachable not sent',
  )
})

test('a connection that is lost after the head was written: sent, and never tried again', async (t) => {
  const server = await rawServer(t, (socket) => void socket.once('data', () => socket.resetAndDestroy()))
  const secure = await rawServer(t, (socket) => void socket.once('data', () => socket.destroy()), true)
  const egress = openCalls(t)
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    assert.equal(
      summaryOf(await post(egress, `http://shop.com:${server.port}/`, { method })),
      'unreachable sent',
      method,
    )
    assert.equal(
      summaryOf(await post(egress, `https://good.test:${secure.port}/`, { method })),
      'unreachable sent',
      method,
    )
  }
  assert.equal(server.seen.connections, 3)
  assert.equal(secure.seen.connections, 3)
})

test('a deadline: sent only when the head had been written', async (t) => {
  const mute = await rawServer(t, () => {})
  const one = openCalls(t, { purposes: { calls: { connections: 1 }, others: {} } })
  const url = `http://shop.com:${mute.port}/`
  const first = post(one, url, { deadlineMs: 3000, body: 'first' })
  await until(() => mute.seen.text.includes('first'), 'the first request is out')
  const inLine = await post(one, url, { deadlineMs: 150, body: 'second' })
  assert.equal(summaryOf(inLine), 'timeout not sent', 'it waited for a connection')
  assert.equal(summaryOf(await first), 'timeout sent')
  assert.doesNotMatch(mute.seen.text, /second/)
})

test('a request whose time was up while its client connected is never written, even when the client lives on', async (t) => {
  const mute = await rawServer(t, () => {})
  let arrived = false
  const client = new Client(`http://127.0.0.1:${mute.port}`, {
    connect: (_options, callback) => {
      setTimeout(() => {
        const socket = connect(mute.port, '127.0.0.1', () => {
          arrived = true
          callback(null, socket)
        })
      }, 100)
    },
  })
  t.after(() => client.destroy())
  const deadline = new Deadline(30, undefined)
  const message = { path: '/', method: 'POST', headers: [], body: Buffer.from('late') }
  const limits = { maxBytes: 1000, compressed: false, cut: false }
  await assert.rejects(exchange(client, message, limits, deadline), { kind: 'timeout', sent: false })
  await until(() => arrived && mute.sockets.size === 0, 'the connection came and was ended')
  assert.equal(mute.seen.text, '')
})

test('a caller who gives up: sent only when the head had been written', async (t) => {
  const mute = await rawServer(t, () => {})
  const egress = openCalls(t)
  assert.equal(
    summaryOf(await post(egress, `http://shop.com:${mute.port}/`, { signal: AbortSignal.abort() })),
    'aborted not sent',
  )
  assert.equal(mute.seen.connections, 0)
  const controller = new AbortController()
  const running = post(egress, `http://shop.com:${mute.port}/`, { signal: controller.signal })
  await until(() => mute.seen.text.includes('POST'), 'the request is out')
  controller.abort()
  const { result, ms } = await timed(() => running)
  assert.equal(summaryOf(result), 'aborted sent')
  assert.ok(ms < 1000, `${ms} ms`)
  const handshake = new AbortController()
  const shaking = post(egress, `https://good.test:${mute.port}/`, { signal: handshake.signal })
  await until(() => mute.seen.connections === 2, 'the handshake has begun')
  handshake.abort()
  assert.equal(summaryOf(await shaking), 'aborted not sent')
  await until(() => mute.sockets.size === 0, 'the connections are closed')
})

/** One answered request, so that a connection rests; then the peer ends it in the way given, before our side can notice. */
async function afterTheEndOf(t: TestContext, way: 'destroy' | 'resetAndDestroy'): Promise<void> {
  let requests = 0
  const server = await httpServer(t, (_request, response) => {
    requests += 1
    response.end('hello')
  })
  const egress = openCalls(t)
  const url = `http://shop.com:${server.port}/`
  assert.equal(summaryOf(await post(egress, url)), 'answer 200')
  assert.equal(server.sockets.size, 1)
  for (const socket of server.sockets) socket[way]()
  // In the same tick: the socket looks open here, and the kernel already knows that it is not.
  const result = await post(egress, url)
  assert.equal(summaryOf(result), 'answer 200', way)
  assert.equal(requests, 2, 'each request arrived once')
  assert.equal(server.seen.connections, 2)
}

test('a resting connection that the peer has just closed: nothing was sent on it, so another one carries the request', async (t) => {
  await afterTheEndOf(t, 'destroy')
})

test('a resting connection that the peer has just reset: the same', async (t) => {
  await afterTheEndOf(t, 'resetAndDestroy')
})
