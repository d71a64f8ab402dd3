import { networkInterfaces } from 'node:os'
import { canonicalAddress } from './address.ts'
import { EgressFault, errorCode } from './fault.ts'
import type { EgressPolicy } from './policy.ts'
import type { Resolver } from './resolve.ts'
import { isAllowedAddress, privateAddress, type Target } from './url.ts'

/** Finds the addresses that a connection to the target may use, all of which are allowed. Throws an `EgressFault`. */
export type Vet = (target: Target) => Promise<readonly string[]>

type VetOptions = {
  readonly policy: EgressPolicy
  readonly resolve: Resolver
  /** The longest time for looking up a name. */
  readonly dnsMs: number
  /** The addresses of this machine's own interfaces, which we refuse like private ones. */
  readonly ownAddresses: () => Iterable<string>
}

// After its signal, a resolver has this long to return the answers so far.
const graceMs = 50
// With more, we would only take longer to give up on a dead host.
const mostUsed = 8

export function openVet(options: VetOptions): Vet {
  const { policy } = options
  // A burst of new connections to one host asks DNS once. We do not cache the answer, so a later connection asks again.
  const asking = new Map<string, Promise<readonly string[]>>()

  const ask = (name: string): Promise<readonly string[]> => {
    const running = asking.get(name)
    if (running !== undefined) return running
    const started = lookUp(name, options).finally(() => asking.delete(name))
    asking.set(name, started)
    return started
  }

  return async (target) => {
    const addresses = target.isLiteral ? [target.host] : await ask(target.host)
    // A bad address among good ones is an attack or an accident. We try neither.
    if (!addresses.every((address) => isAllowedAddress(address, policy, target.host))) throw refusedAddress()
    const pinned = addresses.map(canonicalAddress)
    if (!mayBeOwn(target.host, pinned, policy) && isOwn(pinned, options.ownAddresses())) throw refusedAddress()
    return inTurns(pinned).slice(0, mostUsed)
  }
}

async function lookUp(name: string, { resolve, dnsMs }: VetOptions): Promise<readonly string[]> {
  const controller = new AbortController()
  const timers: NodeJS.Timeout[] = []
  const late = new Promise<never>((_, reject) => {
    const end = (): void => {
      controller.abort()
      // Not before: a process that was held up finds both times over at once, and answers that it has would be lost.
      timers.push(setTimeout(() => reject(noAnswer(null)), graceMs))
    }
    timers.push(setTimeout(end, dnsMs))
  })
  try {
    const addresses = await Promise.race([resolve(name, controller.signal), late])
    if (addresses.length === 0) throw noSuchHost('ENODATA')
    return addresses
  } catch (error) {
    if (error instanceof EgressFault) throw error
    const code = errorCode(error)
    throw code === 'ENOTFOUND' || code === 'ENODATA' ? noSuchHost(code) : noAnswer(code)
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

const refusedAddress = (): EgressFault => new EgressFault('refused', privateAddress('The address'), 'EGRESS_ADDRESS')

// A range that an operator lists is meant for other machines. To open this one, its name or address must be listed.
const mayBeOwn = (host: string, addresses: readonly string[], policy: EgressPolicy): boolean =>
  policy.allowPrivateNetwork ||
  policy.allowedPrivate?.hasName(host) === true ||
  (policy.allowedPrivate !== undefined && addresses.every(policy.allowedPrivate.hasAlone))

function isOwn(addresses: readonly string[], ownAddresses: Iterable<string>): boolean {
  const own = new Set(ownAddresses)
  return addresses.some((address) => own.has(address))
}

const noSuchHost = (code: string): EgressFault =>
  new EgressFault('unreachable', 'The host name does not exist in DNS.', code)

const noAnswer = (code: string | null): EgressFault =>
  new EgressFault('unreachable', 'The host name could not be looked up because DNS did not answer in time.', code)

/** Alternates the families, so that a dead IPv4 or IPv6 network does not use up the list. */
function inTurns(addresses: readonly string[]): string[] {
  const [first, second] = [
    addresses.filter((each) => !each.includes(':')),
    addresses.filter((each) => each.includes(':')),
  ]
  const turns: string[] = []
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    for (const family of [first, second]) {
      const address = family[index]
      if (address !== undefined) turns.push(address)
    }
  }
  return turns
}

/** The value of `ownAddresses` outside tests. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}
