// The shop's server as the service meets it: over the wire, with a signature over the bytes.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { Call } from '@tether/sdk'
import { CATALOG, openEndpoint, openShop, type Shop, type ShopEndpoint } from './index.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
let current: Shop
let endpoint: ShopEndpoint
const handoffs: unknown[] = []
before(async () => {
  const tools = Object.fromEntries(
    CATALOG.map(({ name }) => [name, (call: Call) => current.tools[name]?.(call)] as const),
  )
  endpoint = await openEndpoint({ tools }, { signingSecret: SECRET, onHandoff: (event) => handoffs.push(event) })
})
beforeEach(() => {
  current = openShop()
})
after(() => endpoint.close())

const seconds = () => Math.floor(Date.now() / 1000)

const signed = (bytes: string, secret = SECRET, at = seconds()) => ({
  'x-service-timestamp': `${at}`,
  'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${at}.${bytes}`).digest('hex')}`,
})

async function send(bytes: string, headers: Record<string, string> = signed(bytes)) {
  const answer = await fetch(endpoint.url, { method: 'POST', headers, body: bytes })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> }
}

let ids = 0
const EVERY = { occurred_at: '2026-11-20T10:00:00Z', tenant: { organization_id: 1, scope_id: null } }
const callOf = (tool: string, given: object, more: object = {}) =>
  JSON.stringify({
    type: 'tool_call',
    tool,
    arguments: given,
    request_id: `act_${++ids}`,
    is_write: true,
    mode: 'execute',
    ...EVERY,
    customer: { id: 'nino' },
    user: { id: null, role: 'user' },
    ...more,
  })

const orderOf = (number: string) => {
  const order = current.book().orders.find((each) => each.number === number)
  assert.ok(order)
  return order
}

test('the signature is over the exact bytes: any other bytes are refused, and nothing is done', async () => {
  const bytes = callOf('refund_order', { number: 'A-17' }, { note: 'დააბრუნე' })
  const wrong: Record<string, [string, Record<string, string>]> = {
    'the same JSON, written otherwise': [JSON.stringify(JSON.parse(bytes), null, 1), signed(bytes)],
    'a space more': [`${bytes} `, signed(bytes)],
    'another amount': [bytes.replace('A-17', 'A-19'), signed(bytes)],
    'another secret': [bytes, signed(bytes, 'whsec_c2VjcmV0IG51bWJlciB0d28gaGVyZQ==')],
    'no signature': [bytes, {}],
    'of ten minutes ago': [bytes, signed(bytes, SECRET, seconds() - 600)],
    'another time': [bytes, { ...signed(bytes), 'x-service-timestamp': `${seconds() + 1}` }],
  }
  for (const [what, [sent, headers]] of Object.entries(wrong)) {
    const { status, body } = await send(sent, headers)
    assert.equal(status, 401, what)
    assert.match(String(body.message), /^[A-Z].*\.$/, what)
  }
  assert.equal(orderOf('A-17').state, 'delivered')
  assert.equal((await send(bytes)).status, 200)
  assert.equal(orderOf('A-17').state, 'refunded')
})

test('a write that comes again is answered as the first time, and not performed again', async () => {
  const bytes = callOf('refund_order', { number: 'A-17', amount: 8 })
  const first = await send(bytes)
  assert.equal(first.status, 200)
  orderOf('A-17').state = 'delivered'
  assert.deepEqual(await send(bytes), first)
  assert.equal(orderOf('A-17').state, 'delivered', 'it was told, not done')
})

test('a refusal is remembered, too: what was declined is not performed by a resend', async () => {
  const bytes = callOf('refund_order', { number: 'A-18' })
  const first = await send(bytes)
  assert.equal(first.status, 409)
  orderOf('A-18').state = 'delivered'
  assert.deepEqual(await send(bytes), first)
  assert.equal(orderOf('A-18').refunded, 0)
  const anew = callOf('refund_order', { number: 'A-18' })
  assert.equal((await send(anew)).status, 200, 'another request id is another request')
})

test('of two that arrive at once, one is performed', async () => {
  const bytes = callOf('refund_order', { number: 'A-20', amount: 5 })
  const both = await Promise.all([send(bytes), send(bytes)])
  // The other one is told the same, or that it runs.
  assert.ok(both.every(({ status }) => status === 200 || status === 409))
  assert.ok(both.some(({ status }) => status === 200))
  assert.equal((await send(bytes)).body.refunded, 5)
})

test('a read is answered anew each time, and knows who is signed in', async () => {
  const reads = { is_write: false, mode: 'read', customer: null }
  const read = callOf('get_order', { number: 'A-17' }, reads)
  assert.deepEqual((await send(read)).body, { number: 'A-17', state: 'delivered', placed: '2026-11-09' })
  orderOf('A-17').state = 'refunded'
  assert.equal((await send(read)).body.state, 'refunded')
  const mine = (id: string) =>
    send(callOf('list_my_orders', {}, { ...reads, customer: { id } })).then(({ body }) => body.orders)
  assert.equal(((await mine('giorgi')) as unknown[]).length, 1)
})

test('what is no call is refused with words', async () => {
  const nameless = JSON.stringify({ type: 'tool_call', tool: 'cancel_order', arguments: { number: 'A-19' } })
  for (const bytes of ['', 'no json', 'null', '[]', '{}', '{"tool":"get_order"}', nameless]) {
    const { status, body } = await send(bytes)
    assert.equal(status, 400, bytes)
    assert.match(String(body.message), /^[A-Z].*\.$/, bytes)
  }
  assert.equal((await send(' '.repeat(1024 * 1024 + 1))).status, 413)
})

test('of the events, a visitor who asks for a person reaches one; the others are acknowledged', async () => {
  const told = (event: string, more: object = {}) =>
    send(JSON.stringify({ type: 'event', event, request_id: `evt_${event}`, ...EVERY, ...more }))
  assert.equal((await told('action.executed')).status, 204)
  assert.deepEqual(handoffs, [])
  assert.ok((await told('conversation.handoff', { reason: 'Asks for a person' })).status < 300)
  assert.deepEqual(
    handoffs.map((event) => (event as { reason: string }).reason),
    ['Asks for a person'],
  )
})
