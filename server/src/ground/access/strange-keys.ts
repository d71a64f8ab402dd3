import { localLimiter, type Verdict } from '../limits/index.ts'

export type StrangeKeys = {
  /** Whether a key that was not known here lately may be looked up for this address. */
  mayLook(name: string, addressBucket: string): Verdict
  found(name: string, tenantId: number): void
  /** Whose key it is, if it was good here lately. That never changes. */
  ownerOf(name: string): number | undefined
  notFound(addressBucket: string): void
}

const WINDOW_MS = 60_000
const MOST_ADDRESSES = 100_000
const MOST_KNOWN = 100_000
/** How many times its anonymous allowance an address may have unknown keys looked up. */
const LOOKS = 10

/**
 * A key has to be looked up before it is known whose request it is, and so before the request is counted. An address that has
 * brought many unknown ones waits. Keys that were good here lately are not held up by a neighbour at the same address, and each of
 * them is still looked up every time.
 */
export function openStrangeKeys(anonymousPerMinute: number, now: () => number): StrangeKeys {
  const looks = localLimiter({ now, windowMs: WINDOW_MS, maxBucketsPerKind: MOST_ADDRESSES })
  const known = new Map<string, number>()
  const limits = (address: string) => [
    { name: 'stranger', bucket: `stranger:${address}`, limit: anonymousPerMinute * LOOKS },
  ]
  return {
    mayLook: (name, address) => looks.peek(known.has(name) ? [] : limits(address)),
    found(name, tenantId) {
      if (known.has(name)) return
      const [oldest] = known.keys()
      if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
      known.set(name, tenantId)
    },
    ownerOf: (name) => known.get(name),
    notFound: (address) => looks.record(limits(address)),
  }
}
