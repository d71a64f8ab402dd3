import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { timed } from '../../../testkit/stopwatch.ts'
import { get, httpServer, openCalls, post, rawServer, summaryOf, until } from './fixtures/servers.ts'
import type { EgressResult } from './request.ts'

const answerHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

/** Writes again and again, as fast as the peer reads. */
function flood(socket: Socket, chunk: string | Buffer, mostBytes: number): void {
  let written = 0
  const more = (): void => {
    while (!socket.destroyed && written < mostBytes) {
      written += chunk.length
      if (!socket.write(chunk)) return void socket.once('drain', more)
    }
  }
  more()
}

function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** What came of a call that must end at its deadline. */
async function lasting(deadlineMs: number, call: () => Promise<EgressResult>): Promise<EgressResult> {
  const { result, ms } = await timed(call, deadlineMs)
  // A call's own time does not have what the first one loads, and the stopwatch not what kept this thread from running.
  const late = Math.min(ms, result.durationMs - deadlineMs)
  const about = `${result.durationMs} ms for a deadline of ${deadlineMs} ms, ${late} ms too many`
  assert.ok(result.durationMs >= deadlineMs * 0.98 && late <= deadlineMs * 0.1 + 200, about)
  return result
}

test('five bytes a second hold the call no longer than its deadline', async (t) => {
  const server = await rawServer(t, (socket) => {
    socket.write(`${answerHead}content-length: 100000\r\n\r\n`)
    drip(socket, 'x', 200)
  })
  const results = await Promise.all(
    [1000, 3000].map((deadlineMs) =>
      lasting(deadlineMs, () => get(openCalls(t), `http://shop.com:${server.port}/`, { deadlineMs })),
    ),
  )
  for (const result of results) {
    assert.equal(summaryOf(result), 'timeout sent')
    assert.ok(result.kind !== 'answer' && result.status === 200)
  }
  await until(() => server.sockets.size === 0, 'the connections are closed')
})

test('a header that drips, and one that never comes, end at the deadline', async (t) => {
  const dripping = await rawServer(t, (socket) => {
    socket.write(`${answerHead}x-drip: `)
    drip(socket, 'x', 50)
  })
  const mute = await rawServer(t, () => {})
  const egress = openCalls(t)
  for (const { port, seen } of [dripping, mute]) {
    const result = await lasting(1000, () => post(egress, `http://shop.com:${port}/`, { deadlineMs: 1000 }))
    assert.equal(summaryOf(result), 'timeout sent')
    assert.match(seen.text, /^POST /)
  }
})

test('a server that accepts TCP and never answers the TLS handshake was sent nothing', async (t) => {
  const mute = await rawServer(t, () => {})
  const url = `https://good.test:${mute.port}/`
  const late = await lasting(1000, () => post(openCalls(t), url, { deadlineMs: 1000 }))
  assert.equal(summaryOf(late), 'timeout not sent')
  const impatient = openCalls(t, { purposes: { calls: { connectMs: 1000 }, others: {} } })
  const given = await lasting(1000, () => post(impatient, url, { deadlineMs: 300_000 }))
  assert.equal(summaryOf(given), 'unreachable not sent')
  await until(() => mute.sockets.size === 0, 'the attempts are closed')
  assert.doesNotMatch(mute.seen.text, /POST/)
})

test('a gzip or brotli bomb is stopped by its decoded size, in little memory', async (t) => {
  const zeros = Buffer.alloc(200 * 1024 * 1024)
  const bombs = {
    gzip: gzipSync(zeros, { level: 6 }),
    br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  }
  const { port } = await httpServer(t, (request, response) => {
    const coding = request.url === '/br' ? 'br' : 'gzip'
    response.writeHead(200, { 'content-encoding': coding }).end(bombs[coding])
  })
  assert.ok(bombs.gzip.length < 262_144 && bombs.br.length < 262_144, 'the packed bytes alone are within the limit')
  const egress = openCalls(t)
  const ask = (coding: string): Promise<EgressResult> =>
    get(egress, `http://shop.com:${port}/${coding}`, { compressed: true })
  // The first of each kind pays for the decoder itself.
  for (const coding of ['gzip', 'br']) await ask(coding)
  const before = process.memoryUsage().rss
  for (const coding of ['gzip', 'br']) assert.equal(summaryOf(await ask(coding)), 'too_large sent', coding)
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  assert.ok(grown < 20, `RSS grew by ${grown} MB`)
})

test('200 MB in chunks are stopped at the limit, in little memory', async (t) => {
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
  const server = await rawServer(t, (socket) => {
    socket.once('data', () => {
      socket.write(`${answerHead}transfer-encoding: chunked\r\n\r\n`)
      flood(socket, chunk, 200 * 2 ** 20)
    })
  })
  const egress = openCalls(t)
  const url = `http://shop.com:${server.port}/`
  await get(egress, url)
  const before = process.memoryUsage().rss
  const { result, ms } = await timed(() => get(egress, url))
  assert.equal(summaryOf(result), 'too_large sent')
  assert.ok(Math.min(ms, result.durationMs) < 1000, `${ms} ms`)
  await until(() => server.sockets.size === 0, 'the connection is closed')
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  assert.ok(grown < 20, `RSS grew by ${grown} MB`)
})

test('a body in chunks of one byte costs memory by its bytes, not by its chunks', async (t) => {
  const chunk = Buffer.from('1\r\nx\r\n'.repeat(4096))
  const server = await rawServer(t, (socket) => {
    socket.once('data', () => {
      socket.write(`${answerHead}transfer-encoding: chunked\r\n\r\n`)
      flood(socket, chunk, chunk.length * 64)
      socket.write('0\r\n\r\n')
    })
  })
  const egress = openCalls(t)
  const result = await get(egress, `http://shop.com:${server.port}/`)
  assert.ok(result.kind === 'answer', summaryOf(result))
  assert.equal(result.body.length, 262_144)
  assert.ok(result.body.buffer.byteLength <= 2 * 262_144)
})

test('an answer that announces more than the limit is not read at all', async (t) => {
  const server = await rawServer(t, (socket) => {
    socket.once('data', () => socket.write(`${answerHead}content-length: 262145\r\n\r\n`))
  })
  const egress = openCalls(t)
  // The body never comes: whoever waited for a byte of it would meet the deadline.
  const { result, ms } = await timed(() => get(egress, `http://shop.com:${server.port}/`))
  assert.equal(summaryOf(result), 'too_large sent')
  assert.ok(Math.min(ms, result.durationMs) < 1000, `${ms} ms`)
})

test('floods of headers, of interim answers and of trailers are bounded', async (t) => {
  const floods: Record<string, (socket: Socket) => void> = {
    'too_large sent/headers': (socket) => {
      socket.write(answerHead)
      flood(socket, `x-flood: ${'a'.repeat(1000)}\r\n`, 2 ** 22)
    },
    'too_large sent/one header': (socket) => {
      socket.write(`${answerHead}x-flood: `)
      flood(socket, 'a'.repeat(1000), 2 ** 22)
    },
    'invalid_answer sent/interim': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 2 ** 20),
    'too_large sent/trailers': (socket) => {
      socket.write(`${answerHead}transfer-encoding: chunked\r\n\r\n0\r\n`)
      flood(socket, `x-flood: ${'a'.repeat(1000)}\r\n`, 2 ** 22)
    },
  }
  const egress = openCalls(t)
  for (const [named, attack] of Object.entries(floods)) {
    const server = await rawServer(t, (socket) => void socket.once('data', () => attack(socket)))
    const { result, ms } = await timed(() => get(egress, `http://shop.com:${server.port}/`))
    assert.equal(summaryOf(result), named.split('/')[0], named)
    assert.ok(Math.min(ms, result.durationMs) < 1000, `${named}: ${ms} ms`)
    await until(() => server.sockets.size === 0, 'the connection is closed')
  }
})

test('what is not HTTP/1.1 is an invalid answer', async (t) => {
  const answers = [
    'SSH-2.0-OpenSSH_9.6\r\n',
    '\0\0\0\0\0\0\0\0',
    'HTTP/1.1 200 OK\r\ncontent-length: nine\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nbad header: x\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ]
  const egress = openCalls(t)
  for (const text of answers) {
    const server = await rawServer(t, (socket) => void socket.once('data', () => socket.end(text)))
    assert.equal(summaryOf(await get(egress, `http://shop.com:${server.port}/`)), 'invalid_answer sent', text)
  }
})

test('a connection that ends in the middle is a lost one, wherever the middle is', async (t) => {
  const answers = [
    '',
    'HTTP/1.1 200',
    answerHead,
    `${answerHead}content-length: 100\r\n\r\n`,
    `${answerHead}content-length: 100\r\n\r\nhalf`,
    `${answerHead}content-length: 100\r\nconnection: close\r\n\r\nhalf`,
    `${answerHead}transfer-encoding: chunked\r\n\r\n5\r\nhal`,
    `${answerHead}transfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nhalf!\r\n`,
  ]
  const egress = openCalls(t)
  for (const text of answers) {
    for (const way of ['end', 'reset'] as const) {
      const server = await rawServer(t, (socket) => {
        socket.once('data', () =>
          socket.write(text, () => setTimeout(() => (way === 'end' ? socket.end() : socket.resetAndDestroy()), 20)),
        )
      })
      const result = await post(egress, `http://shop.com:${server.port}/`)
      assert.equal(summaryOf(result), 'unreachable sent', `${way} after ${JSON.stringify(text)}`)
      assert.equal(server.seen.connections, 1, 'nothing is tried twice')
    }
  }
  const whole = await rawServer(
    t,
    (socket) => void socket.once('data', () => socket.end(`${answerHead}connection: close\r\n\r\nall of it`)),
  )
  const result = await get(egress, `http://shop.com:${whole.port}/`)
  assert.ok(
    result.kind === 'answer' && result.body.toString() === 'all of it',
    'an end is the end where no length was given',
  )
})
