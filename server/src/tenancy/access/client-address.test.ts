import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressBucket, clientAddress, readKnownProxies } from './client-address.ts'

const relaySecret = 'a-relay-secret-of-more-than-32-characters'
const knownProxies = readKnownProxies(['198.51.100.7', '10.0.0.0/8', '2001:db8:ff::/48', '::ffff:172.16.0.0/108'])

type Headers = Record<string, string | string[] | undefined>

const seen = (socketAddress: string | undefined, headers: Headers = {}, secret: string | undefined = relaySecret) => {
  const { address, via } = clientAddress({ socketAddress, headers, knownProxies, relaySecret: secret })
  return `${address} ${via}`
}

test('without headers the socket is the client', () => {
  assert.equal(seen('203.0.113.9'), '203.0.113.9 socket')
  assert.equal(seen('::ffff:203.0.113.9'), '203.0.113.9 socket')
  assert.equal(seen('2001:DB8:0:0:0:0:0:1'), '2001:db8::1 socket')
  assert.equal(seen('fe80::1%eth0'), 'fe80::1 socket')
})

test('X-Forwarded-For changes nothing when it comes from anywhere but a known proxy', () => {
  for (const socket of [
    '203.0.113.9',
    '198.51.100.8',
    '11.0.0.1',
    '172.32.0.1',
    '2001:db8:fe::1',
    '::ffff:203.0.113.9',
  ]) {
    assert.equal(seen(socket, { 'x-forwarded-for': '192.0.2.1' }), seen(socket))
    assert.match(seen(socket, { 'x-forwarded-for': '127.0.0.1, 10.0.0.1' }), / socket$/)
  }
})

test('a known proxy is believed for one hop: the last entry, which is its own', () => {
  const proxies = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '198.51.100.7', '10.200.0.1', '2001:db8:ff::2']
  for (const proxy of [...proxies, '172.16.5.5', '::ffff:172.31.255.255']) {
    assert.equal(seen(proxy, { 'x-forwarded-for': '192.0.2.1' }), '192.0.2.1 proxy')
    assert.equal(seen(proxy, { 'x-forwarded-for': '8.8.8.8, 10.0.0.3 , 192.0.2.1' }), '192.0.2.1 proxy')
    assert.equal(seen(proxy, { 'x-forwarded-for': ['8.8.8.8', '9.9.9.9, 192.0.2.1'] }), '192.0.2.1 proxy')
  }
})

test('an entry is read in the forms that proxies write', () => {
  const forms: Record<string, string> = {
    '192.0.2.1': '192.0.2.1',
    '192.0.2.1:54321': '192.0.2.1',
    '2001:db8::5': '2001:db8::5',
    '[2001:DB8::5]': '2001:db8::5',
    '[2001:db8::5]:443': '2001:db8::5',
    '::ffff:192.0.2.1': '192.0.2.1',
    '[::FFFF:c000:201]:80': '192.0.2.1',
  }
  for (const [written, address] of Object.entries(forms)) {
    assert.equal(seen('127.0.0.1', { 'x-forwarded-for': written }), `${address} proxy`)
  }
})

test('an unreadable last entry is not an address, and the one before it is the word of the client', () => {
  const garbage = [
    '',
    ' ',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4:',
    '1.2.3.4:port',
    '1.2.3.4/8',
  ]
  const more = [
    '[1.2.3.4]',
    '[::1',
    '::1]',
    '[]',
    'fe80::1%eth0',
    '[fe80::1%25x]',
    ':::',
    '1::2::3',
    '１.2.3.4',
    '1.2.3.4\u0000',
    `${' '.repeat(9)}x`,
    '0x7f.1',
  ]
  for (const last of [...garbage, ...more, '1'.repeat(16_000), `${':'.repeat(16_000)}`]) {
    assert.equal(seen('127.0.0.1', { 'x-forwarded-for': last }), '127.0.0.1 socket', last.slice(0, 30))
    assert.equal(seen('127.0.0.1', { 'x-forwarded-for': `192.0.2.1, ${last}` }), '127.0.0.1 socket', last.slice(0, 30))
  }
})

test('a relay with the secret sets the address, wherever it comes from', () => {
  const relay = { 'x-service-relay': relaySecret, 'x-service-visitor': '192.0.2.77' }
  assert.equal(seen('203.0.113.9', relay), '192.0.2.77 relay')
  assert.equal(seen('203.0.113.9', { ...relay, 'x-service-visitor': '2001:DB8::7' }), '2001:db8::7 relay')
  assert.equal(seen('127.0.0.1', { ...relay, 'x-forwarded-for': '192.0.2.1' }), '192.0.2.77 relay')
  assert.equal(seen(undefined, relay), '192.0.2.77 relay')
})

test('a relay without the right secret, or without an address, changes nothing', () => {
  const visitor = { 'x-service-visitor': '192.0.2.77' }
  const wrong = [
    '',
    ' ',
    relaySecret.slice(0, -1),
    `${relaySecret}x`,
    relaySecret.toUpperCase(),
    `${relaySecret}, ${relaySecret}`,
  ]
  for (const value of [...wrong, undefined, [relaySecret], [relaySecret, relaySecret]]) {
    const relay = { ...visitor, 'x-service-relay': value }
    assert.equal(seen('203.0.113.9', relay), '203.0.113.9 socket')
    assert.equal(seen('10.0.0.1', { ...relay, 'x-forwarded-for': '192.0.2.1' }), '192.0.2.1 proxy')
  }
  for (const value of [undefined, '', 'unknown', '192.0.2.1, 192.0.2.2', ['192.0.2.1']]) {
    assert.equal(
      seen('203.0.113.9', { 'x-service-relay': relaySecret, 'x-service-visitor': value }),
      '203.0.113.9 socket',
    )
  }
})

test('no secret, or one that is too short to be one, is matched by nothing', () => {
  for (const secret of ['', 'short', 'x'.repeat(31)]) {
    const relay = { 'x-service-relay': secret, 'x-service-visitor': '192.0.2.77' }
    assert.equal(seen('203.0.113.9', relay, secret), '203.0.113.9 socket')
  }
  const none = { 'x-service-relay': '', 'x-service-visitor': '192.0.2.77' }
  const input = { socketAddress: '203.0.113.9', headers: none, knownProxies, relaySecret: undefined }
  assert.equal(clientAddress(input).via, 'socket')
})

test('a secret beyond ASCII is compared by its bytes', () => {
  const secret = 'schlüssel-schlüssel-schlüssel-schlüssel'
  const onTheWire = Buffer.from(secret, 'utf8').toString('latin1')
  const relay = { 'x-service-relay': onTheWire, 'x-service-visitor': '192.0.2.77' }
  assert.equal(seen('203.0.113.9', relay, secret), '192.0.2.77 relay')
})

test('a socket without a readable address counts as one client and is trusted with nothing', () => {
  for (const socket of [undefined, '', 'socket.sock', '%', '127.0.0.1, 127.0.0.1']) {
    assert.equal(seen(socket, { 'x-forwarded-for': '192.0.2.1' }), '0.0.0.0 socket')
  }
})

test('whatever the headers hold, nothing throws and what comes out is an address in its one form', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.,[]%/ -') }),
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((address) => `::ffff:${address}`),
  )
  const value = fc.oneof(text, fc.array(text), fc.constant(undefined), fc.constant(relaySecret))
  const socket = fc.oneof(fc.constantFrom('127.0.0.1', '203.0.113.9', '::1', undefined), text)
  const headers = fc.record({ 'x-forwarded-for': value, 'x-service-relay': value, 'x-service-visitor': value })
  fc.assert(
    fc.property(socket, headers, (socketAddress, given) => {
      const found = clientAddress({ socketAddress, headers: given, knownProxies, relaySecret })
      assert.notEqual(isIP(found.address), 0)
      const again = clientAddress({ socketAddress: found.address, headers: {}, knownProxies, relaySecret })
      assert.deepEqual([again.address, again.bucket], [found.address, found.bucket])
    }),
    { numRuns: 2_000 },
  )
})

test('IPv6 counts by its /64, IPv4 by itself', () => {
  assert.equal(addressBucket('203.0.113.9'), '203.0.113.9')
  assert.equal(addressBucket('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressBucket('2001:db8:1:2:ffff:ffff:ffff:ffff'), '2001:db8:1:2::/64')
  assert.equal(addressBucket('2001:db8:1:3::1'), '2001:db8:1:3::/64')
  assert.equal(addressBucket('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressBucket('::1'), '0:0:0:0::/64')
  const found = clientAddress({ socketAddress: '2001:DB8:1:2::9', headers: {}, knownProxies, relaySecret })
  assert.equal(found.bucket, '2001:db8:1:2::/64')
})

test('all addresses of a /64 share one bucket, and two /64s never do', () => {
  const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const written = (network: bigint, host: bigint) =>
    ((network << 64n) | host)
      .toString(16)
      .padStart(32, '0')
      .replace(/(.{4})(?!$)/g, '$1:')
  fc.assert(
    fc.property(half, half, half, half, (network, other, one, two) => {
      assert.equal(addressBucket(written(network, one)), addressBucket(written(network, two)))
      if (network !== other) assert.notEqual(addressBucket(written(network, one)), addressBucket(written(other, two)))
    }),
  )
})

test('a known proxy that is no address and no range is refused by name', () => {
  for (const entry of [
    '',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0/8',
    '::ffff:10.0.0.0/64',
    'fe80::1%eth0',
  ]) {
    assert.throws(() => readKnownProxies([entry]), { message: new RegExp(`"${entry.replace(/[/.%]/g, '\\$&')}"`) })
  }
  const all = readKnownProxies([' 0.0.0.0/0 ', '::/0'])
  assert.ok(all.check('203.0.113.9') && all.check('2001:db8::1', 'ipv6'))
})
