/** What may be reached at all. One policy holds for everything that leaves the process. */
export type EgressPolicy = {
  /** Plain `http:` is accepted. Development only. */
  readonly allowInsecure: boolean
  /** Loopback and private addresses, local and single-label names are accepted, and the hosts file is read. Development only. */
  readonly allowPrivateNetwork: boolean
  /** Only these ports. Absent: the rule of `ports.ts`. */
  readonly ports?: readonly number[]
  /** The host reaches IPv4 through NAT64: judge the IPv4 address inside 64:ff9b::/96 instead of refusing the block. */
  readonly nat64?: boolean
  /** Names that are refused as well, with every name below them (the service's own public name). */
  readonly refuseNames?: readonly string[]
}
