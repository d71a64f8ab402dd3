// Calls of the tools of an MCP server, and what becomes of those that go wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../kernel/db/index.ts'
import { McpServer, words } from './fixtures/mcp-server.ts'
import { callTool, decide, declared, seen, set, TOOLS, view } from './fixtures/shop.ts'

for (const legacyOnly of [false, true]) {
  test(`a server of ${legacyOnly ? '2025' : '2026'} is declared, and its tools are called and staged like others`, async (t) => {
    const name = legacyOnly ? 'older' : 'newer'
    const { answer, server } = await declared(t, name, {}, new McpServer(TOOLS, { legacyOnly }))
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      answer.body.upstream.tools.map((tool) => [tool.name, tool.isWrite, tool.idempotency, tool.state]),
      [
        [`${name}_search_issues`, false, 'none', 'ready'],
        [`${name}_create_issue`, true, 'none', 'ready'],
        [`${name}_draw`, false, 'none', 'ready'],
      ],
    )
    const read = await callTool(`${name}_search_issues`)
    assert.deepEqual([read.status, read.result], ['ok', { total: 2 }])
    seen.length = 0
    const staged = await callTool(`${name}_create_issue`)
    assert.deepEqual([staged.status, seen.length], ['preview', 0])
    const { status, body } = await decide('confirm', staged.actionId)
    assert.deepEqual([status, body.status, body.appliedChanges], [200, 'Executed', { number: 7 }])
    assert.deepEqual(seen[0]?.arguments, { title: 'a' })
    assert.match(String(seen[0]?.meta['tether/idempotencyKey']), /^act_/)
    assert.equal(seen.length, 1)
    assert.equal(server.count(legacyOnly ? 'initialize' : 'tools/call') > 0, true)
  })
}

const lookOld = statement<unknown, { tenantId: number }>(
  'test.look_is_old',
  "update upstreams set checked_at = now() - interval '1 hour' where tenant_id = $tenantId::int",
)

test('a read goes by a look of the last minute, and looks again after it', async (t) => {
  const { server } = await declared(t, 'looked')
  const before = server.count('tools/list')
  await callTool('looked_search_issues')
  assert.equal(server.count('tools/list'), before)
  await set.house.database.database.run(lookOld, { tenantId: set.shop.tenantId })
  server.tools = TOOLS.map((tool) => (tool.name === 'draw' ? { ...tool, description: 'Draws something else.' } : tool))
  seen.length = 0
  assert.equal((await callTool('looked_draw', {})).status, 'failed')
  assert.equal(seen.length, 0)
  assert.equal((await callTool('looked_search_issues')).status, 'ok')
})

test('a write whose server says nothing clear is not known, and is not sent again', async (t) => {
  const { server } = await declared(t, 'unclear')
  const attempt = async (meddle: McpServer['meddle']) => {
    const staged = await callTool('unclear_create_issue')
    const before = server.count('tools/call')
    server.meddle = meddle
    const { body } = await decide('confirm', staged.actionId)
    server.meddle = () => false
    return [body.status, server.count('tools/call') - before]
  }
  const onCall =
    (answer: (response: Parameters<McpServer['meddle']>[1]) => void): McpServer['meddle'] =>
    (_request, response, method) => {
      if (method !== 'tools/call') return false
      answer(response)
      return true
    }
  const status = (code: number) => onCall((response) => void response.writeHead(code).end())
  assert.deepEqual(await attempt(onCall((response) => response.destroy())), ['Indeterminate', 1])
  assert.deepEqual(await attempt(onCall(() => {})), ['Indeterminate', 1])
  assert.deepEqual(await attempt(status(500)), ['Indeterminate', 1])
  assert.deepEqual(
    await attempt(onCall((response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'))),
    ['Indeterminate', 1],
  )
  assert.deepEqual(
    await attempt(onCall((response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end())),
    ['Indeterminate', 1],
  )
  // A redirect is not followed: what is meant for one address is meant for no other.
  assert.deepEqual(await attempt(onCall((response) => void response.writeHead(307, { location: '/mcp' }).end())), [
    'Indeterminate',
    1,
  ])
  assert.deepEqual(await attempt(status(403)), ['FailedTerminal', 1])
  assert.deepEqual(await attempt(status(429)), ['FailedRetryable', 1])
  // Before the call, nothing of it was sent.
  assert.deepEqual(await attempt((_request, response) => !!response.destroy()), ['FailedRetryable', 0])
  server.tools = TOOLS.map((tool) => ({ ...tool, answer: () => ({ ...words('half of it is done'), isError: true }) }))
  assert.deepEqual(await attempt(() => false), ['Indeterminate', 1])
})

test('what a read hears from a server that fails is a status with words', async (t) => {
  const { server } = await declared(t, 'failing')
  server.tools = TOOLS.map((tool) => ({ ...tool, answer: () => ({ ...words('no such repository'), isError: true }) }))
  const failed = await callTool('failing_search_issues')
  assert.deepEqual([failed.status, /no such repository/.test(failed.message ?? '')], ['endpoint_error', true])
  server.tools = TOOLS.map((tool) => ({
    ...tool,
    answer: () => ({ content: [], structuredContent: { total: 'many' } }),
  }))
  assert.match((await callTool('failing_search_issues')).message ?? '', /does not fit the schema/)
  server.tools = TOOLS.map((tool) => ({ ...tool, answer: () => words('x'.repeat(400_000)) }))
  assert.equal((await callTool('failing_draw', {})).status, 'response_too_large')
  await server.stop()
  assert.equal((await callTool('failing_draw', {})).status, 'unreachable')
  const { health } = await view('failing')
  assert.equal(health.status, 'unreachable')
})

test('an indeterminate write is never sent again, until a person says what happened', async (t) => {
  const { server } = await declared(t, 'once')
  const staged = await callTool('once_create_issue')
  server.meddle = (_request, response, method) => method === 'tools/call' && !!response.destroy()
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'Indeterminate')
  server.meddle = () => false
  seen.length = 0
  assert.equal((await decide('reconcile', staged.actionId)).body.status, 'Indeterminate')
  assert.equal(seen.length, 0)
  const said = await decide('reconcile', staged.actionId, { performed: true, note: 'It is there.' })
  assert.deepEqual([said.body.status, seen.length], ['Executed', 0], said.text)
})

test('a tool that is declared to know our key is asked again under the same one', async (t) => {
  const tools = [{ name: 'create-issue', idempotency: 'key' }]
  const { server, answer } = await declared(t, 'knowing', { tools, is_write: { 'create-issue': true } })
  assert.equal(answer.body.upstream.tools[0]?.idempotency, 'key')
  const staged = await callTool('knowing_create_issue')
  server.meddle = (_request, response, method) => method === 'tools/call' && !!response.destroy()
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'Indeterminate')
  server.meddle = () => false
  seen.length = 0
  assert.equal((await decide('reconcile', staged.actionId)).body.status, 'Executed')
  const keys = server.asked.filter(({ method }) => method === 'tools/call').map(({ body }) => keyIn(body))
  assert.deepEqual([seen.length, keys.length, new Set(keys).size], [1, 2, 1])
})

const keyIn = (body: unknown): unknown =>
  (body as { params: { _meta: Record<string, unknown> } }).params._meta['tether/idempotencyKey']
