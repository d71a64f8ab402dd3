// The README's receiver, as it stands there, on a port of its own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { event, read, secret, write } from './fixtures/sender.ts'
import { receiver, refused } from './index.ts'

function openReceiver(log: (...words: unknown[]) => void): Server {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail('The README has no receiver.')
  let server: Server | undefined
  const open = (handle: RequestListener) => ({
    listen: () => {
      server = createServer(handle).listen(0, '127.0.0.1')
    },
  })
  const names = ['createServer', 'receiver', 'refused', 'process', 'console']
  const run = new Function(...names, code.replace(/^import .*$/gm, ''))
  run(open, receiver, refused, { env: { SIGNING_SECRET: secret } }, { log })
  return server ?? assert.fail('The receiver of the README did not listen.')
}

test('the receiver of the README answers signed calls and no others', async () => {
  const logged: unknown[][] = []
  const server = openReceiver((...words) => void logged.push(words))
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (sent: { body: unknown; headers: unknown }): Promise<[number, string]> => {
    const answer = await fetch(url, { method: 'POST', ...(sent as RequestInit) })
    return [answer.status, await answer.text()]
  }
  try {
    assert.deepEqual(await send(read('get_order', { number: 'A-1001' })), [200, '{"number":"A-1001","state":"paid"}'])
    assert.equal((await send(read('get_order', { number: 'A-1' })))[0], 404)
    const refund = write('refund_order', { number: 'A-1001' }, 'once')
    const done: [number, string] = [200, '{"number":"A-1001","state":"refunded"}']
    assert.deepEqual([await send(refund), await send(refund)], [done, done])
    assert.equal((await send(write('refund_order', { number: 'A-1001' })))[0], 409)
    assert.equal((await send({ ...refund, headers: {} }))[0], 401)
    assert.equal((await send(event('action.executed', 'e', { action_id: 'a' })))[0], 204)
    assert.deepEqual(logged, [['action.executed', 'a']])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
