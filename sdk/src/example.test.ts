import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const FILE = path.join(import.meta.dirname, '../example/server.mjs')
const run = (env: Record<string, string>) => spawn(process.execPath, [FILE], { env: { PORT: '0', ...env } })

test('the example answers a read, performs a write once, takes events, and refuses what nobody signed', async (t) => {
  const child = run({ TETHER_SIGNING_SECRET: secret })
  t.after(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  const url = /http:\S+/.exec(String(line))?.[0] ?? assert.fail(`it says ${line}`)
  const send = async (call: object, key = secret) => {
    const body = JSON.stringify(call)
    const timestamp = `${Math.floor(Date.now() / 1000)}`
    const signature = `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`
    const headers = { 'x-service-signature': signature, 'x-service-timestamp': timestamp }
    const answer = await fetch(url, { method: 'POST', body, headers })
    return [answer.status, await answer.text()]
  }
  const every = { occurred_at: '2026-11-20T10:00:00Z', tenant: { organization_id: 1, scope_id: null } }
  const read = {
    ...every,
    type: 'tool_call',
    tool: 'get_order',
    request_id: 'r1',
    arguments: { number: 'A-1001' },
    mode: 'read',
    is_write: false,
    customer: null,
    user: { id: null, role: 'user' },
  }
  const write = { ...read, tool: 'refund_order', request_id: 'w1', mode: 'execute', is_write: true }
  assert.deepEqual(await send(read), [200, '{"number":"A-1001","state":"paid","total":48}'])
  assert.deepEqual(await send(write), [200, '{"number":"A-1001","state":"refunded","total":48}'])
  assert.deepEqual(
    await send({ ...write, arguments: { number: 'A-9' } }),
    await send(write),
    'one request_id, one answer',
  )
  assert.deepEqual(await send({ ...read, arguments: { number: 'A-9' } }), [
    404,
    '{"status":"not_found","message":"There is no such order."}',
  ])
  assert.deepEqual(await send({ ...every, type: 'event', event: 'action.executed', request_id: 'e1' }), [204, ''])
  assert.deepEqual(await send({ ...read, type: 'endpoint_test', tool: 'test.ping', arguments: {}, request_id: 't1' }), [
    204,
    '',
  ])
  assert.equal((await send(read, 'whsec_c29tZWJvZHkgZWxzZQ=='))[0], 401)
})

test('without its secret the example says which it wants', async () => {
  const child = run({})
  const [said] = await once(child.stderr, 'data')
  assert.match(String(said), /signingSecret/)
})
