// A server that lists without end, nests without end, or repeats what it was sent.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { McpServer, type RemoteTool, words } from './fixtures/mcp-server.ts'
import { callTool, decide, declared, put, set, TOOLS, view } from './fixtures/shop.ts'
import { MOST_LOOKS_AT_ONCE } from './limits.ts'
import { lookTogether } from './looks.ts'
import { findUpstream } from './queries.ts'
import { openKnownServers } from './reaching.ts'
import { answeredBy } from './send-result.ts'

type Asked = { readonly id: number; readonly params?: { readonly cursor?: string; readonly _meta?: object } }
const lastAsked = (server: McpServer): Asked => {
  const { body } = server.asked.at(-1) ?? assert.fail('nothing was asked')
  return body as Asked
}

/** The server answers a method with this text as its result, under the id of the request. */
function answering(server: McpServer, method: string, result: (cursor: number) => string, isStream = false): void {
  server.meddle = (_request, response, asked) => {
    if (asked !== method) return false
    const { id, params } = lastAsked(server)
    raw(response, `{"jsonrpc":"2.0","id":${id},"result":${result(Number(params?.cursor ?? 0))}}`, isStream)
    return true
  }
}

function raw(response: ServerResponse, text: string, isStream: boolean): void {
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  response.end(isStream ? `data: ${text}\n\n` : text)
}

const page = (tools: readonly string[], next: number | null) =>
  `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[${tools.join()}]${next === null ? '' : `,"nextCursor":"${next}"`}}`
const tool = (name: string, schema: string) => `{"name":"${name}","inputSchema":{"type":"object",${schema}}}`
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('a look brings in so much and no more, over all pages, and its owner hears what is too much', async (t) => {
  const { server, url } = await declared(t, 'endless')
  const large = `"title":"${'x'.repeat(900_000)}"`
  const many = `"enum":[${'1,'.repeat(20_000)}1]`
  for (const [listed, said] of [
    [(at: number) => page([tool(`t${at}`, large)], at < 18 ? at + 1 : null), /is more than 2097152 bytes/],
    [(at: number) => page([tool(`t${at}`, many)], at < 18 ? at + 1 : null), /is more than 50000 values/],
    [() => page([tool('t', `"properties":${deep(200)}`)], null), /is nested more than 128 levels deep/],
  ] as const) {
    for (const isStream of [false, true]) {
      answering(server, 'tools/list', listed, isStream)
      const before = server.count('tools/list')
      const { health } = await view('endless')
      assert.deepEqual([health.status, said.test(health.message ?? '')], ['unreachable', true], health.message ?? '')
      assert.ok(server.count('tools/list') - before <= 3, `${server.count('tools/list') - before} pages`)
      const { status, body } = await put('endless', { url, is_write: { t: false } })
      assert.deepEqual([status, said.test(body.error ?? '')], [400, true], body.error)
    }
  }
})

test('one large tool cannot be taken, and the others can', async (t) => {
  const { server, url } = await declared(t, 'large')
  answering(server, 'tools/list', () =>
    page(
      [
        tool('wide', `"enum":[${'1,'.repeat(12_000)}1]`),
        tool('long', `"title":"${'x'.repeat(200_000)}"`),
        tool('fits', '"a":1'),
      ],
      null,
    ),
  )
  const { status, body } = await put('large', { url, is_write: { fits: false } })
  assert.deepEqual([status, body.skipped], [200, ['wide', 'long']], JSON.stringify(body))
})

test('many who ask at once are told by few looks, and of few servers at a time', async (t) => {
  const names = ['asked_a', 'asked_b', 'asked_c', 'asked_d', 'asked_e', 'asked_f']
  let [looking, most] = [0, 0]
  const release = Promise.withResolvers<void>()
  const servers: McpServer[] = []
  // One after the other: too many who change a catalog at once are refused.
  for (const name of names) servers.push((await declared(t, name)).server)
  const before = servers.map((server) => server.count('tools/list'))
  const full = Promise.withResolvers<void>()
  for (const server of servers)
    server.meddle = (_request, response, method) => {
      if (method !== 'tools/list') return false
      most = Math.max(most, ++looking)
      if (looking >= MOST_LOOKS_AT_ONCE) full.resolve()
      const { id } = lastAsked(server)
      void release.promise.then(() => {
        looking--
        raw(response, `{"jsonrpc":"2.0","id":${id},"result":${page([], null)}}`, false)
      })
      return true
    }
  const { house } = set.house.app
  const { tenantId } = set.shop
  const known = openKnownServers()
  const rows = await Promise.all(names.map((name) => house.db.one(findUpstream, { tenantId, name })))
  // Past the rate of requests, which would refuse some of so many.
  const asked = rows.flatMap((row = assert.fail('no row')) =>
    Array.from({ length: 3 }, () =>
      lookTogether(
        { ...house, servers: known, asking: { tenantId } },
        { row, credential: null, deadlineMs: 60_000, fresh: false },
      ),
    ),
  )
  await full.promise
  release.resolve()
  await Promise.all(asked)
  assert.equal(most, MOST_LOOKS_AT_ONCE)
  assert.deepEqual(
    servers.map((server, at) => server.count('tools/list') - (before[at] ?? 0)),
    names.map(() => 1),
  )
})

test('what a server says with NUL and lone surrogates is stored and answered with U+FFFD in their place', async (t) => {
  const broken = 'a\0b \ud800c'
  const says: RemoteTool['answer'] = () => ({ content: [], structuredContent: { [broken]: [broken] } })
  const server = new McpServer([
    ...TOOLS.map((one) => ({ ...one, outputSchema: undefined, answer: says }) as RemoteTool),
    { name: 'broken', description: broken, inputSchema: { title: broken }, answer: says },
  ])
  const is_write = { searchIssues: false, 'create-issue': true, draw: false, broken: false }
  const { answer } = await declared(t, 'broken', { is_write }, server)
  assert.equal(answer.status, 200, answer.text)
  const catalog = await set.house.ask('GET', '/v1/tools', { key: set.shop.apiKey })
  assert.match(catalog.text, /a\ufffdb \ufffdc/)
  const read = JSON.stringify(await callTool('broken_search_issues'))
  assert.match(read, /a\ufffdb \ufffdc/)
  for (const text of [catalog.text, read]) assert.doesNotMatch(text, /\\u0000|\\ud800/)
})

test('what a server says of a failed call shows its invisible characters by their codes', () => {
  const result = answeredBy({ content: [{ type: 'text', text: 'a\u202eb\u200bc\nd' }], isError: true }, 'read', true)
  assert.equal(
    result.kind === 'lost' && result.message,
    'The server says that the call failed: "a[U+202E]b[U+200B]c d"',
  )
})

const SECRET = 'sk-live-SUPERSECRET-1234567890'

test('a server that repeats its credential tells it to nobody', async (t) => {
  const echo = (of: RemoteTool['answer']): readonly RemoteTool[] =>
    TOOLS.map((one) => ({ ...one, outputSchema: undefined, answer: of }) as RemoteTool)
  const server = new McpServer([
    ...echo(() => words('')),
    {
      name: 'leaky',
      description: `Send ${SECRET} along.`,
      inputSchema: { title: `Bearer ${SECRET}` },
      answer: () => words(''),
    },
  ])
  const is_write = { searchIssues: false, 'create-issue': true, draw: false, leaky: false }
  const { answer } = await declared(t, 'echo', { credential: SECRET, is_write }, server)
  assert.equal(answer.status, 200, answer.text)
  const catalog = await set.house.ask('GET', '/v1/tools', { key: set.shop.apiKey })
  assert.match(catalog.text, /Send \[redacted\] along\./)
  const heard = [answer.text, catalog.text]
  const answers: RemoteTool['answer'][] = [
    () => words(`hello Bearer ${SECRET}`),
    () => words(JSON.stringify({ [`key ${SECRET}`]: Buffer.from(SECRET).toString('base64') })),
    () => ({ content: [], structuredContent: { auth: `Bearer ${SECRET}`, [SECRET]: [SECRET] } }),
    () => ({ ...words(`boom ${SECRET}`), isError: true }),
    () => ({ content: [{ type: 'resource', resource: { uri: `https://x/?token=${SECRET}`, text: SECRET } }] }),
    () => {
      throw new Error(`boom ${SECRET}`)
    },
    async ({ progress }) => {
      await progress(1, 2)
      return words('done')
    },
  ]
  const { body: issued } = await set.house.ask<{ key: string }>('POST', '/v1/account/keys', {
    key: set.shop.apiKey,
    body: { kind: 'agent', label: 'an agent' },
  })
  const tools = server.tools
  for (const of of answers) {
    server.tools = tools.map((one) => ({ ...one, answer: of }))
    heard.push(JSON.stringify(await callTool('echo_search_issues')))
    const params = { name: 'echo_search_issues', arguments: { title: 'a' } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    heard.push((await set.house.ask('POST', '/mcp', { key: issued.key, body })).text)
    const { actionId } = await callTool('echo_create_issue')
    heard.push((await decide('confirm', actionId)).text)
  }
  server.meddle = (_request, response) => {
    raw(response, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"No, ${SECRET}."}}`, false)
    return true
  }
  const { health } = await view('echo')
  heard.push(JSON.stringify(health))
  const told = heard.join('\n')
  assert.ok(!told.includes(SECRET) && !told.includes(Buffer.from(SECRET).toString('base64')), told)
  assert.match(told, /hello Bearer \[redacted\]/)
  assert.match(told, /boom \[redacted\]/)
  assert.ok(!set.house.logged.join('').includes(SECRET))
})

test('progress is passed on without what else a server says beside it, and without its credential', async (t) => {
  const { server } = await declared(t, 'slow', { credential: SECRET })
  server.meddle = (_request, response, method) => {
    if (method !== 'tools/call') return false
    const { id, params } = lastAsked(server)
    const more = { progress: 1, total: 2, message: `Asks with ${SECRET}`, _meta: { z: 'beside' }, evil: 'beside' }
    const said = { jsonrpc: '2.0', method: 'notifications/progress', params: { ...params?._meta, ...more } }
    const result = { content: [], structuredContent: { total: 1 }, resultType: 'complete' }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([said, { jsonrpc: '2.0', id, result }].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''))
    return true
  }
  const params = { name: 'slow_search_issues', arguments: { title: 'a' }, _meta: { progressToken: 5 } }
  const { text } = await set.house.ask('POST', '/mcp', {
    key: set.shop.apiKey,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { accept: 'application/json, text/event-stream' },
  })
  const [progress, end] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  assert.deepEqual(progress?.params, { progressToken: 5, progress: 1, total: 2, message: 'Asks with [redacted]' }, text)
  assert.deepEqual(end?.result.structuredContent, { total: 1 })
})

test('an answer that is thousands deep is no failure of ours: the write is not known, and the read says why', async (t) => {
  const { server } = await declared(t, 'deeply', {
    tools: ['draw', 'create-issue'],
    is_write: { draw: false, 'create-issue': true },
  })
  for (const isStream of [false, true])
    for (const levels of [5_000, 20_000]) {
      answering(
        server,
        'tools/call',
        () => `{"content":[],"structuredContent":${deep(levels)},"resultType":"complete"}`,
        isStream,
      )
      const read = await callTool('deeply_draw', {})
      assert.deepEqual([read.status, /nested more than 1000 levels/.test(read.message ?? '')], ['endpoint_error', true])
      const { actionId } = await callTool('deeply_create_issue')
      const before = server.count('tools/call')
      const { body } = await decide('confirm', actionId)
      assert.deepEqual([body.status, server.count('tools/call') - before], ['Indeterminate', 1])
    }
  answering(server, 'tools/call', () => `{"content":[],"structuredContent":${deep(300)},"resultType":"complete"}`)
  const { actionId } = await callTool('deeply_create_issue')
  assert.equal((await decide('confirm', actionId)).body.status, 'Executed')
})
