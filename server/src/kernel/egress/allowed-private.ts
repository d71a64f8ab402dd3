import { BlockList, isIP } from 'node:net'

/** The private hosts and networks that an operator has listed. Nothing follows from an entry but the entry itself. */
export type AllowedPrivate = {
  /** True for a listed name, and for no name above or below it. */
  hasName(host: string): boolean
  hasAddress(address: string): boolean
  /** True if the address is listed by itself, and not only within a range. */
  hasAlone(address: string): boolean
}

/** Each place is a host name as the URL parser writes it, an address, or a range in CIDR form. */
export function allowedPrivate(places: readonly string[]): AllowedPrivate {
  const names = new Set<string>()
  const single = new BlockList()
  const all = new BlockList()
  for (const place of places) {
    const [address = '', prefix] = place.split('/')
    const version = isIP(address)
    if (version === 0) {
      names.add(place)
      continue
    }
    const family = familyOf(version)
    const whole = version === 4 ? 32 : 128
    const bits = prefix === undefined ? whole : Number(prefix)
    all.addSubnet(address, bits, family)
    if (bits === whole) single.addAddress(address, family)
  }
  const isIn = (list: BlockList, address: string) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, familyOf(version))
  }
  return {
    hasName: (host) => names.has(host),
    hasAddress: (address) => isIn(all, address),
    hasAlone: (address) => isIn(single, address),
  }
}

const familyOf = (version: number): 'ipv4' | 'ipv6' => (version === 4 ? 'ipv4' : 'ipv6')
