// What an operator lists is opened, for the purposes that may use it, and nothing beside it.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openEgress } from './egress.ts'
import { get, httpServer, openCalls, summaryOf } from './fixtures/servers.ts'

const policy = { allowInsecure: true, allowPrivateNetwork: false }

function guarded(t: TestContext, places: readonly string[], addresses: readonly string[] = ['127.0.0.1']) {
  const egress = openCalls(t, {
    policy: { ...policy, refuseNames: ['tether.shop.com'] },
    privatePlaces: { places, purposes: ['calls'] },
    resolve: () => Promise.resolve(addresses),
    ownAddresses: () => ['10.1.2.3', '127.0.0.1', '::1'],
  })
  const check = async (url: string) =>
    (await egress.checkAddress(url, { noun: 'Endpoint', purpose: 'calls' })).ok ? 'open' : 'shut'
  return { egress, check }
}

test('a listed name opens itself, wherever it leads, and no name above, below or beside it', async (t) => {
  const { check } = guarded(t, ['erp', 'orders.corp.internal'], ['10.9.8.7'])
  for (const url of ['https://erp/', 'https://ERP./x', 'https://orders.corp.internal:8443/'])
    assert.equal(await check(url), 'open', url)
  for (const url of [
    'https://erp2/',
    'https://x.erp/',
    'https://corp.internal/',
    'https://a.orders.corp.internal/',
    'https://orders.corp.internal.shop.com/',
    'https://10.9.8.7/',
    'https://public.shop.com/',
  ])
    assert.equal(await check(url), 'shut', url)
})

test('a listed range opens its addresses, as literals and behind public names, and not one more', async (t) => {
  const range = ['10.20.0.0/16', 'fd12:3456::/32', '192.168.7.7']
  for (const [address, result] of [
    ['10.20.0.0', 'open'],
    ['10.20.255.255', 'open'],
    ['10.19.255.255', 'shut'],
    ['10.21.0.0', 'shut'],
    ['192.168.7.7', 'open'],
    ['192.168.7.8', 'shut'],
    ['172.16.0.1', 'shut'],
    ['127.0.0.1', 'shut'],
    ['fd12:3456::1', 'open'],
    ['fd12:3457::1', 'shut'],
    ['::1', 'shut'],
    ['::ffff:10.20.0.1', 'shut'],
    ['64:ff9b::a14:1', 'shut'],
  ] as const) {
    const { check } = guarded(t, range, [address])
    assert.equal(await check(`https://${address.includes(':') ? `[${address}]` : address}/`), result, address)
    assert.equal(await check('https://public.shop.com/'), result, `a name of ${address}`)
    assert.equal(await check('https://local/'), 'shut', 'a range opens no local name')
  }
  const { check } = guarded(t, range, ['10.20.0.1', '10.30.0.1'])
  assert.equal(await check('https://public.shop.com/'), 'shut', 'one address outside refuses all')
})

test('what serves the secrets of a machine stays shut, whatever is listed', async (t) => {
  const names = ['metadata.google.internal', 'metadata', 'kubernetes.default', 'meta.corp', 'tether.shop.com']
  const places = [...names, '100.64.0.0/10', 'fd00::/8']
  for (const address of ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '0.0.0.0', 'fe80::1']) {
    const { check } = guarded(t, places, [address])
    for (const name of [...names, address.includes(':') ? `[${address}]` : address])
      assert.equal(await check(`https://${name}/`), 'shut', `${name} at ${address}`)
  }
  const { check } = guarded(t, places, ['100.64.1.1'])
  assert.equal(await check('https://meta.corp/'), 'open', 'a name is not shut for how it sounds')
  for (const name of ['metadata', 'kubernetes.default', 'tether.shop.com'])
    assert.equal(await check(`https://${name}/`), 'shut', name)
})

test('this machine is opened by its name or its very address, and not by a range', async (t) => {
  assert.equal(await guarded(t, ['10.0.0.0/8', '127.0.0.0/8']).check('https://127.0.0.1/'), 'shut')
  assert.equal(await guarded(t, ['10.0.0.0/8'], ['10.1.2.3']).check('https://a.shop.com/'), 'shut')
  assert.equal(await guarded(t, ['127.0.0.1']).check('https://127.0.0.1/'), 'open')
  assert.equal(await guarded(t, ['10.1.2.3/32'], ['10.1.2.3']).check('https://a.shop.com/'), 'open')
  assert.equal(await guarded(t, ['here'], ['10.1.2.3']).check('https://here/'), 'open')
})

test('another purpose reaches nothing of it, and neither does a check that names none', async (t) => {
  const { port, seen } = await httpServer(t, (_, response) => response.end('inside'))
  const { egress } = guarded(t, ['127.0.0.1', 'erp'])
  for (const url of [`http://127.0.0.1:${port}/`, `http://erp:${port}/`]) {
    assert.equal(summaryOf(await get(egress, url)), 'answer 200')
    const before = seen.connections
    assert.equal(summaryOf(await get(egress, url, { purpose: 'others' })), 'refused not sent')
    assert.equal(seen.connections, before)
    for (const purpose of ['others', undefined] as const) {
      const words = purpose === undefined ? { noun: 'Site' } : { noun: 'Site', purpose }
      assert.equal((await egress.checkAddress(url, words)).ok, false)
    }
  }
})

test('a listed name means what it means on this machine: the hosts file counts', async (t) => {
  const { port } = await httpServer(t, (_, response) => response.end('here'))
  const egress = openEgress<'calls' | 'others'>({
    policy,
    privatePlaces: { places: ['localhost'], purposes: ['calls'] },
    purposes: { calls: {}, others: {} },
    userAgent: 'egress-test',
  })
  t.after(() => egress.close(0))
  assert.equal(summaryOf(await get(egress, `http://localhost:${port}/`)), 'answer 200')
})
