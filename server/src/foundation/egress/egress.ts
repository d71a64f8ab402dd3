import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { ConnectionOptions } from './connection.ts'
import { closing, Fault } from './fault.ts'
import { Lane } from './lane.ts'
import type { EgressPolicy } from './policy.ts'
import { defaultLimits, type PoolLimits } from './pool.ts'
import { type EgressCall, type EgressFailure, type EgressResult, request } from './request.ts'
import { type DnsOptions, type Resolver, systemResolver } from './resolve.ts'
import { checkUrl, type UrlWords } from './url.ts'
import { interfaceAddresses, openVet } from './vet.ts'

export type EgressOptions<Purpose extends string> = {
  readonly policy: EgressPolicy
  /** Each purpose has sockets of its own; what it leaves out of the limits is the default. */
  readonly purposes: Readonly<Record<Purpose, Partial<PoolLimits>>>
  readonly userAgent: string
  readonly resolve?: Resolver
  readonly dns?: DnsOptions
  /** The longest that a name may take. */
  readonly dnsMs?: number
  /** Certificate authorities (PEM) that are trusted besides those of Node. */
  readonly authorities?: readonly string[]
  readonly ownAddresses?: () => Iterable<string>
}

/** `unresolved` is a name that DNS does not know (yet): nothing is wrong with the address itself, and `url` is the form to keep. */
export type AddressCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'address'; readonly message: string }
  | { readonly ok: false; readonly reason: 'unresolved'; readonly message: string; readonly url: string }

export type Egress<Purpose extends string> = {
  readonly policy: EgressPolicy
  request(call: EgressCall & { readonly purpose: Purpose }): Promise<EgressResult>
  /** For configuration time: form, name and every address that the name has now. `url` is the form to keep. */
  checkAddress(url: string, words: UrlWords): Promise<AddressCheck>
  /** Sockets now, by purpose and origin. */
  sockets(purpose: Purpose): ReadonlyMap<string, number>
  /** Refuses new calls, lets running ones end for so long, then ends them. */
  close(graceMs?: number): Promise<void>
}

export function openEgress<Purpose extends string>(options: EgressOptions<Purpose>): Egress<Purpose> {
  const { policy, userAgent } = options
  const vet = openVet({
    policy,
    resolve: options.resolve ?? systemResolver(policy, options.dns),
    dnsMs: options.dnsMs ?? 3000,
    ownAddresses: options.ownAddresses ?? interfaceAddresses,
  })
  let secureContext: SecureContext | undefined
  const lanes = new Map<Purpose, Lane>()
  for (const purpose in options.purposes) {
    const limits = { ...defaultLimits, ...options.purposes[purpose] }
    const connection = (): ConnectionOptions => {
      secureContext ??= contextOf(options.authorities)
      return { ...limits, vet, secureContext, session: { last: undefined } }
    }
    lanes.set(purpose, new Lane(limits, (target, onEmpty) => ({ target, limits, onEmpty, connection: connection() })))
  }
  const laneOf = (purpose: Purpose): Lane => {
    const lane = lanes.get(purpose)
    if (lane === undefined) throw new TypeError(`"${purpose}" is no purpose of this egress: name it in openEgress.`)
    return lane
  }
  const running = new Set<Promise<EgressResult>>()
  let closed: Promise<void> | null = null

  return {
    policy,
    request(call) {
      if (closed !== null) return Promise.resolve(closedFailure(call.url))
      const result = request({ policy, lane: laneOf(call.purpose), userAgent }, call)
      running.add(result)
      const forget = (): void => void running.delete(result)
      result.then(forget, forget)
      return result
    },
    async checkAddress(url, words) {
      const checked = checkUrl(url, policy, words)
      if (!checked.ok) return { ok: false, reason: 'address', message: checked.message }
      try {
        await vet(checked.target)
        return { ok: true, url: checked.target.href }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        const message = error.message.replace(/^The address/, words.noun)
        if (error.kind === 'refused') return { ok: false, reason: 'address', message }
        return { ok: false, reason: 'unresolved', message, url: checked.target.href }
      }
    },
    sockets: (purpose) => new Map([...laneOf(purpose).pools].map(([origin, pool]) => [origin, pool.size])),
    close(graceMs = 5000) {
      closed ??= closeAll([...lanes.values()], running, graceMs)
      return closed
    },
  }
}

/** Made for the first connection: reading the authorities that Node trusts takes a while. */
const contextOf = (authorities: readonly string[] | undefined): SecureContext =>
  createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities === undefined ? {} : { ca: [...getCACertificates('default'), ...authorities] }),
  })

async function closeAll(
  lanes: readonly Lane[],
  running: ReadonlySet<Promise<unknown>>,
  graceMs: number,
): Promise<void> {
  for (const lane of lanes) lane.close()
  let timer: NodeJS.Timeout | undefined
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([Promise.allSettled(running), grace])
  clearTimeout(timer)
  for (const lane of lanes) lane.destroy()
  await Promise.allSettled(running)
}

function closedFailure(finalUrl: string): EgressFailure {
  const { kind, message, code } = closing()
  return { kind, message, code, sent: false, status: null, finalUrl, durationMs: 0 }
}
