// node --test
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import test from 'node:test'
import { openReceiver } from './receiver.mjs'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const tools = openReceiver(secret)

/** Sends a call as the service does: signed, over HTTP. */
async function call(
  tool,
  given,
  { isWrite = false, requestId = `req_${randomBytes(8).toString('hex')}`, by = secret } = {},
) {
  const body = JSON.stringify({
    type: 'tool_call',
    request_id: requestId,
    mode: isWrite ? 'execute' : 'read',
    tool,
    arguments: given,
    is_write: isWrite,
    tenant: { organization_id: 1, scope_id: null },
    user: { id: null, role: 'api' },
    customer: null,
    session_id: null,
    action_id: null,
    occurred_at: new Date().toISOString(),
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', by).update(`${timestamp}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': `sha256=${signature}`,
    'x-service-idempotency-key': requestId,
  }
  const response = await tools.fetch(new Request('http://127.0.0.1/tools', { method: 'POST', headers, body }))
  return { status: response.status, body: await response.json() }
}

test('an order is found, and one that is not there is not', async () => {
  const found = await call('get_order', { number: 'A-1001' })
  assert.deepEqual([found.status, found.body.state], [200, 'shipped'])
  assert.equal((await call('get_order', { number: 'A-9' })).status, 404)
})

test('a refund that arrives twice is performed once', async () => {
  const sent = { isWrite: true, requestId: 'req_the_same' }
  const first = await call('refund_order', { number: 'A-1001' }, sent)
  assert.deepEqual([first.status, first.body.state], [200, 'refunded'])
  assert.deepEqual(await call('refund_order', { number: 'A-1001' }, sent), first)
  assert.equal((await call('refund_order', { number: 'A-1001' }, { isWrite: true })).status, 409)
})

test('what somebody else signed is refused', async () => {
  assert.equal((await call('get_order', { number: 'A-1001' }, { by: 'whsec_c29tZWJvZHkgZWxzZQ==' })).status, 401)
})
