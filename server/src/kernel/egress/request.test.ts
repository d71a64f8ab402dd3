import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import test from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { get, httpServer, openCalls, post, rawServer, summaryOf } from './fixtures/servers.ts'

test('an answer comes with its status, headers, body, final address and peer', async (t) => {
  const { port } = await httpServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(418, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] })
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
  })
  const egress = openCalls(t)
  const result = await post(egress, `http://shop.com:${port}/a%20b?q=1#part`, {
    body: 'grüße',
    headers: { 'X-Signature': 'v1,abc' },
  })
  assert.ok(result.kind === 'answer', summaryOf(result))
  assert.equal(result.status, 418)
  assert.deepEqual(result.headers['set-cookie'], ['b=1', 'c=2'])
  assert.equal(result.finalUrl, `http://shop.com:${port}/a%20b?q=1`)
  assert.equal(result.remoteAddress, '127.0.0.1')
  assert.ok(result.durationMs > 0)
  const seen = JSON.parse(result.body.toString())
  assert.equal(seen.method, 'POST')
  assert.equal(seen.url, '/a%20b?q=1')
  assert.equal(seen.body, 'grüße')
  assert.equal(seen.headers.host, `shop.com:${port}`)
  assert.equal(seen.headers['x-signature'], 'v1,abc')
  assert.equal(seen.headers['user-agent'], 'egress-test')
  assert.equal(seen.headers['accept-encoding'], 'identity')
})

test('each method arrives, with bytes as they are; HEAD has no body', async (t) => {
  const seen: string[] = []
  const { port } = await httpServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString('hex')))
    request.on('end', () => {
      seen.push(String(request.method))
      response
        .writeHead(200, { 'content-length': '999999' })
        .end(request.method === 'HEAD' ? undefined : 'x'.repeat(999_999))
    })
  })
  const egress = openCalls(t)
  const head = await get(egress, `http://shop.com:${port}/`, { method: 'HEAD' })
  assert.ok(head.kind === 'answer' && head.body.length === 0, 'the announced length of a HEAD is not sent')
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const result = await post(egress, `http://shop.com:${port}/`, {
      method,
      body: Buffer.from([0, 255, 1]),
      maxBytes: 1_000_000,
    })
    assert.equal(summaryOf(result), 'answer 200', method)
  }
  assert.deepEqual(seen, ['HEAD', '00ff01', 'PUT', '00ff01', 'PATCH', '00ff01', 'DELETE', '00ff01', 'OPTIONS'])
})

test('headers that could be read as something else are refused before anything is sent', async (t) => {
  const server = await rawServer(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  const egress = openCalls(t)
  const url = `http://shop.com:${server.port}/`
  const bad: Record<string, string>[] = [
    { 'x-a': 'one\r\nx-b: two' },
    { 'x-a': 'one\nx-b: two' },
    { 'x-a': 'nul\0' },
    { 'x-a': 'დახმარება' },
    { 'x-a': '\u2028' },
    { 'x a': 'space in the name' },
    { 'x-a\r\n': '1' },
    { '': 'no name' },
    { host: 'other.com' },
    { Host: 'other.com' },
    { 'Accept-Encoding': 'gzip' },
    { 'Transfer-Encoding': 'chunked' },
    { 'content-length': '0' },
    { connection: 'close' },
    { 'x-a': 'a'.repeat(17_000) },
  ]
  for (const headers of bad) {
    const result = await post(egress, url, { headers })
    assert.equal(summaryOf(result), 'refused not sent', JSON.stringify(headers).slice(0, 60))
    assert.ok(result.kind !== 'answer' && result.code === 'EGRESS_HEADER')
  }
  assert.equal(server.seen.connections, 0)
  const good = await post(egress, url, { headers: { 'x-name': 'José', 'x-tab': 'a\tb', 'User-Agent': 'Mine' } })
  assert.equal(summaryOf(good), 'answer 200')
  assert.match(server.seen.text, /x-name: José\r\n/)
  assert.match(server.seen.text, /User-Agent: Mine\r\n/)
  assert.doesNotMatch(server.seen.text, /egress-test/)
})

test('redirects are answers, unless the call asks to follow them', async (t) => {
  const { port } = await httpServer(t, (request, response) => {
    const left = Number(new URL(String(request.url), 'http://x').searchParams.get('left'))
    if (left === 0) return response.end(`${request.method} done`)
    response.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: `?left=${left - 1}` }).end('moved')
  })
  const egress = openCalls(t)
  const url = `http://shop.com:${port}/page?left=5`
  assert.equal(summaryOf(await get(egress, url)), 'answer 301')
  const followed = await get(egress, url, { redirects: 5 })
  assert.ok(followed.kind === 'answer', summaryOf(followed))
  assert.equal(followed.body.toString(), 'GET done')
  assert.equal(followed.finalUrl, `http://shop.com:${port}/page?left=0`)
  assert.equal(summaryOf(await get(egress, url, { redirects: 4 })), 'invalid_answer sent')
  assert.equal(
    summaryOf(await get(egress, url, { redirects: 5, credentialed: true })),
    'answer 301',
    'never with a credential',
  )
  await assert.rejects(post(egress, url, { redirects: 1 }), /Only GET and HEAD/)
  assert.equal(
    summaryOf(await get(egress, `http://shop.com:${port}/?left=1000000`, { redirects: 5 })),
    'invalid_answer sent',
  )
})

test('a redirect in raw UTF-8 leads to where it says', async (t) => {
  const server = await rawServer(t, (socket) => {
    socket.once('data', (chunk) => {
      const isFirst = chunk.toString('latin1').startsWith('GET / ')
      const move = Buffer.from(
        'HTTP/1.1 302 Found\r\nlocation: /დახმარება\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      )
      socket.end(isFirst ? move : 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const result = await get(openCalls(t), `http://shop.com:${server.port}/`, { redirects: 1 })
  assert.ok(result.kind === 'answer', summaryOf(result))
  assert.equal(decodeURIComponent(new URL(result.finalUrl).pathname), '/დახმარება')
})

test('each hop is judged from scratch', async (t) => {
  let location: string | string[] = ''
  const move: RequestListener = (_request, response) => response.setHeader('location', location).writeHead(302).end()
  const { port } = await httpServer(t, move)
  const secure = await httpServer(t, move, true)
  const asked: string[] = []
  const egress = openCalls(t, {
    resolve: (name) => {
      asked.push(name)
      return Promise.resolve([name === 'inside.shop.com' ? '169.254.169.254' : '127.0.0.1'])
    },
  })
  const start = `http://shop.com:${port}/`
  const refused = [
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://inside.shop.com/',
    'http://metadata.google.internal/',
    '//169.254.169.254/',
    'file:///etc/passwd',
    'gopher://shop.com/',
    `http://me:secret@shop.com:${port}/`,
    'http://shop.com:25/',
  ]
  for (location of refused) {
    const result = await get(egress, start, { redirects: 5 })
    // The first hop has been sent; the one that was refused has not.
    assert.equal(summaryOf(result), 'refused sent', String(location))
  }
  assert.ok(asked.includes('inside.shop.com'))
  location = 'http://['
  assert.equal(summaryOf(await get(egress, start, { redirects: 5 })), 'invalid_answer sent')
  location = ['/a', '/b']
  assert.equal(summaryOf(await get(egress, start, { redirects: 5 })), 'invalid_answer sent')
  location = start
  const down = await get(egress, `https://good.test:${secure.port}/`, { redirects: 5 })
  assert.equal(summaryOf(down), 'refused sent')
  assert.ok(down.kind !== 'answer' && down.code === 'EGRESS_DOWNGRADE')
})

test('across origins only neutral headers go along, and what was left behind does not come back', async (t) => {
  const seen: Record<string, unknown>[] = []
  const other = await httpServer(t, (request, response) => {
    seen.push(request.headers)
    response.writeHead(302, { location: `http://shop.com:${first.port}/back` }).end()
  })
  const first = await httpServer(t, (request, response) => {
    seen.push(request.headers)
    if (request.url === '/back') return response.end('end')
    const location = request.url === '/' ? '/same' : `http://shop.com:${other.port}/`
    response.writeHead(307, { location }).end()
  })
  const secrets = {
    Authorization: 'Bearer s',
    cookie: 'a=1',
    'X-Service-Customer-Id': '7',
    'x-api-key': 'k',
    'proxy-authorization': 'p',
  }
  const headers = { ...secrets, accept: 'text/html', 'accept-language': 'ka' }
  const result = await get(openCalls(t), `http://shop.com:${first.port}/`, { headers, redirects: 5 })
  assert.equal(summaryOf(result), 'answer 200')
  const names = Object.keys(secrets).map((name) => name.toLowerCase())
  assert.equal(seen.length, 4)
  for (const name of names) {
    assert.ok(seen[0]?.[name] !== undefined && seen[1]?.[name] !== undefined, `${name} stays on its origin`)
    assert.ok(seen[2]?.[name] === undefined && seen[3]?.[name] === undefined, `${name} must not leave it`)
  }
  assert.equal(seen[3]?.accept, 'text/html')
})

test('plain http is a right of single calls without a credential', async (t) => {
  const { port } = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { policy: { allowInsecure: false, allowPrivateNetwork: true } })
  const url = `http://shop.com:${port}/`
  assert.equal(summaryOf(await get(egress, url)), 'refused not sent')
  assert.equal(summaryOf(await get(egress, url, { plainHttp: true })), 'answer 200')
  assert.equal(summaryOf(await get(egress, url, { plainHttp: true, credentialed: true })), 'refused not sent')
})

test('packed answers are unpacked where the call asked for them, and invalid where it did not', async (t) => {
  const text = 'hello '.repeat(1000)
  const packed: Record<string, Buffer> = {
    gzip: gzipSync(text),
    br: brotliCompressSync(text),
    identity: Buffer.from(text),
    'x-gzip': gzipSync(text),
    deflate: Buffer.from('?'),
    'gzip, gzip': gzipSync(gzipSync(text)),
    zstd: Buffer.from('?'),
  }
  const asked: (string | string[] | undefined)[] = []
  const { port } = await httpServer(t, (request, response) => {
    asked.push(request.headers['accept-encoding'])
    const coding = decodeURIComponent(String(request.url).slice(1))
    if (coding === 'empty') return response.writeHead(204, { 'content-encoding': 'gzip' }).end()
    if (coding === 'cut')
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text).subarray(0, 40))
    response.writeHead(200, { 'content-encoding': coding }).end(packed[coding])
  })
  const egress = openCalls(t)
  const ask = (coding: string, compressed: boolean): ReturnType<typeof get> =>
    get(egress, `http://shop.com:${port}/${encodeURIComponent(coding)}`, { compressed })
  for (const coding of ['gzip', 'br', 'identity', 'x-gzip']) {
    const result = await ask(coding, true)
    assert.ok(result.kind === 'answer' && result.body.toString() === text, coding)
  }
  for (const coding of ['deflate', 'gzip, gzip', 'zstd', 'cut'])
    assert.equal(summaryOf(await ask(coding, true)), 'invalid_answer sent', coding)
  for (const coding of ['gzip', 'br', 'deflate']) {
    const result = await ask(coding, false)
    assert.equal(summaryOf(result), 'invalid_answer sent', coding)
    assert.ok(result.kind !== 'answer' && result.status === 200)
  }
  assert.equal(summaryOf(await ask('empty', false)), 'answer 204', 'there is nothing to unpack')
  assert.deepEqual([...new Set(asked)], ['gzip, br', 'identity'])
})

test('the body may be exactly as long as the limit, and not one byte longer', async (t) => {
  const { port } = await httpServer(t, (request, response) => {
    const [, kind, length] = String(request.url).split('/')
    const body = Buffer.alloc(Number(length), 'x')
    if (kind === 'gzip') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body))
    if (kind === 'announced') return response.writeHead(200, { 'content-length': body.length }).end(body)
    for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7))
    response.end()
  })
  const egress = openCalls(t)
  for (const kind of ['announced', 'chunked', 'gzip']) {
    const ask = (length: number): ReturnType<typeof get> =>
      get(egress, `http://shop.com:${port}/${kind}/${length}`, { maxBytes: 5000, compressed: kind === 'gzip' })
    const fits = await ask(5000)
    assert.ok(fits.kind === 'answer' && fits.body.length === 5000, kind)
    const over = await ask(5001)
    assert.equal(summaryOf(over), 'too_large sent', kind)
    assert.ok(over.kind !== 'answer' && over.status === 200)
  }
})

test('whoever wants the beginning of a larger answer gets it, cut at the limit, and is told', async (t) => {
  const text = 'abcdefghij'.repeat(100_000)
  const { port } = await httpServer(t, (request, response) => {
    const [, kind = ''] = (request.url ?? '').split('/')
    if (kind === 'endless') {
      response.writeHead(200)
      const more = () => void (response.destroyed || response.write(text.slice(0, 1000), () => setImmediate(more)))
      return more()
    }
    if (kind === 'gzip') response.setHeader('content-encoding', 'gzip')
    if (kind === 'br') response.setHeader('content-encoding', 'br')
    response.end(kind === 'gzip' ? gzipSync(text) : kind === 'br' ? brotliCompressSync(text) : text)
  })
  const egress = openCalls(t)
  const ask = (kind: string, maxBytes: number) =>
    get(egress, `http://shop.com:${port}/${kind}`, { maxBytes, compressed: true, cut: true })
  for (const kind of ['plain', 'gzip', 'br', 'endless']) {
    const answer = await ask(kind, 5005)
    assert.ok(answer.kind === 'answer', `${kind} ${summaryOf(answer)}`)
    assert.deepEqual([answer.isCut, answer.status], [true, 200], kind)
    assert.equal(answer.body.toString(), text.slice(0, 5005), kind)
  }
  for (const kind of ['plain', 'gzip', 'br']) {
    const whole = await ask(kind, 1_000_000)
    assert.ok(whole.kind === 'answer' && !whole.isCut && whole.body.length === 1_000_000, kind)
  }
  // The compressed bytes themselves are more than the limit.
  const random = Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(Math.random() * 256)))
  for (const [coding, packed] of [
    ['gzip', gzipSync(random)],
    ['br', brotliCompressSync(random)],
  ] as const) {
    const noisy = await httpServer(t, (_request, response) => {
      response.setHeader('content-encoding', coding)
      response.end(packed)
    })
    const settings = { maxBytes: 20_000, compressed: true, cut: true }
    const answer = await get(egress, `http://shop.com:${noisy.port}/`, settings)
    assert.ok(answer.kind === 'answer' && answer.isCut, coding)
    assert.ok(answer.body.length > 10_000 && answer.body.equals(random.subarray(0, answer.body.length)), coding)
  }
})
