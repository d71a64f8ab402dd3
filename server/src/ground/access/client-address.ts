// Who the client is behind proxies. Rates, sign-up and sandbox counts go by this address, so nothing that a client can
// write itself may change it: a header counts only from a proxy that we were told of, or beside the relay's secret.
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

export type ClientAddress = {
  /** In one form only: IPv4 dotted, also when it came mapped into IPv6; IPv6 in lower case, compressed, without a zone. */
  readonly address: string
  /** The form to count by, see `addressBucket`. */
  readonly bucket: string
  readonly via: 'socket' | 'proxy' | 'relay'
}

export type ClientAddressInput = {
  readonly socketAddress: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly knownProxies: BlockList
  readonly relaySecret: string | undefined
}

// The socket of a request that is already closed has no address. All of them count as one.
const nowhere = '0.0.0.0'

// The longest that is an address with a port is 53 characters; a header of 16 KB is not looked at further.
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

// A connection, and a proxy the more, carries many requests from one address.
const mostKnown = 1000
const known = new Map<string, ClientAddress>()

function socketClient(written: string): ClientAddress {
  const found = known.get(written)
  if (found !== undefined) return found
  const client = clientAt(canonicalAddress(written.replace(/%.*$/s, '')) ?? nowhere, 'socket')
  if (known.size >= mostKnown) known.clear()
  known.set(written, client)
  return client
}

const clientAt = (address: string, via: ClientAddress['via']): ClientAddress => ({
  address,
  bucket: addressBucket(address),
  via,
})

/** The form of an address to count by: an IPv6 client owns a /64 at least and can take a new address for every request. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** `Forwarding:KnownProxies` (addresses and ranges) with loopback added. Throws on an entry that is neither. */
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
  // A range of IPv4 that is written mapped into IPv6 counts its prefix from there.
  const offset = family === 'ipv4' && isIPv6(written) ? 96 : 0
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) - offset : -1
  if (!address || !family || rest.length > 0 || prefix < 0 || prefix > widest) {
    throw new Error(`Forwarding:KnownProxies holds "${entry}": write an IP address, or a range such as 10.0.0.0/8.`)
  }
  list.addSubnet(address, prefix, family)
}

function relayedAddress({ headers, relaySecret }: ClientAddressInput): string | undefined {
  const given = headers['x-service-relay']
  const visitor = headers['x-service-visitor']
  if (typeof given !== 'string' || typeof visitor !== 'string') return undefined
  // The setting is refused when it is short; an empty one must not match an empty header even so.
  if (!relaySecret || relaySecret.length < shortestSecret) return undefined
  // A header is read as latin1, so this gives back the bytes that were sent.
  const same = timingSafeEqual(sha256(Buffer.from(given, 'latin1')), sha256(Buffer.from(relaySecret, 'utf8')))
  return same ? writtenAddress(visitor) : undefined
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** The entry that the proxy itself added. What stands before it was sent by the client, also when the last one is unreadable. */
function lastForwarded(headers: ClientAddressInput['headers']): string | undefined {
  const given = headers['x-forwarded-for']
  const text = typeof given === 'string' ? given : given?.at(-1)
  return text === undefined ? undefined : writtenAddress(text.slice(text.lastIndexOf(',') + 1))
}

/** An address as proxies write it: bare, in brackets, or with a port. */
function writtenAddress(text: string): string | undefined {
  const bare = text.trim()
  if (bare.length > longestAddress) return undefined
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1]
  if (bracketed !== undefined) return isIPv6(bracketed) ? canonicalAddress(bracketed) : undefined
  return canonicalAddress(/^([\d.]+):\d{1,5}$/.exec(bare)?.[1] ?? bare)
}

/** Built anew from its numbers, so that one client has one form and no piece of a long header is kept alive by it. */
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
