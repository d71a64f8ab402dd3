import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { inTime } from '../clock/index.ts'
import { once } from '../memo/index.ts'
import { allowedPrivate } from './allowed-private.ts'
import type { ConnectionOptions } from './connection.ts'
import { closingFault, EgressFault } from './fault.ts'
import type { EgressPolicy } from './policy.ts'
import { defaultLimits, type PoolLimits } from './pool.ts'
import { type OpenPool, PurposePools } from './purpose-pools.ts'
import { type EgressCall, type EgressFailure, type EgressResult, request } from './request.ts'
import { type DnsOptions, type Resolver, systemResolver } from './resolve.ts'
import { checkUrl, type UrlWords } from './url.ts'
import { interfaceAddresses, openVet, type Vet } from './vet.ts'

export type EgressOptions<Purpose extends string> = {
  readonly policy: EgressPolicy
  /** Private places that these purposes may reach, and no others. */
  readonly privatePlaces?: { readonly places: readonly string[]; readonly purposes: readonly Purpose[] }
  /** Each purpose has its own sockets. Limits that it omits have their defaults. */
  readonly purposes: Readonly<Record<Purpose, Partial<PoolLimits>>>
  readonly userAgent: string
  readonly resolve?: Resolver
  readonly dns?: DnsOptions
  /** The longest time for looking up a name. */
  readonly dnsMs?: number
  /** Certificate authorities (PEM) that are trusted besides those of Node. */
  readonly authorities?: readonly string[]
  readonly ownAddresses?: () => Iterable<string>
}

/**
 * `unresolved` means that DNS does not know the name (yet). The address itself is fine, and `url` is the form to store.
 */
export type AddressCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'address'; readonly message: string }
  | { readonly ok: false; readonly reason: 'unresolved'; readonly message: string; readonly url: string }

export type Egress<Purpose extends string> = {
  request(call: EgressCall & { readonly purpose: Purpose }): Promise<EgressResult>
  /**
   * For settings and registration: checks form, name and every address that the name has now. Store `url`. Without a
   * purpose it is checked as strictly as any.
   */
  checkAddress(url: string, words: UrlWords & { readonly purpose?: Purpose }): Promise<AddressCheck>
  /** The number of open sockets of a purpose, by origin. */
  sockets(purpose: Purpose): ReadonlyMap<string, number>
  /** Refuses new calls, gives running ones `graceMs` to end, then ends them. */
  close(graceMs?: number): Promise<void>
}

export function openEgress<Purpose extends string>(options: EgressOptions<Purpose>): Egress<Purpose> {
  const { userAgent, privatePlaces } = options
  const strict = openGuard(options.policy, options)
  const wider =
    privatePlaces === undefined || privatePlaces.places.length === 0
      ? strict
      : openGuard({ ...options.policy, allowedPrivate: allowedPrivate(privatePlaces.places) }, options)
  const guardOf = (purpose: Purpose | undefined): Guard =>
    purpose !== undefined && privatePlaces?.purposes.includes(purpose) === true ? wider : strict
  const secure = once(() => contextOf(options.authorities))
  const allPools = new Map<Purpose, PurposePools>()
  for (const purpose in options.purposes) {
    const limits = { ...defaultLimits, ...options.purposes[purpose] }
    const { vet } = guardOf(purpose)
    const connection = (Client: ConnectionOptions['Client']): ConnectionOptions => ({
      Client,
      ...limits,
      vet,
      secureContext: secure(),
      session: { last: undefined },
    })
    const open: OpenPool = (target, Client, onEmpty) => ({ target, limits, onEmpty, connection: connection(Client) })
    allPools.set(purpose, new PurposePools(limits, open))
  }
  const poolsOf = (purpose: Purpose): PurposePools => {
    const pools = allPools.get(purpose)
    if (pools === undefined) throw new TypeError(`"${purpose}" is not a purpose of this egress. Name it in openEgress.`)
    return pools
  }
  const running = new Set<Promise<EgressResult>>()
  let closed: Promise<void> | null = null

  return {
    request(call) {
      if (closed !== null) return Promise.resolve(closedFailure(call.url))
      const { policy } = guardOf(call.purpose)
      // Before the call's time begins.
      secure()
      const result = request({ policy, pools: poolsOf(call.purpose), userAgent }, call)
      running.add(result)
      const forget = (): void => void running.delete(result)
      result.then(forget, forget)
      return result
    },
    async checkAddress(url, words) {
      const { policy, vet } = guardOf(words.purpose)
      const checked = checkUrl(url, policy, words)
      if (!checked.ok) return { ok: false, reason: 'address', message: checked.message }
      try {
        await vet(checked.target)
        return { ok: true, url: checked.target.href }
      } catch (error) {
        if (!(error instanceof EgressFault)) throw error
        const message = error.message.replace(/^The address/, words.noun)
        if (error.kind === 'refused') return { ok: false, reason: 'address', message }
        return { ok: false, reason: 'unresolved', message, url: checked.target.href }
      }
    },
    sockets: (purpose) => poolsOf(purpose).sockets(),
    close(graceMs = 5000) {
      closed ??= closeAll([...allPools.values()], running, graceMs)
      return closed
    },
  }
}

type Guard = { readonly policy: EgressPolicy; readonly vet: Vet }

function openGuard(
  policy: EgressPolicy,
  { resolve, dns, dnsMs = 3000, ownAddresses = interfaceAddresses }: Omit<EgressOptions<string>, 'purposes'>,
): Guard {
  return { policy, vet: openVet({ policy, resolve: resolve ?? systemResolver(policy, dns), dnsMs, ownAddresses }) }
}

/** Made for the first call: reading the authorities that Node trusts takes a while. */
const contextOf = (authorities: readonly string[] | undefined): SecureContext =>
  createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities === undefined ? {} : { ca: [...getCACertificates('default'), ...authorities] }),
  })

async function closeAll(
  allPools: readonly PurposePools[],
  running: ReadonlySet<Promise<unknown>>,
  graceMs: number,
): Promise<void> {
  for (const pools of allPools) pools.close()
  await inTime(graceMs, Promise.allSettled(running))
  for (const pools of allPools) pools.destroy()
  await Promise.allSettled(running)
}

function closedFailure(finalUrl: string): EgressFailure {
  const { kind, message, code } = closingFault()
  return { kind, message, code, sent: false, status: null, finalUrl, durationMs: 0 }
}
