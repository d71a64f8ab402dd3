import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { canonicalAddress, classifyAddress } from './address.ts'
import { corpus } from './fixtures/corpus.ts'

// An oracle of its own: plain ranges of numbers, written down from the registries and the clouds' documents, not from address.ts.
const ipv4Bits = 32
const ipv6Bits = 128
const refused4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24',
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' ').map((block) => range(block, ipv4Bits)))
const refused6 = [
  '0::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20',
  '::1/128 ::/128 ::ffff:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
].flatMap((line) => line.split(' ').map((block) => range(block, ipv6Bits)))

type Range = { first: bigint; last: bigint }

function range(block: string, bits: number): Range {
  const [network = '', prefix = '0'] = block.split('/')
  const first = bits === ipv4Bits ? number4(network) : number6(network)
  return { first, last: first + (1n << BigInt(bits - Number(prefix))) - 1n }
}

function number4(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function number6(address: string): bigint {
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::') ? Array<string>(8 - left.length - right.length).fill('0') : []
  return [...left, ...zeros, ...right].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

const text4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
const groups6 = (value: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16))
const text6 = (value: bigint): string => groups6(value).join(':')

const inside = (ranges: readonly Range[], value: bigint): boolean =>
  ranges.some(({ first, last }) => first <= value && value <= last)
const within = ({ first, last }: Range): fc.Arbitrary<bigint> => fc.bigInt({ min: first, max: last })

test('every address of every refused IPv4 block is refused', () => {
  for (const block of refused4) {
    const check = (value: bigint): void => assert.notEqual(classifyAddress(text4(value)), 'public', text4(value))
    check(block.first)
    check(block.last)
    fc.assert(fc.property(within(block), check), { numRuns: 60 })
  }
})

test('every address of every refused IPv6 block is refused', () => {
  for (const block of refused6) {
    const check = (value: bigint): void => assert.notEqual(classifyAddress(text6(value)), 'public', text6(value))
    check(block.first)
    check(block.last)
    fc.assert(fc.property(within(block), check), { numRuns: 60 })
  }
})

test('the neighbours of each block are accepted, unless they lie in the next block', () => {
  let accepted = 0
  for (const [ranges, bits, text] of [
    [refused4, ipv4Bits, text4],
    [refused6, ipv6Bits, text6],
  ] as const) {
    for (const neighbour of ranges.flatMap(({ first, last }) => [first - 1n, last + 1n])) {
      if (neighbour < 0n || neighbour >= 1n << BigInt(bits) || inside(ranges, neighbour)) continue
      assert.equal(classifyAddress(text(neighbour)), 'public', text(neighbour))
      accepted += 1
    }
  }
  assert.ok(accepted >= 30, `only ${accepted} neighbours were looked at`)
})

test('any IPv4 address is public exactly when the oracle says so', () => {
  const any = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n })
  fc.assert(
    fc.property(any, (value) => (classifyAddress(text4(value)) === 'public') === !inside(refused4, value)),
    { numRuns: 3000 },
  )
})

test('any IPv6 address is public exactly when the oracle says so, however it is spelled', () => {
  const global = within(range('2000::/3', ipv6Bits))
  const near = fc.oneof(
    ...['2001::/22', '2001:db0::/28', '2002::/15', '2620:4f::/32', '3ff0::/12'].map((each) =>
      within(range(each, ipv6Bits)),
    ),
  )
  const any = fc.oneof(global, near, fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }))
  fc.assert(
    fc.property(any, (value) => {
      const expected = !inside(refused6, value)
      const low = value & 0xffffffffn
      const dotted = `${groups6(value).slice(0, 6).join(':')}:${text4(low)}`
      const padded = groups6(value)
        .map((group) => group.padStart(4, '0'))
        .join(':')
        .toUpperCase()
      for (const spelling of [text6(value), dotted, padded, canonicalAddress(text6(value))]) {
        assert.equal(classifyAddress(spelling) === 'public', expected, spelling)
      }
    }),
    { numRuns: 800 },
  )
})

test('an IPv4 address wrapped into IPv6 is refused, whatever it wraps', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (value) => {
      const [high, low] = [(value >> 16n).toString(16), (value & 0xffffn).toString(16)]
      const dotted = text4(value)
      const wrapped = [
        `::ffff:${dotted}`,
        `::${dotted}`,
        `::ffff:0:${dotted}`,
        `64:ff9b::${dotted}`,
        `64:ff9b:1::${dotted}`,
        `2002:${high}:${low}::`,
        `2001:0:${high}:${low}::`,
        `fe80::5efe:${dotted}`,
      ]
      for (const address of wrapped) assert.notEqual(classifyAddress(address), 'public', address)
    }),
    { numRuns: 500 },
  )
})

test('the registry of special-purpose addresses is respected at every boundary', () => {
  // Stricter than the registry by decision: AS112 and AMT anycast, ORCHID and drone identifiers, NAT64 and unallocated space are no hosts that a business runs.
  const stricter = ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '64:ff9b::/96', '2620:4f:8000::/48']
  const entries = corpus('iana-boundary-addresses.json')
  assert.ok(entries.length >= 126)
  for (const { address, globallyReachable, registryBlock } of entries) {
    const kind = classifyAddress(String(address))
    if (globallyReachable !== true) assert.notEqual(kind, 'public', String(address))
    else {
      const value = String(address).includes(':') ? number6(String(address)) : null
      const special = stricter.includes(String(registryBlock)) || String(registryBlock).startsWith('2001:')
      const unallocated = value !== null && !inside([range('2000::/3', ipv6Bits)], value)
      const swallowed = value !== null && inside([range('2001::/23', ipv6Bits)], value)
      assert.equal(kind === 'public', !special && !unallocated && !swallowed, String(address))
    }
  }
})

test('what development may open is private; metadata, link-local and the rest stay forbidden', () => {
  for (const address of [
    '127.0.0.1',
    '127.255.255.255',
    '10.0.0.1',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
  ]) {
    assert.equal(classifyAddress(address), 'private', address)
  }
  const never = [
    '169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.1 168.63.129.16 192.0.0.192 100.100.100.200 fd00:ec2::254 fd00:ec2::23',
    'fd20:ce::254 fe80::1 fe80::1%eth0 0.0.0.0 :: ::ffff:127.0.0.1 ::127.0.0.1 255.255.255.255 224.0.0.1 ff02::1 198.18.0.1',
  ].flatMap((line) => line.split(' '))
  for (const address of never) assert.equal(classifyAddress(address), 'forbidden', address)
})

test('text that is no address is forbidden', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '1.2.3',
    '1.2.3.4.5',
    '8.8.8.8 ',
    '[2606:4700::1]',
    '2606:4700::1%1',
  ]) {
    assert.equal(classifyAddress(text), 'forbidden', text)
  }
})
