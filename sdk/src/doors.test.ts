// The real frameworks, each with its receiver mounted as the documents say.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { event, read, secret, signed, write } from './fixtures/sender.ts'
import { receiver } from './index.ts'

const opened = () => {
  let performed = 0
  return receiver({
    secret,
    tools: {
      get_order: ({ arguments: { number } }) => (number === 'ბ-1' ? { number, total: 48 } : null),
      refund_order: () => ({ times: ++performed }),
    },
    events: { 'action.executed': () => undefined },
  })
}

type Send = (one: { body: string; headers: Record<string, string> }, method?: string) => Promise<Response>

async function holds(send: Send): Promise<void> {
  const told = async (one: object): Promise<[number, string]> => {
    const answer = await send(one as Parameters<Send>[0])
    return [answer.status, await answer.text()]
  }
  assert.deepEqual(await told(read('get_order', { number: 'ბ-1' })), [200, '{"number":"ბ-1","total":48}'])
  assert.deepEqual(await told(read('get_order', { number: 'ბ-2' })), [404, '{"status":"not_found","message":""}'])
  const one = write('refund_order', {})
  assert.deepEqual(
    [await told(one), await told(one)],
    [
      [200, '{"times":1}'],
      [200, '{"times":1}'],
    ],
  )
  assert.deepEqual(await told(event('action.executed')), [204, ''])
  assert.equal((await told({ ...one, body: `${one.body} ` }))[0], 401, 'one byte more than was signed')
  assert.equal((await told(signed(`{"a":"${'x'.repeat(1024 * 1024)}"}`)))[0], 413)
}

async function over(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  return ({ body, headers }, method = 'POST') => fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) })
}

test("Node's http", async (t) => {
  const send = await over(t, opened().node)
  await holds(send)
  assert.equal((await send({ body: '', headers: {} }, 'GET')).status, 405)
})

test('whoever breaks off in the middle of a body does no harm', async (t) => {
  const server = createServer(opened().node).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  for (let time = 0; time < 3; time++) {
    const socket = connect(port, '127.0.0.1')
    const arrived = once(server, 'request')
    socket.write('POST /tools HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"half')
    await arrived
    socket.resetAndDestroy()
  }
  // A rejection that nobody handles would end the process, and this test.
  const { body, headers } = read('get_order', { number: 'ბ-1' }) as { body: string; headers: Record<string, string> }
  assert.equal((await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status, 200)
})

test('Express, before its parser', async (t) => {
  const app = express()
  app.post('/tools', opened().node)
  app.use(express.json())
  await holds(await over(t, app))
})

test('Express, behind express.raw', async (t) => {
  const app = express()
  app.use(express.raw({ type: '*/*', limit: '1mb' }))
  app.post('/tools', opened().node)
  await holds(await over(t, app))
})

test('Express, behind a parser that has read the body: it says what is wrong, and performs nothing', async (t) => {
  const app = express()
  app.use(express.json())
  app.post('/tools', opened().node)
  const answer = await (await over(t, app))(write('refund_order', {}))
  assert.deepEqual([answer.status, /before express\.json/.test(await answer.text())], [500, true])
})

test('a platform that keeps the raw body beside the parsed one', async (t) => {
  const tools = opened()
  const send = await over(t, async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray())
    if (rawBody.length > 1024 * 1024) return void response.writeHead(413).end()
    await tools.node(Object.assign(request, { rawBody, body: { parsed: true } }), response)
  })
  await holds(send)
})

test('Fastify, beside routes of its own that parse', async (t) => {
  const app = fastify()
  app.post('/echo', async ({ body }) => body)
  await app.register(opened().fastify, { prefix: '/tools' })
  t.after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (path: string, { body, headers }: Parameters<Send>[0]) =>
    fetch(url + path, { method: 'POST', body, headers })
  await holds((one) => post('/tools', one))
  const echoed = await post('/echo', { body: '{"a":1}', headers: { 'content-type': 'application/json' } })
  assert.deepEqual(await echoed.json(), { a: 1 })
})

test('Hono', async () => {
  const app = new Hono()
  const tools = opened()
  app.post('/tools', (c) => tools.fetch(c.req.raw))
  await holds(async ({ body, headers }) => await app.request('/tools', { method: 'POST', body, headers }))
})

test('whatever takes a Request and gives a Response: a route of Next, Deno, Bun, a Worker', async () => {
  const { fetch: POST } = opened()
  await holds(({ body, headers }) => POST(new Request('https://shop.example/tools', { method: 'POST', body, headers })))
  assert.equal((await POST(new Request('https://shop.example/tools'))).status, 405)
})

test('a body that does not end is counted while it comes, and read no further than it may be', async () => {
  const piece = new Uint8Array(64 * 1024)
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      if (sent++ < 100) controller.enqueue(piece)
      else controller.error(new Error('it was read on'))
    },
  })
  const asked = new Request('https://shop.example/tools', { method: 'POST', body, duplex: 'half' } as RequestInit)
  assert.equal((await opened().fetch(asked)).status, 413)
  assert.ok(sent < 30, `${sent} pieces of 64 KiB`)
})
