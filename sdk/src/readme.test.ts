import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { verifySignature } from './index.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Runs the receiver as it stands in the README, on a port of its own. */
function openReceiver(answer: (call: unknown) => unknown): Server {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail('The README has no receiver.')
  let server: Server | undefined
  const open = (handle: RequestListener) => ({
    listen: () => {
      server = createServer(handle).listen(0, '127.0.0.1')
    },
  })
  const names = ['createServer', 'verifySignature', 'process', 'answer']
  const run = new Function(...names, code.replace(/^import .*$/gm, ''))
  run(open, verifySignature, { env: { SIGNING_SECRET: secret } }, answer)
  return server ?? assert.fail('The receiver of the README did not listen.')
}

test('the receiver of the README answers a signed call and no other', async () => {
  const calls: unknown[] = []
  const server = openReceiver((call) => ({ seen: calls.push(call) }))
  await once(server, 'listening')
  const body = '{"type":"tool_call","tool":"ünï"}'
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  const send = (over: Record<string, string>, text = body): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method: 'POST', body: text, headers: over })
  try {
    const headers = { 'X-Service-Signature': signature, 'X-Service-Timestamp': `${timestamp}` }
    const taken = await send(headers)
    assert.deepEqual([taken.status, await taken.json(), calls], [200, { seen: 1 }, [JSON.parse(body)]])
    const changed = await send(headers, body.replace('tool_call', 'tool_cell'))
    assert.deepEqual([changed.status, await changed.text()], [401, 'mismatch'])
    const unsigned = await send({})
    assert.deepEqual([unsigned.status, await unsigned.text()], [401, 'signature_missing'])
    assert.equal(calls.length, 1)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
