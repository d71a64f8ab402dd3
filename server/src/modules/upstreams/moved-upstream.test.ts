// A write whose outcome is not known, and whose server was declared at another address since: the new one has no claim of its key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { McpServer } from './fixtures/mcp-server.ts'
import { callTool, decide, declared, put, set, TOOLS } from './fixtures/shop.ts'

const KNOWN = { tools: [{ name: 'create-issue', idempotency: 'key' }], is_write: { 'create-issue': true } }
const ENDPOINT_TOOL = {
  name: 'turned_create_issue',
  description: 'Opens an issue at the endpoint of the shop.',
  is_write: true,
  parameters: { type: 'object', properties: { title: { type: 'string' } } },
}

type Ending = { after(work: () => Promise<void>): void }

/** A write that was sent to a server which gave no answer, and a second server that could take its place. */
async function lost(t: Ending, name: string) {
  const { server: old, url } = await declared(t, name, KNOWN)
  const staged = await callTool(`${name}_create_issue`)
  old.meddle = (_request, response, method) => method === 'tools/call' && !!response.destroy()
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'Indeterminate')
  old.meddle = () => false
  const now = new McpServer(TOOLS)
  t.after(() => now.stop())
  const moveTo = async (address: string) => {
    const answer = await put(name, { url: address, ...KNOWN })
    assert.equal(answer.status, 200, answer.text)
  }
  const reconcile = (body?: object) => decide('reconcile', staged.actionId, body)
  return { old, now, url, elsewhere: await now.start(), moveTo, reconcile, actionId: staged.actionId }
}
const calls = (...servers: McpServer[]) => servers.map((server) => server.count('tools/call'))

test('a reconcile after the server moved sends nothing anywhere, and says what to do', async (t) => {
  const { old, now, url, elsewhere, moveTo, reconcile } = await lost(t, 'moved')
  await moveTo(elsewhere)
  for (const body of [undefined, {}, { sendToNewEndpoint: false }]) {
    const { status, body: said } = await reconcile(body)
    assert.deepEqual([status, said.status, said.errorCode], [400, 'Conflict', 'CONFLICT'])
    assert.match(said.errorMessage ?? '', /PUT \/v1\/upstreams/)
    assert.match(said.errorMessage ?? '', /sendToNewEndpoint/)
    assert.doesNotMatch(said.errorMessage ?? '', /127\.0\.0\.1/, 'an address may hold a secret')
  }
  assert.deepEqual(calls(old, now), [1, 0])
  await moveTo(url)
  assert.equal((await reconcile()).body.status, 'Executed')
  assert.deepEqual(calls(old, now), [2, 0])
})

test('a reconcile that is told to goes to the new server, under the same key', async (t) => {
  const { old, now, elsewhere, moveTo, reconcile } = await lost(t, 'followed')
  await moveTo(elsewhere)
  assert.equal((await reconcile({ sendToNewEndpoint: true })).body.status, 'Executed')
  assert.deepEqual(calls(old, now), [1, 1])
  const [first, second] = [old, now].map(({ asked }) => asked.find(({ method }) => method === 'tools/call')?.body)
  assert.deepEqual(keyIn(first), keyIn(second))
})

const keyIn = (body: unknown): unknown =>
  (body as { params: { _meta: Record<string, unknown> } }).params._meta['tether/idempotencyKey']

test('a write of a server is not sent to an endpoint whose tool has taken its name', async (t) => {
  const { old, now, reconcile } = await lost(t, 'turned')
  const seen: string[] = []
  now.meddle = (_request, response) => !!seen.push('endpoint') && !!response.end('{}')
  const { apiKey: key } = set.shop
  await set.house.ask('PUT', '/v1/endpoint', { key, body: { url: await now.start() } })
  assert.equal((await set.house.ask('DELETE', '/v1/upstreams/turned', { key })).status, 200)
  const put = await set.house.ask('PUT', '/v1/tools', { key, body: [ENDPOINT_TOOL] })
  assert.equal(put.status, 200, put.text)
  assert.equal((await reconcile()).body.status, 'Conflict')
  assert.deepEqual([calls(old), seen], [[1], []])
})

test('a confirm that was claimed for one address sends nothing to the next', async (t) => {
  const { server: old } = await declared(t, 'raced', KNOWN)
  const now = new McpServer(TOOLS)
  t.after(() => now.stop())
  const elsewhere = await now.start()
  const staged = await callTool('raced_create_issue')
  let moved: Awaited<ReturnType<typeof put>> | undefined
  const at = async (point: string) => {
    if (point === 'before_send') moved ??= await put('raced', { url: elsewhere, ...KNOWN })
  }
  await using beside = await openHouse({ beside: set.house, faults: { at } })
  const first = await decide('confirm', staged.actionId, {}, beside)
  assert.deepEqual([moved?.status, first.body.status], [200, 'FailedRetryable'], first.text)
  assert.deepEqual(calls(old, now), [0, 0])
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'GuardForbidden')
  assert.deepEqual(calls(old, now), [0, 0])
})

test('a write is not approved after its server moved, and amending it stages it for the new server', async (t) => {
  const { server: old } = await declared(t, 'unseen', KNOWN)
  const now = new McpServer(TOOLS)
  t.after(() => now.stop())
  const staged = await callTool('unseen_create_issue')
  assert.equal((await put('unseen', { url: await now.start(), ...KNOWN })).status, 200)
  const refused = await decide('confirm', staged.actionId)
  assert.deepEqual([refused.status, refused.body.status], [400, 'GuardForbidden'])
  assert.match(refused.text, /another address/)
  const { apiKey: key } = set.shop
  const { body: looked } = await set.house.ask<{ arguments: object; changed: { what: string } }>(
    'GET',
    `/v1/actions/${staged.actionId}`,
    { key },
  )
  assert.equal(looked.changed.what, 'destination')
  const amended = await set.house.ask<{ actionId: string }>('POST', `/v1/actions/${staged.actionId}/amend`, {
    key,
    body: { arguments: looked.arguments },
  })
  assert.equal((await decide('confirm', amended.body.actionId)).body.status, 'Executed')
  assert.deepEqual(calls(old, now), [0, 1])
})

test('a new credential of a server leaves the hash as it is', async (t) => {
  const { server, url } = await declared(t, 'rekeyed', KNOWN)
  const staged = await callTool('rekeyed_create_issue')
  assert.equal((await put('rekeyed', { url, ...KNOWN, credential: 'another-token' })).status, 200)
  assert.equal((await decide('confirm', staged.actionId)).body.status, 'Executed')
  assert.deepEqual(calls(server), [1])
})
