import { promises as dns } from 'node:dns'
import type { EgressPolicy } from './policy.ts'

/**
 * Finds all addresses of a name, and rejects if there are none. The signal ends the look-up, but answers received so
 * far count.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>

export type DnsOptions = {
  /** Each is `address` or `address:port`. The default is the system's. */
  readonly servers?: readonly string[]
  /** How long to wait for an answer at first; a second try waits longer. */
  readonly tryMs?: number
}

/**
 * Chooses a policy's resolver: DNS alone, or the system's, which knows the hosts file and search domains. The second is
 * for development and for names that the operator has listed, which mean what they mean on this machine.
 */
export function systemResolver(policy: EgressPolicy, options: DnsOptions = {}): Resolver {
  if (policy.allowPrivateNetwork) return hostsResolver
  const publicResolver = dnsResolver(options)
  return (name, signal) =>
    policy.allowedPrivate?.hasName(name) === true ? hostsResolver(name, signal) : publicResolver(name, signal)
}

/**
 * Asks DNS directly, by c-ares: it takes names as they are (no search domains, no hosts file), and a slow name waits on
 * a socket, not on one of the few threads that `dns.lookup` shares with everything else. Each look-up has its own
 * channel (about 0.06 ms), so that ending it does not affect another.
 */
export function dnsResolver({ servers, tryMs = 1000 }: DnsOptions): Resolver {
  return async (name, signal) => {
    const channel = new dns.Resolver({ timeout: tryMs, tries: 2 })
    if (servers !== undefined) channel.setServers(servers)
    const cancel = (): void => channel.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const families = await Promise.allSettled([channel.resolve4(name), channel.resolve6(name)])
      const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
      if (addresses.length > 0) return addresses
      throw firstReason(families)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

const firstReason = (results: readonly PromiseSettledResult<unknown>[]): unknown =>
  results.find((result) => result.status === 'rejected')?.reason

/** Uses the system's own look-up, which blocks one of libuv's threads for as long as it takes. */
const hostsResolver: Resolver = async (name) => {
  const answers = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}
