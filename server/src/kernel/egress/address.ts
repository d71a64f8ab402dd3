import { BlockList, isIP, SocketAddress } from 'node:net'

/** A development machine may allow `private` addresses with a setting. `forbidden` ones stay closed to everyone. */
type AddressClass = 'public' | 'private' | 'forbidden'

type Subnet = readonly [network: string, prefix: number]

const refusedIpv4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform address is globally routable, yet it serves machine secrets.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// IPv6 is an allow list of what the registry assigns to networks. Every other form that wraps an IPv4 address (mapped,
// compatible, translated, ISATAP) is outside of it, so we can refuse them without decoding.
const globalIpv6: readonly Subnet[] = [['2000::', 3]]
const refusedIpv6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

// Each family has its own list, because a shared one would match a mapped address against its IPv4 rows.
const privateIpv4: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]
const privateIpv6: readonly Subnet[] = [
  ['::1', 128],
  ['fc00::', 7],
]

// Machine metadata inside private networks. Link-local metadata needs no row, because 169.254/16 and fe80::/10 are
// never private.
const metadataIpv4: readonly Subnet[] = [['100.100.100.200', 32]]
const metadataIpv6: readonly Subnet[] = [
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
]

type AddressRule = (address: string) => boolean

function rule(family: 'ipv4' | 'ipv6', blocks: readonly Subnet[]): AddressRule {
  const list = new BlockList()
  for (const [network, prefix] of blocks) list.addSubnet(network, prefix, family)
  return (address) => list.check(address, family)
}

const ipv4 = {
  metadata: rule('ipv4', metadataIpv4),
  private: rule('ipv4', privateIpv4),
  refused: rule('ipv4', refusedIpv4),
}
const ipv6 = {
  metadata: rule('ipv6', metadataIpv6),
  private: rule('ipv6', privateIpv6),
  global: rule('ipv6', globalIpv6),
  refused: rule('ipv6', refusedIpv6),
}

/** Classifies a literal address. Text that is not an address, or that has a zone (`fe80::1%eth0`), is forbidden. */
export function classifyAddress(address: string): AddressClass {
  const version = isIP(address)
  if (version === 4) return classifyIpv4(address)
  if (version === 0 || address.includes('%') || ipv6.metadata(address)) return 'forbidden'
  if (ipv6.private(address)) return 'private'
  return ipv6.global(address) && !ipv6.refused(address) ? 'public' : 'forbidden'
}

function classifyIpv4(address: string): AddressClass {
  if (ipv4.metadata(address)) return 'forbidden'
  if (ipv4.private(address)) return 'private'
  return ipv4.refused(address) ? 'forbidden' : 'public'
}

/** Gives each address one spelling, so that two can be compared as text. */
export function canonicalAddress(address: string): string {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return new SocketAddress({ address, family }).address
}

/** True for an IP address of either family, without brackets. */
export const isIpAddress = (text: string): boolean => isIP(text) !== 0
