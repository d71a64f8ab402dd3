import { BlockList, isIP, SocketAddress } from 'node:net'

/** `private` is what a development machine may open by a switch; `forbidden` stays shut for everyone. */
export type AddressClass = 'public' | 'private' | 'forbidden'

type Block = readonly [network: string, prefix: number]

const refusedIpv4: readonly Block[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform address: globally routable, and yet it answers with machine secrets.
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

// IPv6 is an allow list: what the registry hands out to networks. Everything that wraps an IPv4 address in some
// other way (mapped, compatible, translated, ISATAP) lies outside of it, so it needs no decoding to be refused.
const globalIpv6: readonly Block[] = [['2000::', 3]]
const refusedIpv6: readonly Block[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

// The two families are kept in lists of their own: a list with both would match a mapped address against its IPv4 rows.
const privateIpv4: readonly Block[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]
const privateIpv6: readonly Block[] = [
  ['::1', 128],
  ['fc00::', 7],
]

// Machine metadata inside private blocks. Link-local metadata needs no row: 169.254/16 and fe80::/10 are never private.
const metadataIpv4: readonly Block[] = [['100.100.100.200', 32]]
const metadataIpv6: readonly Block[] = [
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
]

const nat64Ipv6: readonly Block[] = [['64:ff9b::', 96]]

type Rule = (address: string) => boolean

function rule(family: 'ipv4' | 'ipv6', blocks: readonly Block[]): Rule {
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
  nat64: rule('ipv6', nat64Ipv6),
}

/** Judges one literal address. Text that is no address, and one with a zone (`fe80::1%eth0`), is forbidden. */
export function classifyAddress(address: string, options: { nat64?: boolean } = {}): AddressClass {
  const version = isIP(address)
  if (version === 4) return classifyIpv4(address)
  if (version === 0 || address.includes('%') || ipv6.metadata(address)) return 'forbidden'
  if (ipv6.private(address)) return 'private'
  if (options.nat64 === true && ipv6.nat64(address)) {
    return classifyIpv4(embeddedIpv4(address)) === 'public' ? 'public' : 'forbidden'
  }
  return ipv6.global(address) && !ipv6.refused(address) ? 'public' : 'forbidden'
}

function classifyIpv4(address: string): AddressClass {
  if (ipv4.metadata(address)) return 'forbidden'
  if (ipv4.private(address)) return 'private'
  return ipv4.refused(address) ? 'forbidden' : 'public'
}

/** One spelling per address, so that two of them can be compared as text. */
export function canonicalAddress(address: string): string {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return new SocketAddress({ address, family }).address
}

/** The last 32 bits of an IPv6 address, written as IPv4. */
function embeddedIpv4(address: string): string {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':').slice(-2)
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group === '' ? '0' : group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether it is an IP address, of either family, without brackets. */
export const isAddress = (text: string): boolean => isIP(text) !== 0
