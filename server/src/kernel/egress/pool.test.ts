import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test from 'node:test'
import type { TLSSocket } from 'node:tls'
import { stopwatch, timed } from '../../../testkit/stopwatch.ts'
import { get, httpServer, openCalls, post, rawServer, summaryOf, until } from './fixtures/servers.ts'
import type { Resolver } from './resolve.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Leads every name to this machine and counts how often it was asked. */
function counting(): { resolve: Resolver; asked: () => number } {
  let asked = 0
  return { asked: () => asked, resolve: () => Promise.resolve(['127.0.0.1']).finally(() => (asked += 1)) }
}

test('a second call to the same origin opens no connection and asks no resolver', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('hello'))
  const { resolve, asked } = counting()
  const egress = openCalls(t, { resolve })
  for (let call = 0; call < 20; call += 1)
    assert.equal(summaryOf(await post(egress, `http://shop.com:${server.port}/${call}`)), 'answer 200')
  assert.equal(server.seen.connections, 1)
  assert.equal(asked(), 1)
  assert.deepEqual(egress.sockets('calls'), new Map([[`http://shop.com:${server.port}`, 1]]))
})

test('a burst opens as many connections as are allowed, asks the resolver once, and serves those in line in order', async (t) => {
  const order: string[] = []
  let running = 0
  let most = 0
  const server = await httpServer(t, (request, response) => {
    order.push(String(request.url))
    running += 1
    most = Math.max(most, running)
    setTimeout(() => {
      running -= 1
      response.end('hello')
    }, 5)
  })
  const { resolve, asked } = counting()
  const egress = openCalls(t, { resolve, purposes: { calls: { connections: 4 }, others: {} } })
  const calls = Array.from({ length: 40 }, (_, index) => get(egress, `http://shop.com:${server.port}/${index}`))
  for (const result of await Promise.all(calls)) assert.equal(summaryOf(result), 'answer 200')
  assert.equal(server.seen.connections, 4)
  assert.equal(most, 4)
  assert.equal(asked(), 1)
  const late = order.slice(4).map((path) => Number(path.slice(1)))
  for (const [index, number] of late.entries())
    assert.ok(Math.abs(number - (index + 4)) < 4, `call ${number} came as number ${index + 4}`)
})

test('purposes share no connection: one that is full does not hold up another', async (t) => {
  let hangs = false
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/hang') hangs = true
    else response.end('hello')
  })
  const egress = openCalls(t, { purposes: { calls: { connections: 1 }, others: { connections: 1 } } })
  const stop = new AbortController()
  // It never ends by itself: a call that waited for it would never be answered.
  const hanging = get(egress, `http://shop.com:${server.port}/hang`, { deadlineMs: 300_000, signal: stop.signal })
  await until(() => hangs, 'the only connection of the one is busy')
  const result = await get(egress, `http://shop.com:${server.port}/`, { purpose: 'others' })
  assert.equal(summaryOf(result), 'answer 200')
  stop.abort()
  assert.equal(summaryOf(await hanging), 'aborted sent')
})

test('shares share no connection: one whose calls hang, sent and in line, holds up no call of another to the same origin', async (t) => {
  const server = await httpServer(t, (request, response) => {
    if (request.url !== '/hang') response.end('hello')
  })
  const egress = openCalls(t, { purposes: { calls: { connections: 4 }, others: {} } })
  const url = `http://shop.com:${server.port}`
  const stop = new AbortController()
  const forever = { share: 1, deadlineMs: 300_000, signal: stop.signal }
  const hanging = Array.from({ length: 12 }, () => get(egress, `${url}/hang`, forever))
  await until(() => server.sockets.size === 4, 'the share is used up')
  const result = await get(egress, `${url}/`, { share: 2 })
  assert.equal(summaryOf(result), 'answer 200')
  assert.deepEqual(egress.sockets('calls'), new Map([[url, 5]]), 'the sockets of both are counted')
  stop.abort()
  for (const each of await Promise.all(hanging)) assert.equal(each.kind, 'aborted')
})

test('a checked address is trusted no longer than a connection may live, and then judged again', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('hello'))
  let answer = ['127.0.0.1']
  const egress = openCalls(t, {
    resolve: () => Promise.resolve(answer),
    purposes: { calls: { ageMs: 150 }, others: {} },
  })
  const url = `http://shop.com:${server.port}/`
  const started = performance.now()
  const lives = stopwatch()
  assert.equal(summaryOf(await get(egress, url)), 'answer 200')
  answer = ['169.254.169.254']
  // Busy all the time, so that it never rests long enough to be closed for that.
  let result = await get(egress, url)
  while (result.kind === 'answer' && performance.now() - started < 10_000) result = await get(egress, url)
  const [refusedAfter, counted] = [performance.now() - started, lives()]
  assert.equal(summaryOf(result), 'refused not sent')
  assert.ok(refusedAfter >= 150 && counted < 1000, `${refusedAfter} ms, ${counted} of them counted`)
  assert.equal(server.seen.connections, 1)
})

test('a connection that nobody uses is closed, and nothing of its origin is kept', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { purposes: { calls: { idleMs: 100 }, others: {} } })
  await Promise.all([1, 2, 3].map(() => get(egress, `http://shop.com:${server.port}/`)))
  assert.equal(server.seen.connections, 3)
  await until(() => server.sockets.size === 0, 'the resting connections are closed')
  await until(() => egress.sockets('calls').size === 0, 'the origin is forgotten')
})

test('a call may ask for a connection that has not rested', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { purposes: { calls: { connections: 1 }, others: {} } })
  const url = `http://shop.com:${server.port}/`
  await get(egress, url)
  await pause(60)
  assert.equal(summaryOf(await post(egress, url, { maxIdleMs: 10_000 })), 'answer 200')
  assert.equal(server.seen.connections, 1)
  await pause(60)
  assert.equal(summaryOf(await post(egress, url, { maxIdleMs: 50 })), 'answer 200')
  assert.equal(server.seen.connections, 2, 'the rested one was closed to make room')
  await until(() => server.sockets.size === 1, 'one connection is left')
})

test('the number of origins that are kept is bounded, and busy ones stay', async (t) => {
  const held: ServerResponse[] = []
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/hold') held.push(response)
    else response.end('hello')
  })
  const egress = openCalls(t, { purposes: { calls: { pools: 3 }, others: {} } })
  const holding = get(egress, `http://held.com:${server.port}/hold`)
  await until(() => held.length === 1, 'one call is held')
  for (let name = 0; name < 10; name += 1) await get(egress, `http://n${name}.com:${server.port}/`)
  const origins = [...egress.sockets('calls').keys()].map((origin) => new URL(origin).hostname)
  assert.deepEqual(origins.sort(), ['held.com', 'n8.com', 'n9.com'])
  await until(() => server.sockets.size === 3, 'the connections of forgotten origins are closed')
  held[0]?.end('late')
  assert.equal(summaryOf(await holding), 'answer 200')
})

test('a server that closes after each answer is called anew each time', async (t) => {
  const server = await httpServer(t, (_request, response) => response.setHeader('connection', 'close').end('hello'))
  const egress = openCalls(t)
  for (let call = 0; call < 5; call += 1)
    assert.equal(summaryOf(await post(egress, `http://shop.com:${server.port}/`)), 'answer 200')
  assert.equal(server.seen.connections, 5)
})

test('those in line are served although the connection they waited for failed', async (t) => {
  let accepted = 0
  const server = await rawServer(t, (socket) => {
    accepted += 1
    const dies = accepted === 1
    socket.once('data', () =>
      dies ? socket.resetAndDestroy() : socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    )
  })
  const egress = openCalls(t, { purposes: { calls: { connections: 1 }, others: {} } })
  const [first, second] = await Promise.all([
    get(egress, `http://shop.com:${server.port}/`),
    get(egress, `http://shop.com:${server.port}/`),
  ])
  assert.equal(summaryOf(first), 'unreachable sent')
  assert.equal(summaryOf(second), 'answer 200')
})

test('one that gave up in line is not handed the connection that comes free', async (t) => {
  const held: ServerResponse[] = []
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/hold') held.push(response)
    else response.end('hello')
  })
  const egress = openCalls(t, { purposes: { calls: { connections: 1 }, others: {} } })
  const url = `http://shop.com:${server.port}`
  const first = get(egress, `${url}/hold`)
  await until(() => held.length === 1, 'the only connection is busy')
  assert.equal(summaryOf(await get(egress, `${url}/`, { deadlineMs: 50 })), 'timeout not sent')
  held[0]?.end('late')
  assert.equal(summaryOf(await first), 'answer 200')
  assert.equal(summaryOf(await get(egress, `${url}/`)), 'answer 200')
})

test('nothing is left of calls that ran out of time', async (t) => {
  const mute = await rawServer(t, () => {})
  const egress = openCalls(t, { purposes: { calls: { connections: 3 }, others: {} } })
  const calls = Array.from({ length: 12 }, () => get(egress, `https://good.test:${mute.port}/`, { deadlineMs: 100 }))
  for (const result of await Promise.all(calls)) assert.equal(summaryOf(result), 'timeout not sent')
  assert.equal(egress.sockets('calls').size, 0)
  await until(() => mute.sockets.size === 0, 'the attempts are closed')
  assert.ok(mute.seen.connections <= 12)
})

test('the next handshake with an origin is a short one', async (t) => {
  const reused: boolean[] = []
  const { port, server } = await httpServer(t, (_request, response) => response.end('hello'), true)
  server.on('secureConnection', (socket: TLSSocket) => reused.push(socket.isSessionReused()))
  const egress = openCalls(t)
  const url = `https://good.test:${port}/`
  await get(egress, url)
  // Two at once: one takes the resting connection, the other opens a second one.
  for (const result of await Promise.all([get(egress, url), get(egress, url)]))
    assert.equal(summaryOf(result), 'answer 200')
  assert.deepEqual(reused, [false, true])
})

test('closing lets running calls end, refuses new ones, and is bounded', async (t) => {
  const running: ServerResponse[] = []
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/slow') running.push(response)
  })
  const egress = openCalls(t, { purposes: { calls: { connections: 2 }, others: {} } })
  const url = `http://shop.com:${server.port}`
  const slow = get(egress, `${url}/slow`)
  const hanging = get(egress, `${url}/hang`, { deadlineMs: 20_000 })
  const inLine = get(egress, `${url}/slow`)
  await until(() => server.sockets.size === 2 && running.length === 1, 'two calls run')
  const started = performance.now()
  const lasts = stopwatch(1500)
  const closing = egress.close(1500)
  assert.equal(summaryOf(await get(egress, `${url}/slow`)), 'aborted not sent')
  assert.equal(summaryOf(await inLine), 'aborted not sent')
  running[0]?.end('hello')
  assert.equal(summaryOf(await slow), 'answer 200')
  assert.equal(summaryOf(await hanging), 'aborted sent')
  await closing
  const [lasted, counted] = [performance.now() - started, lasts()]
  assert.ok(lasted >= 1490 && counted < 500, `${lasted} ms, ${counted} too many`)
  assert.equal(egress.sockets('calls').size, 0)
  await until(() => server.sockets.size === 0, 'every connection is closed')
})

test('a call that is on its way to another hop when everything ends opens nothing new', async (t) => {
  const held: ServerResponse[] = []
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/') held.push(response)
    else response.end('too late')
  })
  const egress = openCalls(t)
  const hopping = get(egress, `http://shop.com:${server.port}/`, { redirects: 5 })
  await until(() => held.length === 1, 'the first hop is out')
  const closing = egress.close(0)
  held[0]?.writeHead(302, { location: `http://other.com:${server.port}/next` }).end()
  assert.match(summaryOf(await hopping), /^aborted sent$/)
  await closing
  assert.equal(server.seen.connections, 1)
})

test('closing without running calls is immediate', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t)
  await get(egress, `http://shop.com:${server.port}/`)
  const { ms } = await timed(() => egress.close(5000))
  assert.ok(ms < 300, `${ms} ms`)
  await until(() => server.sockets.size === 0, 'the resting connection is closed')
})

test('a purpose that was not named is a mistake of the program', async (t) => {
  const egress: { request(call: object): Promise<unknown> } = openCalls(t)
  assert.throws(
    () => egress.request({ purpose: 'mistake', url: 'https://shop.com' }),
    /is not a purpose of this egress/,
  )
})
