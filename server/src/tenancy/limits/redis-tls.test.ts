// The shared limits over TLS: with a server that can prove who it is, and with no other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'
import test, { after, before } from 'node:test'
import tls from 'node:tls'
import { missingRedis, privateRedis } from './fixtures/private-redis.ts'
import { openRedisLink } from './redis-link.ts'

const fixture = (name: string) => readFileSync(new URL(`../../kernel/egress/fixtures/${name}`, import.meta.url))

const redis = await privateRedis()
const sockets = new Set<Socket>()
let front: tls.Server
before(async () => {
  if (missingRedis) return
  await redis.start()
  const { hostname, port } = new URL(redis.url)
  front = tls.createServer({ key: fixture('server-key.pem'), cert: fixture('server-cert.pem') }, (socket) => {
    const inner = net.connect(Number(port), hostname)
    for (const one of [socket, inner]) sockets.add(one.on('error', () => {}))
    socket.pipe(inner).pipe(socket)
  })
  front.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(front, 'listening')
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  front?.close()
  await redis.stop()
})

const link = () =>
  openRedisLink({
    url: `rediss://localhost:${(front.address() as AddressInfo).port}`,
    keyPrefix: 'tls:',
    windowMs: 60_000,
    connectMs: 5_000,
    onLost: () => {},
  })

test('the link verifies its server, whatever the environment says', { skip: missingRedis }, async () => {
  const known = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    await assert.rejects(link(), /certificate|issuer/i)
  } finally {
    if (known === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = known
  }
  const usual = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...usual, fixture('authority.pem').toString()])
  try {
    const open = await link()
    assert.equal((await open.slide([{ name: 'one', bucket: 'one', limit: 5 }])).length, 1)
    await open.close(1_000)
  } finally {
    tls.setDefaultCACertificates(usual)
  }
})
