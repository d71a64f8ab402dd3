import assert from 'node:assert/strict'
import test from 'node:test'
import { timed } from '../../../testkit/stopwatch.ts'
import { dnsServer } from './fixtures/dns-server.ts'
import { get, httpServer, openCalls, summaryOf, until } from './fixtures/servers.ts'
import type { EgressResult } from './request.ts'
import { dnsResolver } from './resolve.ts'

const never = new AbortController().signal

test('both families are asked for, and all of the answers count', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? ['93.184.1.1', '93.184.1.2'] : ['2606:4700::7']))
  const resolve = dnsResolver({ servers: [server.address] })
  assert.deepEqual([...(await resolve('shop.com', never))].sort(), ['2606:4700::7', '93.184.1.1', '93.184.1.2'])
  assert.deepEqual([...server.questions].sort(), ['shop.com/4', 'shop.com/6'], 'no search domain was tried')
})

test('one family is enough', async (t) => {
  const server = await dnsServer(t, (name, family) => {
    if (name === 'six.com') return family === 6 ? ['2606:4700::7'] : []
    return family === 4 ? ['93.184.1.1'] : 'failure'
  })
  const resolve = dnsResolver({ servers: [server.address] })
  assert.deepEqual(await resolve('six.com', never), ['2606:4700::7'])
  assert.deepEqual(await resolve('four.com', never), ['93.184.1.1'])
})

test('a family that never answers costs no more than the budget, and the other one is used', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? ['127.0.0.1'] : 'silence'))
  const { port } = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { resolve: dnsResolver({ servers: [server.address], tryMs: 5000 }), dnsMs: 1000 })
  const { result, ms } = await timed(() => get(egress, `http://half.shop.com:${port}/`), 1000)
  assert.equal(summaryOf(result), 'answer 200')
  assert.ok(
    result.durationMs >= 990 && Math.min(ms, result.durationMs - 1000) < 600,
    `${result.durationMs} ms, ${ms} too many`,
  )
})

test('no such name, a failing server and a silent one are unreachable, and nothing was sent', async (t) => {
  const server = await dnsServer(t, (name) => {
    if (name.startsWith('none')) return 'no such name'
    if (name.startsWith('empty')) return []
    return name.startsWith('broken') ? 'failure' : 'silence'
  })
  const resolve = dnsResolver({ servers: [server.address], tryMs: 300_000 })
  const impatient = openCalls(t, { resolve, dnsMs: 1000 })
  // Whoever waited here for more than an answer would wait for ever.
  const patient = openCalls(t, { resolve, dnsMs: 300_000 })
  const words = {
    none: /does not exist/,
    empty: /does not exist/,
    broken: /could not be looked up/,
    silent: /could not be looked up/,
  }
  for (const [name, expected] of Object.entries(words)) {
    const egress = name === 'silent' ? impatient : patient
    const { result, ms } = await timed(() => get(egress, `http://${name}.shop.com:8080/`), name === 'silent' ? 1000 : 0)
    assert.equal(summaryOf(result), 'unreachable not sent', name)
    assert.ok(result.kind !== 'answer')
    assert.match(result.message, expected, name)
    assert.ok(Math.min(ms, result.durationMs - (name === 'silent' ? 1000 : 0)) < 500, `${name}: ${ms} ms`)
    const check = await egress.checkAddress(`https://${name}.shop.com/`, { noun: 'Endpoint' })
    assert.ok(!check.ok && check.reason === 'unresolved' && check.url === `https://${name}.shop.com/`)
    assert.match(check.message, expected)
  }
})

test('a deadline shorter than the look-up is a timeout, and nothing was sent', async (t) => {
  const server = await dnsServer(t, () => 'silence')
  const egress = openCalls(t, { resolve: dnsResolver({ servers: [server.address] }) })
  const { result, ms } = await timed(() => get(egress, 'http://silent.shop.com:8080/', { deadlineMs: 1000 }), 1000)
  assert.equal(summaryOf(result), 'timeout not sent')
  assert.ok(
    result.durationMs >= 980 && Math.min(ms, result.durationMs - 1000) < 300,
    `${result.durationMs} ms, ${ms} too many`,
  )
})

test('200 look-ups into a black hole delay nobody else', async (t) => {
  const server = await dnsServer(t, (name, family) => {
    if (name.startsWith('hole')) return 'silence'
    return family === 4 ? ['127.0.0.1'] : []
  })
  const { port } = await httpServer(t, (_request, response) => response.end('hello'))
  const egress = openCalls(t, { resolve: dnsResolver({ servers: [server.address], tryMs: 300_000 }), dnsMs: 300_000 })
  const lost: Promise<EgressResult>[] = []
  const given = new AbortController()
  for (let index = 0; index < 200; index += 1) {
    const call = { deadlineMs: 300_000, signal: given.signal }
    lost.push(get(egress, `http://hole${index}.shop.com:${port}/`, call))
    // In portions, because all of them at once overflow the receive buffer of the test's own server.
    if (index % 20 === 19) {
      const both = 2 * lost.length
      await until(() => server.questions.length === both, 'the look-ups wait')
    }
  }
  // They never end by themselves: whoever stood in line behind them would never be answered.
  for (const name of ['first', 'second', 'third']) {
    assert.equal(summaryOf(await get(egress, `http://${name}.shop.com:${port}/`)), 'answer 200')
  }
  given.abort()
  for (const result of await Promise.all(lost)) assert.equal(summaryOf(result), 'aborted not sent')
})

test('development reads the hosts file, and every name of this machine works', async (t) => {
  const { port } = await httpServer(t, (_request, response) => response.end('hello'))
  const { openEgress } = await import('./egress.ts')
  const egress = openEgress({
    policy: { allowInsecure: true, allowPrivateNetwork: true },
    purposes: { calls: {}, others: {} },
    userAgent: 'egress-test',
  })
  t.after(() => egress.close(0))
  assert.equal(summaryOf(await get(egress, `http://localhost:${port}/`)), 'answer 200')
})
