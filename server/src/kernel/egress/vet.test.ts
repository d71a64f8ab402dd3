import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { createSecureContext } from 'node:tls'
import { dial } from './dial.ts'
import type { EgressFault } from './fault.ts'
import { corpus } from './fixtures/corpus.ts'
import { get, httpServer, type Listening, openCalls, rawServer, summaryOf, until } from './fixtures/servers.ts'
import type { EgressPolicy } from './policy.ts'
import type { Resolver } from './resolve.ts'
import { checkUrl } from './url.ts'

const strict: EgressPolicy = { allowInsecure: true, allowPrivateNetwork: false }

/** Answers one list after the other, and then the last one for ever. */
function flipping(...answers: readonly (readonly string[])[]): { resolve: Resolver; asked: () => number } {
  let asked = 0
  const resolve: Resolver = () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    return Promise.resolve(answer)
  }
  return { resolve, asked: () => asked }
}

/** A listener that must stay silent, with the proof that it can be reached at all. */
async function silentListener(t: TestContext): Promise<Listening> {
  const listener = await rawServer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  assert.equal(summaryOf(await get(openCalls(t), `http://control.shop.com:${listener.port}/`)), 'answer 200')
  assert.equal(listener.seen.connections, 1)
  listener.seen.connections = 0
  return listener
}

test('a name that turns from a public address to a loopback one between check and call reaches nothing', async (t) => {
  const listener = await silentListener(t)
  let turn = 0
  const resolve: Resolver = () => {
    turn += 1
    return Promise.resolve(turn % 2 === 1 ? ['93.184.215.14'] : ['127.0.0.1'])
  }
  const egress = openCalls(t, { policy: strict, resolve })
  const url = `http://rebind.shop.com:${listener.port}/`
  for (let round = 0; round < 1000; round += 1) {
    assert.deepEqual(await egress.checkAddress(url, { noun: 'Endpoint' }), { ok: true, url })
    assert.equal(summaryOf(await get(egress, url)), 'refused not sent')
  }
  assert.equal(turn, 2000, 'each check and each call looks the name up once')
  assert.equal(listener.seen.connections, 0)
})

test('one bad address among good ones refuses all of them, wherever it stands', async (t) => {
  const listener = await silentListener(t)
  const good = ['93.184.215.14', '2606:4700::1111', '8.8.8.8']
  for (const bad of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%lo',
    'not an address',
  ]) {
    for (let place = 0; place <= good.length; place += 1) {
      const egress = openCalls(t, { policy: strict, resolve: () => Promise.resolve(good.toSpliced(place, 0, bad)) })
      const url = `http://many.shop.com:${listener.port}/`
      assert.equal(summaryOf(await get(egress, url)), 'refused not sent', bad)
      const check = await egress.checkAddress(url, { noun: 'Endpoint' })
      assert.ok(!check.ok && check.reason === 'address', bad)
      assert.match(check.message, /^Endpoint must be on the public internet/)
      assert.ok(!check.message.includes(bad), 'the message must not read out private DNS')
    }
  }
  assert.equal(listener.seen.connections, 0)
})

test('every address that the registry does not call global is refused when a name leads to it', async (t) => {
  let answer: readonly string[] = []
  const egress = openCalls(t, { policy: strict, resolve: () => Promise.resolve(answer) })
  const check = (): Promise<boolean> =>
    egress.checkAddress('https://named.shop.com/', { noun: 'Endpoint' }).then(({ ok }) => ok)
  answer = ['1.0.0.0']
  assert.equal(await check(), true)
  for (const { address, globallyReachable } of corpus('iana-boundary-addresses.json')) {
    if (globallyReachable === true) continue
    answer = [String(address)]
    assert.equal(await check(), false, String(address))
    answer = ['1.0.0.0', String(address)]
    assert.equal(await check(), false, `second: ${address}`)
  }
})

test('the machine is not called by its own public addresses', async (t) => {
  const resolve: Resolver = () => Promise.resolve(['93.184.215.14', '2606:4700:0::1111'])
  const free = openCalls(t, { policy: strict, resolve, ownAddresses: () => ['93.184.215.15'] })
  assert.ok((await free.checkAddress('https://shop.com/', { noun: 'Endpoint' })).ok)
  for (const own of ['93.184.215.14', '2606:4700::1111']) {
    const egress = openCalls(t, { policy: strict, resolve, ownAddresses: () => [own] })
    assert.ok(!(await egress.checkAddress('https://shop.com/', { noun: 'Endpoint' })).ok, own)
  }
})

test('the connection goes to the address that was checked, and nobody is asked again', async (t) => {
  const listener = await silentListener(t)
  // The name exists nowhere but in this resolver, whose second answer leads astray: a second look-up of any kind would fail.
  const { resolve, asked } = flipping(['127.0.0.1'], ['10.255.255.1'])
  const egress = openCalls(t, { resolve })
  const result = await get(egress, `http://pinned.shop.com:${listener.port}/`)
  assert.ok(result.kind === 'answer')
  assert.equal(result.remoteAddress, '127.0.0.1')
  assert.equal(asked(), 1)
})

test('a pinned name keeps its Host, its SNI and its certificate check', async (t) => {
  const names: (string | false | undefined)[] = []
  const { port, server } = await httpServer(t, (request, response) => response.end(request.headers.host), true)
  server.on('secureConnection', (socket: { servername?: string | false }) => names.push(socket.servername))
  const egress = openCalls(t)
  const good = await get(egress, `https://api.good.test:${port}/`)
  assert.ok(good.kind === 'answer', summaryOf(good))
  assert.equal(good.body.toString(), `api.good.test:${port}`)
  assert.deepEqual(names, ['api.good.test'])
  const bad = await get(egress, `https://evil.test:${port}/`)
  assert.equal(summaryOf(bad), 'unreachable not sent')
  assert.ok(bad.kind !== 'answer')
  assert.equal(bad.code, 'ERR_TLS_CERT_ALTNAME_INVALID')
})

test('a socket that arrived at an address that was not checked is ended', async (t) => {
  const listener = await silentListener(t)
  const checked = checkUrl(
    `http://127.0.0.1:${listener.port}/`,
    { ...strict, allowPrivateNetwork: true },
    { noun: 'x' },
  )
  assert.ok(checked.ok)
  // A literal host is never looked up, so this is how a connection can end elsewhere than the check said.
  const fault = await new Promise<EgressFault | null>((resolve) => {
    const vet = (): Promise<string[]> => Promise.resolve(['93.184.215.14'])
    const options = { vet, secureContext: createSecureContext(), connectMs: 1000, session: { last: undefined } }
    dial(checked.target, options, resolve)
  })
  assert.equal(fault?.kind, 'refused')
  await until(() => listener.sockets.size === 0, 'the socket is closed')
  assert.equal(listener.seen.connections, 1)
})

test('a dead address does not stop the call: the next checked one is tried', async (t) => {
  const { port } = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { resolve: () => Promise.resolve(['127.0.0.9', '::1', '127.0.0.1']) })
  const result = await get(egress, `http://two.shop.com:${port}/`)
  assert.ok(result.kind === 'answer', summaryOf(result))
  assert.equal(result.remoteAddress, '127.0.0.1')
})
