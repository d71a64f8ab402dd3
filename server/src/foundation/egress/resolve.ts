import { promises as dns } from 'node:dns'
import type { EgressPolicy } from './policy.ts'

/** All addresses of a name. Rejects when there are none. The signal ends the look-up; what was answered until then still counts. */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>

export type DnsOptions = {
  /** `address` or `address:port`; absent: those of the system. */
  readonly servers?: readonly string[]
  /** The first wait for an answer; a second try waits longer. */
  readonly tryMs?: number
}

/** The resolver that a policy calls for: DNS alone, or (development) the system's, which knows the hosts file. */
export const systemResolver = (policy: EgressPolicy, options: DnsOptions = {}): Resolver =>
  policy.allowPrivateNetwork ? hostsResolver : dnsResolver(options)

/**
 * Asks DNS itself, by c-ares: names are taken as they are (no search domains, no hosts file), and a slow name waits on a socket, not on
 * one of the few threads that `dns.lookup` shares with everything else. Each look-up has a channel of its own (about 0.06 ms), so
 * that it can be ended without touching another's.
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

/** The system's own look-up. It blocks one of libuv's threads for as long as the system takes: for development only. */
export const hostsResolver: Resolver = async (name) => {
  const answers = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}
