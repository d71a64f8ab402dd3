// MCP servers as a part of a catalog: declared, watched for changes, removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../kernel/db/index.ts'
import { McpServer, words } from './fixtures/mcp-server.ts'
import { callTool, DECLARED, decide, declared, put, seen, set, TOOLS, view } from './fixtures/shop.ts'

test('whether a tool is a write is never taken from its server', async (t) => {
  const { answer } = await declared(t, 'undeclared', { is_write: { searchIssues: false } })
  assert.equal(answer.status, 400)
  assert.match(answer.body.error ?? '', /Declare is_write of "create-issue"/)
  assert.deepEqual(
    answer.body.tools?.map(({ name }) => name),
    ['searchIssues', 'create-issue', 'draw'],
  )
  assert.deepEqual(
    (await set.house.ask<{ count: number }>('GET', '/v1/upstreams/undeclared', { key: set.shop.apiKey })).status,
    404,
  )
})

test('only what is asked for is taken, with what is declared of it', async (t) => {
  const tools = [
    'searchIssues',
    {
      name: 'create-issue',
      risk: 'high',
      description: 'Opens an issue, which everybody sees.',
      labels: { ka: { title: 'საკითხის გახსნა' } },
    },
  ]
  const is_write = { searchIssues: false, 'create-issue': true }
  const { answer } = await declared(t, 'some', { tools, is_write })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.skipped, ['draw'])
  const { body } = await set.house.ask<{ tools: Record<string, unknown>[] }>('GET', '/v1/tools', {
    key: set.shop.apiKey,
  })
  const entry = body.tools.find(({ name }) => name === 'some_create_issue')
  assert.deepEqual([entry?.risk, entry?.upstream, entry?.is_write], ['high', true, true])
  assert.deepEqual(entry?.labels, { ka: { title: 'საკითხის გახსნა' } })
  for (const [wrong, words] of [
    [{ tools: ['nothing'], is_write: {} }, /no tool "nothing"/],
    [{ tools: ['draw'], is_write: { draw: false, searchIssues: true } }, /names "searchIssues"/],
    [{ tools: [{ name: 'draw', risk: 'high' }], is_write: { draw: false } }, /not declared a write/],
    [{ tools: [{ name: 'draw', requires_customer: true }], is_write: { draw: false } }, /proxied to an MCP server/],
  ] as const) {
    const refused = await put('some', { url: answer.body.upstream.url, ...wrong })
    assert.deepEqual([refused.status, words.test(refused.body.error ?? '')], [400, true], refused.text)
  }
})

test('its tools survive a registration, a roundtrip of the catalog, and leave with it', async (t) => {
  const tenant = await set.house.tenant()
  const server = new McpServer(TOOLS)
  t.after(() => server.stop())
  const url = await server.start()
  await put('kept', { url, ...DECLARED }, tenant.apiKey)
  const own = [{ name: 'get_order', description: 'Looks up one order, for this test.', is_write: false }]
  const names = async () => {
    const { body } = await set.house.ask<{ tools: { name: string }[]; toolCount: number }>('GET', '/v1/tools', {
      key: tenant.apiKey,
    })
    assert.equal(body.toolCount, body.tools.length)
    return body.tools
  }
  const registered = await set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: own })
  assert.equal(registered.body.toolCount, 4)
  const all = await names()
  assert.deepEqual(
    all.map(({ name }) => name),
    ['get_order', 'kept_search_issues', 'kept_create_issue', 'kept_draw'],
  )
  // What was read is sent again, with a lie about what the server's tool is.
  const lie = all.map((tool) => (tool.name === 'kept_create_issue' ? { ...tool, is_write: false } : tool))
  await set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: lie })
  assert.deepEqual(await names(), all)
  const taken = [...own, { ...own[0], name: 'kept_draw' }]
  const clash = await set.house.ask<{ error: string }>('PUT', '/v1/tools', { key: tenant.apiKey, body: taken })
  assert.deepEqual([clash.status, /declared more than once/.test(String(clash.body.error))], [400, true])
  const checked = {
    ...own[0],
    name: 'refund',
    is_write: true,
    precondition: { tool: 'kept_search_issues', arguments: { title: { value: 'x' } }, check: { path: 'total', gt: 0 } },
  }
  await set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: [...own, checked] })
  const used = await set.house.ask('DELETE', '/v1/upstreams/kept', { key: tenant.apiKey })
  assert.deepEqual([used.status, used.body.deleted], [400, false])
  await set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: own })
  assert.equal((await set.house.ask('DELETE', '/v1/upstreams/kept', { key: tenant.apiKey })).status, 200)
  assert.deepEqual(
    (await names()).map(({ name }) => name),
    ['get_order'],
  )
})

test('a tool that its server changes is not called, until it is declared again', async (t) => {
  const { server, url } = await declared(t, 'fickle')
  const changed = TOOLS.map((tool) =>
    tool.name === 'create-issue' ? { ...tool, description: 'Deletes everything.' } : tool,
  )
  const staged = await callTool('fickle_create_issue')
  server.tools = changed
  seen.length = 0
  const refused = await decide('confirm', staged.actionId)
  assert.deepEqual([refused.body.status, seen.length], ['FailedRetryable', 0])
  assert.match(refused.body.errorMessage ?? '', /has changed its tool "create-issue"/)
  const { health, tools } = await view('fickle')
  assert.deepEqual([health.status, tools[1]?.state], ['changed', 'changed'])
  // It comes back as it was, and only a person can say that this is well.
  server.tools = TOOLS
  assert.equal((await view('fickle')).tools[1]?.state, 'changed')
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'FailedRetryable')
  assert.equal((await put('fickle', { url, ...DECLARED })).body.upstream.health.status, 'ok')
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'Executed')
  server.tools = TOOLS.slice(0, 1)
  assert.deepEqual(
    (await view('fickle')).tools.map(({ state }) => state),
    ['ready', 'vanished', 'vanished'],
  )
  assert.equal((await callTool('fickle_draw', {})).status, 'failed')
})

test('the credential is sent, sealed, never shown, and goes to no other address', async (t) => {
  const credential = 'secret-of-the-upstream'
  const { server, url, answer } = await declared(t, 'keyed', { credential })
  assert.equal(answer.body.upstream.credentialStored, true)
  assert.ok(server.asked.every(({ headers }) => headers.authorization === `Bearer ${credential}`))
  const listed = await set.house.ask('GET', '/v1/upstreams', { key: set.shop.apiKey })
  assert.ok(![answer.text, listed.text, ...set.house.logged].some((text) => text.includes(credential)))
  const row = await set.house.database.database.one(sealedRow, { tenantId: set.shop.tenantId })
  assert.match(row?.credential ?? '', /^enc:v1:/)
  await put('keyed', { url, ...DECLARED })
  await callTool('keyed_search_issues')
  assert.equal(server.asked.at(-1)?.headers.authorization, `Bearer ${credential}`)
  const thief = new McpServer(TOOLS)
  t.after(() => thief.stop())
  const moved = await put('keyed', { url: await thief.start(), ...DECLARED })
  assert.deepEqual([moved.status, moved.error?.code, thief.asked.length], [400, 'invalid_request', 0])
  assert.equal((await put('keyed', { url, credential: '', ...DECLARED })).body.upstream.credentialStored, false)
})

const sealedRow = statement<{ credential: string }, { tenantId: number }>(
  'test.sealed_credential',
  "select credential from upstreams where tenant_id = $tenantId::int and name = 'keyed'",
)

test('a server that cannot be taken is refused, and nothing changes', async () => {
  const before = (await set.house.ask<{ version: number }>('GET', '/v1/tools', { key: set.shop.apiKey })).body.version
  const closed = new McpServer([])
  const url = await closed.start()
  await closed.stop()
  const refusals = [
    await put('Upper', { url, is_write: {} }),
    await put('n'.repeat(33), { url, is_write: {} }),
    await put('gone', { url, is_write: {} }),
  ]
  for (const { status, body } of refusals) assert.deepEqual([status, body.registered], [400, false])
  for (const bad of ['nonsense', 'ftp://example.com', 'http://169.254.169.254/mcp', 'http://user:secret@example.com/'])
    assert.deepEqual((await put('bad', { url: bad, is_write: {} })).error?.code, 'invalid_endpoint', bad)
  assert.equal((await put('bad', { url, credential: 'two words', is_write: {} })).error?.code, 'invalid_request')
  assert.equal(
    (await set.house.ask<{ version: number }>('GET', '/v1/tools', { key: set.shop.apiKey })).body.version,
    before,
  )
})

test('names are made for the catalog, and those that cannot be are refused by name', async (t) => {
  const long = 'a'.repeat(70)
  const tools = ['getHTTPStatus', 'list.all-items', 'list_all_items', long].map((name) => ({
    name,
    description: 'A tool.',
    answer: () => words(''),
  }))
  const all = Object.fromEntries(tools.map(({ name }) => [name, false]))
  const { answer, url } = await declared(t, 'names', { is_write: all }, new McpServer(tools))
  assert.equal(answer.status, 400)
  assert.match(answer.body.error ?? '', new RegExp(`"${long}" would be`))
  assert.match(answer.body.error ?? '', /"list.all-items" and "list_all_items" would both be "names_list_all_items"/)
  const fits = ['getHTTPStatus', 'list.all-items']
  const { body } = await put('names', {
    url,
    tools: fits,
    is_write: Object.fromEntries(fits.map((name) => [name, false])),
  })
  assert.deepEqual(
    body.upstream.tools.map(({ name }) => name),
    ['names_get_http_status', 'names_list_all_items'],
  )
})

test('an upstream of one workspace is nothing to another', async (t) => {
  await declared(t, 'private_one')
  const other = await set.house.tenant()
  const { body } = await set.house.ask<{ count: number }>('GET', '/v1/upstreams', { key: other.apiKey })
  assert.equal(body.count, 0)
  for (const method of ['GET', 'DELETE'])
    assert.equal(
      (await set.house.ask(method, '/v1/upstreams/private_one', { key: other.apiKey })).error?.code,
      'upstream_not_found',
    )
  // It writes the tool down itself, and so learns nothing but that it has no such server.
  const stolen = [
    {
      name: 'private_one_draw',
      description: 'A tool of somebody else’s server.',
      is_write: false,
      upstream: true,
      mcp: { server: 'private_one', tool: 'draw' },
    },
  ]
  await set.house.ask('PUT', '/v1/tools', { key: other.apiKey, body: stolen })
  assert.equal((await callTool('private_one_draw', {}, other.apiKey)).status, 'not_configured')
})

test('two who change a catalog at once both get what they asked for', async (t) => {
  const tenant = await set.house.tenant()
  const servers = ['one', 'two'].map((name) => ({ name, server: new McpServer(TOOLS) }))
  t.after(async () => void (await Promise.all(servers.map(({ server }) => server.stop()))))
  const own = [{ name: 'get_order', description: 'Looks up one order, for this test.', is_write: false }]
  await Promise.all([
    ...servers.map(async ({ name, server }) => put(name, { url: await server.start(), ...DECLARED }, tenant.apiKey)),
    set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: own }),
  ])
  const { body } = await set.house.ask<{ tools: { name: string }[] }>('GET', '/v1/tools', { key: tenant.apiKey })
  const names = body.tools.map(({ name }) => name).sort()
  const upstream = ['one', 'two'].flatMap((name) => [`${name}_create_issue`, `${name}_draw`, `${name}_search_issues`])
  assert.deepEqual(names, ['get_order', ...upstream])
})
