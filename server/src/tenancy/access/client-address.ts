// Finds the client behind proxies. Rate limits, sign-up and sandbox counts use this address, so a client must not be
// able to change it: a header counts only if it comes from a configured proxy, or with the relay's secret.
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { equalBytes } from '../../kernel/crypto/index.ts'

export type ClientAddress = {
  /**
   * Has one form only: dotted IPv4, even if it came mapped into IPv6; or lower-case, compressed IPv6 without a zone.
   */
  readonly address: string
  /** The form to count by; see `addressBucket`. */
  readonly bucket: string
  readonly via: 'socket' | 'proxy' | 'relay'
}

type ClientAddressInput = {
  readonly socketAddress: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly knownProxies: BlockList
  readonly relaySecret: string | undefined
}

// A socket that has already closed has no address. All of them count as one.
const nowhere = '0.0.0.0'

// The longest address with a port has 53 characters. We do not read further into a header of 16 KB.
const longestAddress = 64

const shortestSecret = 32

export function clientAddress(input: ClientAddressInput): ClientAddress {
  const relayed = relayedAddress(input)
  if (relayed) return clientAt(relayed, 'relay')
  const socket = socketClient(input.socketAddress ?? '')
  if (input.headers['x-forwarded-for'] === undefined) return socket
  const { address } = socket
  const forwarded = input.knownProxies.check(address, familyOf(address)) ? lastForwarded(input.headers) : undefined
  return forwarded ? clientAt(forwarded, 'proxy') : socket
}

const socketClient = (written: string): ClientAddress =>
  clientAt(canonicalAddress(written.replace(/%.*$/s, '')) ?? nowhere, 'socket')

const clientAt = (address: string, via: ClientAddress['via']): ClientAddress => ({
  address,
  bucket: addressBucket(address),
  via,
})

/** Returns the form to count by. An IPv6 client owns at least a /64 and can use a new address for every request. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** Reads `Forwarding:KnownProxies` (addresses and ranges) and adds loopback. Throws on any other entry. */
export function readKnownProxies(entries: readonly string[]): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addAddress('::1', 'ipv6')
  for (const entry of entries) addProxy(list, entry)
  return list
}

function addProxy(list: BlockList, entry: string): void {
  const [written = '', bits, ...rest] = entry.trim().split('/')
  const address = canonicalAddress(written)
  const family = address && familyOf(address)
  const widest = family === 'ipv4' ? 32 : 128
  // The prefix of an IPv4 range written in mapped IPv6 form counts from the start of the IPv6 address.
  const offset = family === 'ipv4' && isIPv6(written) ? 96 : 0
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) - offset : -1
  if (!address || !family || rest.length > 0 || prefix < 0 || prefix > widest) {
    throw new Error(`Forwarding:KnownProxies contains "${entry}". Write an IP address, or a range such as 10.0.0.0/8.`)
  }
  list.addSubnet(address, prefix, family)
}

function relayedAddress({ headers, relaySecret }: ClientAddressInput): string | undefined {
  const given = headers['x-service-relay']
  const visitor = headers['x-service-visitor']
  if (typeof given !== 'string' || typeof visitor !== 'string') return undefined
  // The settings refuse a short secret, but in any case an empty one must not match an empty header.
  if (!relaySecret || relaySecret.length < shortestSecret) return undefined
  // Node reads a header as latin1, so this restores the bytes that were sent.
  return equalBytes(Buffer.from(given, 'latin1'), Buffer.from(relaySecret)) ? writtenAddress(visitor) : undefined
}

/**
 * The last entry, which the proxy itself added. The client sent everything before it, even if we cannot read the last
 * one.
 */
function lastForwarded(headers: ClientAddressInput['headers']): string | undefined {
  const given = headers['x-forwarded-for']
  const text = typeof given === 'string' ? given : given?.at(-1)
  return text === undefined ? undefined : writtenAddress(text.slice(text.lastIndexOf(',') + 1))
}

/** Reads an address as proxies write it: bare, in brackets, or with a port. */
function writtenAddress(text: string): string | undefined {
  const bare = text.trim()
  if (bare.length > longestAddress) return undefined
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1]
  if (bracketed !== undefined) return isIPv6(bracketed) ? canonicalAddress(bracketed) : undefined
  return canonicalAddress(/^([\d.]+):\d{1,5}$/.exec(bare)?.[1] ?? bare)
}

/**
 * Rebuilds an address from its numbers, so that one client has one form and we keep no part of a long header in memory.
 */
function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text.split('.').map(Number).join('.')
  if (!isIPv6(text) || text.includes('%')) return undefined
  const groups = groupsOf(text)
  const [high = 0, low = 0] = groups.slice(6)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : hostOf(text)
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** The platform's own short form of an IPv6 address. */
const hostOf = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [before = '', after] = hostOf(address).split('::')
  const head = numbersIn(before)
  if (after === undefined) return head
  const tail = numbersIn(after)
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const numbersIn = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
