// What is decided before the protocol begins: who may come, from where, with what, and how often.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openCompany } from '../../../testkit/company.ts'
import { openHouse } from '../../../testkit/house.ts'
import { timed } from '../../../testkit/stopwatch.ts'
import { address, call, ERAS, endpoint, modern, modernHeaders, post, type Rpc, rpc, set } from './fixtures/shop.ts'

const refusal = ({ status, error }: { status: number; error: { code: string } | undefined }) => [status, error?.code]

test('a key is asked for, and only a secret or an agent key will do', async () => {
  const ask = (key?: string) =>
    set.house.ask('POST', '/mcp', { body: rpc('tools/list'), ...(key === undefined ? {} : { key }) })
  assert.deepEqual(refusal(await ask()), [401, 'missing_api_key'])
  assert.deepEqual(refusal(await ask(`tag_${'0'.repeat(48)}`)), [401, 'invalid_api_key'])
  assert.equal((await ask(set.shop.apiKey)).status, 200)
  for (const kind of ['publishable', 'inbox', 'ci', 'provider', 'sandbox'] as const) {
    const refused = await ask(await set.house.key(set.shop.tenantId, kind))
    assert.deepEqual(refusal(refused), [403, 'insufficient_scope'], kind)
  }
  assert.deepEqual(refusal(await ask(set.house.operatorKey)), [403, 'insufficient_scope'])
})

test('a bearer token is a key as well', async () => {
  const headers = { authorization: `Bearer ${set.shop.agentKey}` }
  assert.equal((await set.house.ask('POST', '/mcp', { body: rpc('tools/list'), headers })).status, 200)
})

test('another verb is answered over HTTP', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await set.house.ask(method, '/mcp', { key: set.shop.agentKey })
    assert.deepEqual([...refusal(answer), answer.headers.allow], [405, 'method_not_allowed', 'POST'], method)
  }
  assert.deepEqual(refusal(await set.house.ask('GET', '/mcp')), [401, 'missing_api_key'])
})

test('a body that is not JSON-RPC is answered over HTTP', async () => {
  const raw = async (text: string) =>
    refusal(
      await set.house.ask('POST', '/mcp', {
        key: set.shop.agentKey,
        raw: text,
        headers: { 'content-type': 'application/json' },
      }),
    )
  for (const text of [
    '{',
    '"text"',
    '7',
    'null',
    '{}',
    '[]',
    '[1]',
    '[{}]',
    '{"jsonrpc":"2.0"}',
    '{"id":1,"method":"tools/list"}',
  ])
    assert.deepEqual(await raw(text), [400, 'invalid_request'], text)
  assert.deepEqual(refusal(await set.house.ask('POST', '/mcp', { key: set.shop.agentKey })), [400, 'invalid_request'])
  assert.deepEqual(await raw(JSON.stringify([rpc('ping', {}, 1), rpc('ping', {}, 1)])), [400, 'invalid_request'])
})

test('a body without a type, or with that of a form, is read as JSON', async () => {
  for (const type of [undefined, 'application/x-www-form-urlencoded']) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const raw = JSON.stringify(rpc('tools/list'))
    assert.equal((await set.house.ask('POST', '/mcp', { key: set.shop.agentKey, raw, headers })).status, 200, type)
  }
})

test('a batch is answered as one, and fifty messages are the most', async () => {
  const batch = (most: number) => Array.from({ length: most }, (_, id) => rpc('tools/list', {}, id))
  const { status, body } = await post(batch(50))
  assert.equal(status, 200)
  assert.deepEqual(
    (body as unknown as Rpc[]).map(({ id }) => id),
    Array.from({ length: 50 }, (_, id) => id),
  )
  assert.deepEqual(refusal(await post(batch(51))), [413, 'batch_too_large'])
})

test('calls of a batch run four at a time', async () => {
  const company = openCompany(4, 12)
  endpoint.play((_seen, response) => void company.stay().then(() => response.end('{}')))
  const calls = Array.from({ length: 12 }, (_, id) => ({ ...call('get_order'), id }))
  assert.equal((await post(calls)).status, 200)
  assert.equal(company.highest(), 4)
})

test('each message of a batch counts against the lane', async () => {
  await using house = await openHouse({ settings: { 'RateLimit:RuntimePerMinute': '10' } })
  const { apiKey: key } = await house.tenant()
  const batch = Array.from({ length: 8 }, (_, id) => rpc('tools/list', {}, id))
  const answer = await house.ask('POST', '/mcp', { key, body: batch })
  assert.deepEqual([answer.status, answer.headers['ratelimit-remaining']], [200, '2'])
  const refused = await house.ask('POST', '/mcp', { key, body: batch })
  assert.deepEqual(refusal(refused), [429, 'rate_limited'])
  assert.ok(refused.headers['retry-after'])
})

test('a page of another site is refused, whatever its key, and one of the service is not', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1', 'https://localhost:8787', 'nonsense'])
    for (const send of Object.values(ERAS))
      assert.deepEqual(
        refusal(await send(rpc('tools/list'), { headers: { origin } })),
        [403, 'origin_not_allowed'],
        origin,
      )
  const { origin, port } = new URL(set.house.settings.http.publicUrl)
  for (const own of [origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`])
    assert.equal((await post(rpc('tools/list'), { headers: { origin: own } })).status, 200, own)
})

test('a notification is taken, and answered with nothing', async () => {
  const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([status, text], [202, ''])
})

test('a batch that takes back its own call is answered, and its write is told', async () => {
  const taken = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const ping = rpc('ping', {}, 2)
  const { status, body } = await post([call('refund_order'), taken, ping])
  const answers = body as unknown as Rpc[]
  assert.deepEqual([status, answers.map(({ id }) => id).sort()], [200, [1, 2]])
  assert.equal(answers.find(({ id }) => id === 1)?.result.structuredContent.status, 'staged')
  const streamed = await post([call('refund_order', { number: 'S' }, { progressToken: 1 }), taken, ping], {
    headers: { accept: 'application/json, text/event-stream' },
  })
  assert.equal(streamed.text.match(/"id":[12]/g)?.length, 2, streamed.text)
  for (const alone of [taken, [taken], [taken, taken]]) {
    const { status, text } = await post(alone)
    assert.deepEqual([status, text], [202, ''])
  }
})

test('each era has its handshake, and neither leaves anything behind', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { body, headers } = await post(rpc('initialize', params))
  assert.equal(body.result.protocolVersion, '2025-11-25')
  assert.deepEqual(body.result.capabilities, { tools: {} })
  assert.equal(headers['mcp-session-id'], undefined)
  const discovered = await ERAS['2026-07-28'](rpc('server/discover'))
  assert.deepEqual(discovered.body.result.supportedVersions, ['2026-07-28'])
  assert.deepEqual([discovered.body.result.cacheScope, discovered.body.result.ttlMs], ['private', 30_000])
  const listed = await ERAS['2026-07-28'](rpc('tools/list'))
  assert.deepEqual([listed.body.result.cacheScope, listed.body.result.resultType], ['private', 'complete'])
})

test('what the revision of 2026 forbids is refused as it says', async () => {
  const send = ERAS['2026-07-28']
  const code = ({ status, body }: { status: number; body: Rpc }) => [status, body.error?.code]
  assert.deepEqual(code(await send(rpc('nothing/like-it'))), [404, -32601])
  assert.deepEqual(code(await send(rpc('subscriptions/listen', { notifications: {} }))), [404, -32601])
  const message = rpc('tools/list')
  const wrong = { ...modernHeaders(message), 'mcp-method': 'tools/call' }
  assert.deepEqual(code(await post(modern(message), { headers: wrong })), [400, -32020])
  assert.deepEqual(code(await post([modern(message)], { headers: modernHeaders(message) })), [400, -32600])
})

test('a caller who leaves ends the call of the business, which is no failure of ours', async () => {
  const url = await address()
  const message = call('get_order')
  const sendings = {
    '2025-11-25': { message, more: {} },
    '2026-07-28': { message: modern(message), more: modernHeaders(message) },
  }
  for (const [era, { message, more }] of Object.entries(sendings)) {
    const left = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    // It never answers, and hears when nobody waits any longer.
    endpoint.play((_seen, response) => {
      response.once('close', left.resolve)
      reached.resolve()
    })
    const headers = { 'x-api-key': set.shop.agentKey, 'content-type': 'application/json', ...more }
    const sent = request(url, { method: 'POST', headers })
    sent.on('error', () => {})
    sent.end(JSON.stringify(message))
    await reached.promise
    // By itself it would go on until its own end.
    const { ms } = await timed(() => {
      sent.destroy()
      return left.promise
    })
    assert.ok(ms < 4_000, `${era}: ${ms} ms`)
  }
  const levels = set.house.logged.map((line) => (JSON.parse(line) as { level: unknown }).level)
  assert.ok(!levels.includes('error') && !levels.includes(50), set.house.logged.at(-1))
})
