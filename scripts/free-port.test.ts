import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import test from 'node:test'
import { freePort } from './free-port.ts'

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

test('a free port is none that the system gives to whoever asks for any', async (t) => {
  if (!existsSync(RANGE)) return t.skip('the system does not tell its range here')
  const [least = 0] = readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number)
  for (let asked = 0; asked < 50; asked++) {
    const port = await freePort()
    assert.ok(port < least, `${port} is above ${least}`)
  }
})

test('it can be listened at', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  await new Promise((resolve) => server.close(resolve))
})
