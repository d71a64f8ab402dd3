// What /mcp lists, calls and stages, in both eras of the protocol.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOG, call, customerTokens, ERAS, endpoint, issue, newShop, type Rpc, rpc, set } from './fixtures/shop.ts'

type Era = (typeof ERAS)[keyof typeof ERAS]

/** One test in each era. */
function both(name: string, work: (send: Era) => Promise<void>): void {
  for (const [era, send] of Object.entries(ERAS)) test(`${era}: ${name}`, () => work(send))
}

const names = ({ result }: Rpc) => result.tools.map(({ name }) => name)
const answering = (body: unknown) => endpoint.play((_seen, response) => void response.end(JSON.stringify(body)))

both('the tools that this credential can use are listed, and no others', async (send) => {
  const { status, body } = await send(rpc('tools/list'))
  assert.equal(status, 200)
  assert.deepEqual(names(body), [
    'get_order',
    'list_branches',
    'refund_order',
    'delete_order',
    'refund_paid',
    'tether_action_status',
  ])
  const [read, scoped, write] = body.result.tools
  assert.deepEqual(read?.annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: true })
  assert.deepEqual(write?.annotations, { readOnlyHint: false, destructiveHint: true, idempotentHint: false })
  assert.deepEqual(read?.inputSchema, CATALOG[0]?.parameters)
  assert.deepEqual(scoped?.inputSchema, { type: 'object', properties: {}, required: [] })
  assert.match(String(write?.description), /nothing runs until a person confirms/)
  const { nino = '' } = await customerTokens(set.shop, ['nino'])
  const withCustomer = await send(rpc('tools/list'), { headers: { 'x-service-customer-token': nino } })
  assert.ok(names(withCustomer.body).includes('my_orders'))
})

both('a read is called with what was sent, and its answer is words and structure', async (send) => {
  const seen = answering({ number: 'A-1', total: 12.5 })
  const { body } = await send(call('get_order'))
  assert.deepEqual(body.result.structuredContent, { number: 'A-1', total: 12.5 })
  assert.deepEqual(body.result.content, [{ type: 'text', text: '{"number":"A-1","total":12.5}' }])
  const [{ body: envelope } = { body: {} as Record<string, unknown> }] = seen
  assert.deepEqual([envelope.mode, envelope.tool, envelope.arguments], ['read', 'get_order', { number: 'A-1' }])
})

both('a number that a double would change is called with as it was written, and comes back so', async (send) => {
  const exact = '{"total":9007199254740993}'
  const seen = endpoint.play((_seen, response) => void response.end(exact))
  const { text, body } = await send(call('list_branches', { near: JSON.rawJSON('9007199254740993') }))
  assert.equal(body.result.content[0]?.text, exact)
  assert.match(text, /"structuredContent":\{"total":9007199254740993\}/)
  assert.match(seen[0]?.text ?? '', /"near":9007199254740993/)
})

both('a write is staged and not called, and its result holds no token', async (send) => {
  const seen = answering({ done: true })
  const { body, text } = await send(call('refund_order'))
  const { status, actionId, waitsForPerson, expiresAt, message } = body.result.structuredContent
  assert.deepEqual([body.result.isError, status, waitsForPerson], [undefined, 'staged', true])
  assert.match(String(actionId), /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(String(expiresAt)) > Date.now())
  assert.equal(body.result.content[0]?.text, message)
  assert.match(String(message), /Proposed, not done: .*waits until .* for a person/)
  assert.doesNotMatch(text, /tac_/)
  assert.equal(seen.length, 0)
  const { body: listed } = await set.house.ask<{ actions: { actionId: string; tool: string }[] }>(
    'GET',
    '/v1/actions',
    {
      key: set.shop.apiKey,
    },
  )
  assert.equal(listed.actions.find((one) => one.actionId === actionId)?.tool, 'refund_order')
})

both('a tool that is not offered is unknown, and one that needs a customer says so', async (send) => {
  for (const name of ['deep_report', 'chat_only', 'nothing_like_it']) {
    const { body } = await send(call(name))
    assert.equal(body.error?.code, -32602, name)
  }
  const { body } = await send(call('my_orders'))
  assert.deepEqual([body.result.isError, body.result.structuredContent.status], [true, 'customer_required'])
})

both('what keeps a call from being made is told to the model, with what to change', async (send) => {
  const seen = endpoint.play((_seen, response) => {
    response.statusCode = 500
    response.end('{}')
  })
  const misfit = await send(call('get_order', { number: 7 }))
  assert.deepEqual([misfit.body.result.isError, misfit.body.result.structuredContent.status], [true, 'invalid_request'])
  assert.match(misfit.body.result.content[0]?.text ?? '', /`number`/)
  const failed = await send(call('get_order'))
  assert.deepEqual([failed.body.result.isError, failed.body.result.structuredContent.status], [true, 'endpoint_error'])
  assert.equal(seen.length, 1)
  answering({ state: 'new' })
  const unmet = await send(call('refund_paid'))
  assert.equal(unmet.body.result.structuredContent.status, 'precondition_failed')
  assert.deepEqual(unmet.body.result.structuredContent.seen, { state: 'new' })
  const reversed = await send(call('refund_order', { number: 'A\u202e1' }))
  assert.match(reversed.body.result.content[0]?.text ?? '', /reverse the order of text/)
})

both('an agent learns what became of what it staged, whoever rotates its key, and of nothing else', async (send) => {
  answering({ refund: 'R-7' })
  const key = await issue(set.shop)
  const { body: staged } = await send(call('refund_order'), { key })
  const actionId = String(staged.result.structuredContent.actionId)
  const ask = async (asking: string, headers: Record<string, string> = {}) => {
    const { body } = await send(call('tether_action_status', { action_id: actionId }), { key: asking, headers })
    return body.result.structuredContent
  }
  assert.equal((await ask(key)).status, 'pending')
  const headers = { 'x-service-user-id': '7' }
  const confirmed = await set.house.ask('POST', `/v1/actions/${actionId}/confirm`, { key: set.shop.apiKey, headers })
  assert.equal(confirmed.status, 200, confirmed.text)
  const rotated = await set.house.ask<{ key: string }>('POST', `/v1/account/keys/${key.slice(0, 12)}/rotate`, {
    key: set.shop.apiKey,
  })
  const told = await ask(rotated.body.key)
  assert.deepEqual([told.status, told.result, told.tool], ['executed', { refund: 'R-7' }, 'refund_order'])
  const other = await newShop()
  for (const foreign of [set.shop.agentKey, set.shop.apiKey, other.agentKey])
    assert.equal((await ask(foreign)).status, 'unknown_action')
})

both(
  'of what a person changed an agent learns that another took its place, and not that somebody said no',
  async (send) => {
    answering({})
    const { body: staged } = await send(call('refund_order'))
    const actionId = String(staged.result.structuredContent.actionId)
    const amended = await set.house.ask<{ actionId: string }>('POST', `/v1/actions/${actionId}/amend`, {
      key: set.shop.apiKey,
      headers: { 'x-service-user-id': '7' },
      body: { arguments: { number: 'B' } },
    })
    const { structuredContent: told } = (await send(call('tether_action_status', { action_id: actionId }))).body.result
    assert.deepEqual([told.status, told.replacedBy], ['rejected', amended.body.actionId])
    assert.match(String(told.message), /took its place/)
    assert.doesNotMatch(String(told.message), /declined/)
  },
)

both('of a write for one customer nothing is told while another is served', async (send) => {
  const shop = await newShop()
  const tokens = await customerTokens(shop, ['nino', 'gia'])
  const as = (who: string) => ({ key: shop.agentKey, headers: { 'x-service-customer-token': tokens[who] ?? '' } })
  const { body: staged } = await send(call('refund_order'), as('nino'))
  const asked = call('tether_action_status', { action_id: String(staged.result.structuredContent.actionId) })
  const status = async (who: object) => (await send(asked, who)).body.result.structuredContent.status
  assert.equal(await status(as('nino')), 'pending')
  assert.equal(await status(as('gia')), 'unknown_action')
  assert.equal(await status({ key: shop.agentKey }), 'unknown_action')
})

both('the same call under the same key of its own is the same action', async (send) => {
  const meta = { 'tether/idempotencyKey': `once-${Math.random()}` }
  const [first, again] = [
    await send(call('refund_order', { number: 'B' }, meta)),
    await send(call('refund_order', { number: 'B' }, meta)),
  ]
  assert.equal(first.body.result.structuredContent.actionId, again.body.result.structuredContent.actionId)
  const { body } = await send(call('refund_order', { number: 'C' }, meta))
  assert.deepEqual([body.result.isError, body.result.structuredContent.status], [true, 'idempotency_conflict'])
})

both('a key of a staging is a text, and what is none is refused', async (send) => {
  for (const key of [7, null, true, ['a'], { toString: 1, valueOf: 2 }]) {
    const { status, body } = await send(call('refund_order', { number: 'K' }, { 'tether/idempotencyKey': key }))
    assert.deepEqual([status, body.error?.code], [200, -32602], JSON.stringify(key))
    assert.match(body.error?.message ?? '', /must be a text/)
  }
  const long = await send(call('refund_order', { number: 'K' }, { 'tether/idempotencyKey': 'k'.repeat(256) }))
  assert.equal(long.body.result.structuredContent.status, 'invalid_request')
})

both('an agent learns why a person declined where they said that it may, and nowhere else', async (send) => {
  for (const [more, told] of [
    [{ tellVisitor: true }, /declined it\. Nothing was done\. The reason: Out of stock\. \("/],
    [{ tellVisitor: false }, /declined it\. Nothing was done\. \("/],
    [{}, /declined it\. Nothing was done\. \("/],
  ] as const) {
    const { body: staged } = await send(call('refund_order'))
    const actionId = String(staged.result.structuredContent.actionId)
    const headers = { 'x-service-user-id': '7' }
    const body = { reason: 'Out of stock.', ...more }
    await set.house.ask('POST', `/v1/actions/${actionId}/reject`, { key: set.shop.apiKey, headers, body })
    const { result } = (await send(call('tether_action_status', { action_id: actionId }))).body
    assert.deepEqual(
      [result.structuredContent.status, told.test(String(result.structuredContent.message))],
      ['rejected', true],
      JSON.stringify(result),
    )
  }
})

both('a catalog with many tools is listed page by page', async (send) => {
  const many = Array.from({ length: 1_200 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'One of so many that they do not fit on a page.',
    is_write: false,
  }))
  const { agentKey: key } = await newShop(many)
  const first = await send(rpc('tools/list'), { key })
  const cursor = String(first.body.result.nextCursor)
  const second = await send(rpc('tools/list', { cursor }), { key })
  assert.deepEqual(
    [...names(first.body), ...names(second.body)],
    many.map(({ name }) => name),
  )
  assert.equal(second.body.result.nextCursor, undefined)
  const { body } = await send(rpc('tools/list', { cursor: '99.5' }), { key })
  assert.equal(body.error?.code, -32602)
})

both('a tenant without a catalog has no tools of its own', async (send) => {
  const { apiKey: key } = await set.house.tenant()
  const { body } = await send(rpc('tools/list'), { key })
  assert.deepEqual(names(body), [])
})

both('the status tool is listed where this credential sees a write, and nowhere else', async (send) => {
  const listed = async (writes: object[], headers: Record<string, string> = {}) => {
    const read = { name: 'get_order', description: 'Looks up one order of the shop.', is_write: false }
    const shop = await newShop([read, ...writes])
    const given = headers.customer === undefined ? {} : { 'x-service-customer-token': await tokenOf(shop) }
    return names((await send(rpc('tools/list'), { key: shop.agentKey, headers: given })).body)
  }
  const tokenOf = async (shop: Awaited<ReturnType<typeof newShop>>) => (await customerTokens(shop, ['nino'])).nino ?? ''
  const write = { name: 'refund_order', description: 'Refunds one order of the shop.', is_write: true }
  assert.deepEqual(await listed([]), ['get_order'])
  assert.deepEqual(await listed([{ ...write, agent_eligible: false }]), ['get_order'])
  assert.deepEqual(await listed([{ ...write, requires_customer: true }]), ['get_order'])
  const all = ['get_order', 'refund_order', 'tether_action_status']
  assert.deepEqual(await listed([write]), all)
  assert.deepEqual(await listed([{ ...write, requires_customer: true }], { customer: 'nino' }), all)
})
