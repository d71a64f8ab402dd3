import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { DatabaseUnavailable } from '../db/index.ts'

const probe = { reach: ANYONE, lane: 'none', group: 'Probe', summary: 'A probe' } as const
const Echo = z.object({ text: z.string().optional(), count: z.int().optional() })

const probes: Route[] = [
  route({
    ...probe,
    method: 'POST',
    path: '/probe/echo',
    body: Echo,
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { body }) => ({ status: 200, body }),
  }),
  route({
    ...probe,
    method: 'DELETE',
    path: '/probe/echo',
    body: Echo,
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { body }) => ({ status: 200, body }),
  }),
  route({
    ...probe,
    method: 'POST',
    path: '/probe/small',
    bodyLimit: 100,
    body: Echo,
    answers: { 200: { schema: z.unknown() } },
    handle: async () => ({ status: 200 }),
  }),
  route({
    ...probe,
    method: 'GET',
    path: '/probe/fail',
    answers: { 200: { schema: z.unknown() } },
    handle: async () => {
      throw new Error('secret detail of the inside')
    },
  }),
  route({
    ...probe,
    method: 'GET',
    path: '/probe/away',
    errors: ['database_unavailable'],
    answers: { 200: { schema: z.unknown() } },
    handle: async () => {
      throw new DatabaseUnavailable('The database cannot be reached: it sleeps.')
    },
  }),
  route({
    ...probe,
    method: 'GET',
    path: '/probe/query',
    query: Echo,
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { query }) => ({ status: 200, body: query }),
  }),
  route({
    ...probe,
    method: 'GET',
    path: '/probe/named/:name',
    params: z.object({ name: z.string() }),
    answers: { 200: { schema: z.unknown() } },
    handle: async (_ctx, { params }) => ({ status: 200, body: { length: params.name.length } }),
  }),
]

let reached = 0
const flooded: Route = route({
  ...probe,
  method: 'GET',
  path: '/probe/open',
  answers: { 200: { schema: z.unknown() } },
  handle: async () => {
    reached++
    return { status: 200 }
  },
})

let house: OpenHouse
before(async () => {
  house = await openHouse({ moreRoutes: [...probes, flooded] })
})
after(() => house.close())

const echo = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  house.ask('POST', '/probe/echo', { raw, headers })

test('a body is JSON when it says so, when it says nothing, and when curl -d says it is a form', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/x-www-form-urlencoded',
  ]) {
    assert.deepEqual((await echo('{"text":"a"}', { 'content-type': type })).body, { text: 'a' }, type)
  }
  const answer = await overTheWire(
    'POST /probe/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{"text":"a"}',
  )
  assert.match(answer, /^HTTP\/1.1 200 [\s\S]*\{"text":"a"\}/)
  const deleted = await overTheWire(
    'DELETE /probe/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{"text":"a"}',
  )
  assert.match(deleted, /\{"text":"a"\}/)
})

test('any other content type is refused with 415', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'nonsense',
  ]) {
    const reply = await echo('{}', { 'content-type': type })
    assert.equal(reply.status, 415, type)
    assert.equal(reply.error?.code, 'unsupported_media_type')
  }
})

test('a content type without a body is no body', async () => {
  const reply = await house.ask('DELETE', '/probe/echo', { headers: { 'content-type': 'text/plain' } })
  assert.deepEqual([reply.status, reply.body], [200, {}])
})

test('what is not JSON is 400, and says so', async () => {
  for (const bad of [
    '{',
    'nope',
    '{"a":}',
    '[1,]',
    '\u0001',
    '"\ud800',
    Buffer.from([0xff, 0xfe]),
    '{"text":"\u0000"}',
  ]) {
    const reply = await echo(bad, { 'content-type': 'application/json' })
    assert.equal(reply.status, 400, String(bad))
    assert.equal(reply.error?.code, 'invalid_request')
  }
})

test('a NUL is refused wherever it hides, and a text that only speaks of one is not', async () => {
  assert.equal((await echo('{"text":"a\\u0000b"}')).error?.code, 'invalid_request')
  assert.equal((await echo('{"text":"a\\\\\\u0000b"}')).error?.code, 'invalid_request')
  assert.deepEqual((await echo('{"text":"a\\\\u0000b"}')).body, { text: 'a\\u0000b' })
  assert.equal((await house.ask('GET', '/probe/query?text=a%00b')).error?.code, 'invalid_request')
})

test('refuses NUL and lone surrogates in a body at any depth, in names and values, before its members are checked', async () => {
  const deep = (value: string) => `{"deep":${'['.repeat(100)}${value}${']'.repeat(100)}}`
  for (const body of [
    '{"text":"\\ud800"}',
    '{"text":"\\uDfFf"}',
    '{"text":"a\\ud83dx\\udca1"}',
    '{"text":"\\udca1\\ud83d"}',
    '{"text":"\\ud83d\\ud83d\\udca1"}',
    '{"text":"\\\\\\ud800"}',
    '{"\\udc00":1}',
    '{"\\u0000":1}',
    deep('"\\ud800"'),
    deep('{"a":"\\u0000"}'),
    '{"count":"not a number","text":"\\ud800"}',
    '"\\ud800"',
  ]) {
    const { status, error } = await echo(body)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], body)
    assert.match(error?.message ?? '', /NUL character|surrogate/, body)
  }
})

test('accepts surrogate pairs however they are written, and text that only mentions an escape', async () => {
  for (const [body, text] of [
    ['{"text":"\\ud83d\\udca1"}', '💡'],
    ['{"text":"\\uD83D\\uDCA1 and 💡"}', '💡 and 💡'],
    ['{"text":"\\\\ud800"}', '\\ud800'],
    ['{"text":"\\ud7ff\\ue000\\u0001"}', '\ud7ff\ue000\u0001'],
  ] as const)
    assert.deepEqual((await echo(body)).body, { text }, body)
})

test('refuses NUL and encoded surrogates in a path and a query', async () => {
  for (const address of [
    '/probe/named/a%00b',
    '/probe/named/%ED%A0%80',
    '/probe/query?text=%ed%bf%bf',
    '/probe/query?%00=1',
  ]) {
    const { status, error } = await house.ask('GET', address)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], address)
  }
  assert.deepEqual((await house.ask('GET', '/probe/query?text=%ED%9F%BF')).body, { text: '\ud7ff' })
})

test('a body of the wrong shape names the member', async () => {
  assert.match((await echo('{"count":"1"}')).error?.message ?? '', /`count` must be integer/)
  assert.match((await echo('[]')).error?.message ?? '', /The body must be object/)
  assert.deepEqual((await echo('{"text":"a","unknown":[1]}')).body, { text: 'a', unknown: [1] })
})

test('a query value is read as what it must be, and one that cannot be names the parameter', async () => {
  assert.deepEqual((await house.ask('GET', '/probe/query?count=12')).body, { count: 12 })
  for (const bad of ['abc', '1.5', '', '1e999', '0x10', '1&count=2']) {
    const reply = await house.ask('GET', `/probe/query?count=${bad}`)
    assert.equal(reply.error?.code, 'invalid_request', bad)
    assert.match(reply.error?.message ?? '', /count/)
  }
})

test('a body over the limit of its route is 413', async () => {
  const reply = await house.ask('POST', '/probe/small', { body: { text: 'x'.repeat(200) } })
  assert.equal(reply.status, 413)
  assert.equal(reply.error?.code, 'body_too_large')
  const big = await echo(JSON.stringify({ text: 'x'.repeat(1024 * 1024) }))
  assert.equal(big.error?.code, 'body_too_large')
})

test('a failure inside tells an id and nothing else; the log has the same id', async () => {
  const reply = await house.ask('GET', '/probe/fail')
  assert.equal(reply.status, 500)
  assert.equal(reply.error?.code, 'internal_error')
  const { errorId = 'none' } = reply.error ?? {}
  assert.match(errorId, /^err_/)
  assert.ok(!reply.text.includes('inside'))
  assert.ok(!reply.text.includes('.ts'))
  const line = house.logged.find((one) => one.includes(errorId))
  assert.match(line ?? '', /secret detail of the inside/)
})

test('every answer has a request id of its own and the headers of a careful service', async () => {
  const replies = [
    await house.ask('GET', '/health'),
    await house.ask('GET', '/nowhere'),
    await house.ask('GET', '/probe/fail'),
    await echo('{'),
  ]
  const ids = new Set(replies.map(({ headers }) => headers['x-request-id']))
  assert.equal(ids.size, replies.length)
  for (const { headers } of replies) {
    assert.match(String(headers['x-request-id']), /^req_[0-9a-z]{26}$/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /default-src 'none'; frame-ancestors 'none'/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['strict-transport-security'], undefined)
  }
})

test('behind https every answer asks the browser to stay there for a year', async () => {
  await using secure = await openHouse({ settings: { 'Http:PublicUrl': 'https://tether.example.com' } })
  for (const path of ['/health', '/nowhere', '/account/confirm', '/widget/build']) {
    const { headers } = await secure.ask('GET', path)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
  }
})

test('TRACE is no method of ours: nothing that was sent comes back, and no cookie with it', async () => {
  const { apiKey } = await house.tenant()
  const answer = await overTheWire(
    `TRACE /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${apiKey}\r\nCookie: a=secret\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 (?:404|405) /)
  assert.ok(!answer.includes(apiKey) && !answer.includes('a=secret') && !/set-cookie/i.test(answer))
})

test('404 without a key is 401; 405 names the verbs', async () => {
  assert.equal((await house.ask('GET', '/v1/nothing')).error?.code, 'missing_api_key')
  const { apiKey } = await house.tenant()
  assert.equal((await house.ask('GET', '/v1/nothing', { key: apiKey })).error?.code, 'not_found')
  assert.equal(
    (await house.ask('POST', '/v1/nothing', { key: apiKey, raw: '{', headers: { 'content-type': 'text/plain' } })).error
      ?.code,
    'not_found',
  )
  const reply = await house.ask('PUT', '/v1/account', { key: apiKey })
  assert.equal(reply.error?.code, 'method_not_allowed')
  assert.equal(reply.headers.allow, 'GET, HEAD, DELETE')
  assert.equal((await house.ask('PUT', '/v1/account')).error?.code, 'missing_api_key')
  assert.equal((await house.ask('POST', '/health')).error?.code, 'method_not_allowed')
  assert.equal((await house.ask('GET', '/v1/account/keys/%zz', { key: apiKey })).status, 400)
})

test('what can be read can be asked for without its body, by whoever may read it', async () => {
  const { apiKey } = await house.tenant()
  const ask = (method: 'GET' | 'HEAD', url: string, key = '') =>
    house.app.server.inject({ method, url, headers: key === '' ? {} : { 'x-api-key': key } })
  for (const [url, key] of [['/health'], ['/openapi'], ['/v1/account', apiKey]] as const) {
    const [head, get] = [await ask('HEAD', url, key), await ask('GET', url, key)]
    assert.deepEqual([head.statusCode, head.payload], [200, ''])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    assert.equal(head.headers['content-length'], get.headers['content-length'])
  }
  assert.equal((await ask('HEAD', '/v1/account')).statusCode, 401)
  assert.equal((await ask('HEAD', '/v1/actions/none/confirm', apiKey)).statusCode, 405)
})

test('a name in the address may be long: the route itself says that it knows none such', async () => {
  const name = 'n'.repeat(4_000)
  assert.deepEqual((await house.ask('GET', `/probe/named/${name}`)).body, { length: 4_000 })
  assert.equal((await house.ask('POST', `/v1/tools/${name}/call`, { body: {} })).error?.code, 'missing_api_key')
  const { apiKey: key } = await house.tenant()
  const tool = await house.ask('POST', `/v1/tools/${name}/call`, { key, body: {} })
  assert.deepEqual([tool.status, tool.error?.code], [404, 'unknown_tool'])
  assert.ok(tool.text.length < 1_000, 'the name is not said again at length')
  const prefix = await house.ask('DELETE', `/v1/account/keys/${name}`, { key })
  assert.deepEqual([prefix.status, prefix.error?.code], [404, 'unknown_key'])
  assert.ok(prefix.text.length < 1_000, 'the prefix is not said again at length')
})

test('an address with a letter or a space as it is says what to do', async () => {
  for (const address of ['/health?q=ჩაფხუტი', '/ჩაფხუტი', '/health?q=a b']) {
    const answer = await overTheWire(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*"invalid_request"[\s\S]*Percent-encode it/, address)
  }
  assert.doesNotMatch(await overTheWire('hello\r\n\r\n'), /Percent-encode/)
})

test('HTTP that is no HTTP is answered and closed, without a stack', async () => {
  const answer = await overTheWire('NOT HTTP AT ALL\r\n\r\n')
  assert.match(answer, /^HTTP\/1.1 400 /)
  assert.ok(!answer.includes('.ts') && !answer.includes('node_modules'))
  const flood = await overTheWire(`GET /health HTTP/1.1\r\nHost: x\r\nX-Flood: ${'a'.repeat(40_000)}\r\n\r\n`)
  assert.match(flood, /^HTTP\/1.1 400 [\s\S]*headers are larger/)
})

let port: Promise<number> | undefined
const listening = () =>
  (port ??= house.app.server.listen({ host: '127.0.0.1', port: 0 }).then((address) => Number(new URL(address).port)))

async function overTheWire(text: string): Promise<string> {
  const socket = connect(await listening(), '127.0.0.1')
  socket.end(text)
  let answer = ''
  for await (const piece of socket) answer += piece
  return answer
}

test('a caller that leaves in the middle of its body fails nobody', async () => {
  const before = house.logged.filter((line) => line.includes('failed on our side')).length
  const leaving = request({
    port: await listening(),
    method: 'POST',
    path: '/probe/echo',
    headers: { 'content-length': '1000', 'content-type': 'application/json' },
  })
  leaving.on('error', () => {})
  leaving.write('{"text":')
  await new Promise((resolve) => setTimeout(resolve, 50))
  leaving.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await house.ask('GET', '/health')).status, 200)
  assert.equal(house.logged.filter((line) => line.includes('failed on our side')).length, before)
})

test('while the database is away every request is told so, and the log says why once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => house.ask('GET', '/probe/away')))
  for (const { status, headers } of answers) assert.deepEqual([status, headers['retry-after']], [503, '2'])
  const why = house.logged.filter((line) => line.includes('it sleeps'))
  assert.equal(why.length, 1, why.join(''))
  assert.equal(house.logged.filter((line) => line.includes('/probe/away') && line.includes('503')).length, 20)
})

test('a probe does not wait behind requests without a key', async () => {
  reached = 0
  const flood = Promise.all(Array.from({ length: 50 }, () => house.ask('GET', '/probe/open')))
  assert.equal((await house.ask('GET', '/health')).status, 200)
  assert.ok(reached < 25, `${reached} were served first`)
  await flood
  reached = 0
})

test('requests without a key are served one per turn of the event loop, so that others get their turns between them', async () => {
  const answers = Promise.all(
    Array.from({ length: 20 }, () => house.app.server.inject({ method: 'GET', url: '/probe/open' })),
  )
  let most = 0
  for (let before = 0; reached < 20; before = reached) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, reached - before)
  }
  assert.equal(most, 1)
  for (const { statusCode } of await answers) assert.equal(statusCode, 200)
})
