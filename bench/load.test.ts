import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { answerIn, getRequest, openLoad } from './load.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

test('an answer is complete when its body is', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
  assert.equal(answerIn(bytes('HTTP/1.1 200 OK\r\nContent-Le')), undefined)
  assert.equal(answerIn(bytes(`${head}hell`)), undefined)
  assert.deepEqual(answerIn(bytes(`${head}hello`)), { status: 200, bytes: head.length + 5 })
  assert.deepEqual(answerIn(bytes(`${head}helloHTTP/1.1 404`)), { status: 200, bytes: head.length + 5 })
  assert.deepEqual(answerIn(bytes('HTTP/1.1 429 Slow\r\ncontent-length: 0\r\n\r\n')), { status: 429, bytes: 40 })
})

test('an answer that does not say where it ends is refused', () => {
  assert.throws(
    () => answerIn(bytes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')),
    /Content-Length/,
  )
})

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { server, port: address.port, [Symbol.dispose]: () => void server.close().closeAllConnections() }
}

test('every answer is counted once, over as many connections as were asked for', async () => {
  let connections = 0
  const asked: Record<string, number> = { 'key 1': 0, 'key 2': 0 }
  using target = await listening((request, response) => {
    const key = String(request.headers['x-api-key'])
    asked[key] = (asked[key] ?? 0) + 1
    response.end('x'.repeat(100_000)) // more than comes in one piece
  })
  target.server.on('connection', () => {
    connections += 1
  })
  const requests = [1, 2].map((number) => getRequest('/', { 'x-api-key': `key ${number}` }))
  const load = await openLoad({ port: target.port, requests, connections: 3 })
  const perSecond = await load.slice(100)
  assert.equal(connections, 3)
  const [one = 0, other = 0] = Object.values(asked)
  assert.deepEqual(Object.keys(asked), ['key 1', 'key 2'])
  assert.ok(Math.abs(one - other) <= 1, `${one} and ${other}: they take turns`)
  assert.equal(load.answers(), one + other)
  assert.ok(one > 3 && perSecond > 0 && perSecond < (one + other) / 0.1, `${one + other}, ${perSecond} per second`)
  assert.ok(load.latency(0.5) > 0 && load.latency(0.5) <= load.latency(0.99))
  load.forget()
  assert.equal(load.answers(), 0)
  load.close()
})

test('one answer that is no success voids the slice', async () => {
  let asked = 0
  using target = await listening((_, response) => {
    asked += 1
    if (asked === 5) response.statusCode = 429
    response.end('{}')
  })
  const load = await openLoad({ port: target.port, requests: [getRequest('/', {})], connections: 1 })
  await assert.rejects(load.slice(2_000), /status 200, got: HTTP\/1\.1 429/)
  load.close()
})

test('an answer whose end cannot be told ends the slice', async () => {
  using target = await listening((_, response) => {
    response.write('a')
    response.end('b')
  })
  const load = await openLoad({ port: target.port, requests: [getRequest('/', {})], connections: 1 })
  await assert.rejects(load.slice(2_000), /Content-Length/)
  load.close()
})

test('a server that goes away does not leave the slice waiting', async () => {
  using target = await listening((request) => request.socket.destroy())
  const load = await openLoad({ port: target.port, requests: [getRequest('/', {})], connections: 2 })
  await assert.rejects(load.slice(2_000))
  load.close()
})
