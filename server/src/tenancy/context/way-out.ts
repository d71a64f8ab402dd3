import { openEgress, type PoolLimits } from '../../kernel/egress/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'
import type { House, Purpose } from './context.ts'

/** Events go to many tenants at once, while the others come one by one with a request. */
const PURPOSES: Readonly<Record<Purpose, Partial<PoolLimits>>> = {
  tool: {},
  picture: {},
  check: {},
  // A crawl asks politely, so a site never sees more connections of it than this.
  crawl: { connections: 4 },
  event: { connections: 128, pools: 2048 },
  notice: {},
}

/**
 * What a tenant registered for its own server, and hosts that the operator lists. What a visitor or a tenant merely names stays on
 * the public internet.
 */
const MAY_BE_PRIVATE: readonly Purpose[] = ['tool', 'event', 'notice']

/** `isOwnDoor` says which paths of its own public address the service may call. */
export function openWayOut(
  { toolTransport, outbound, environment, http }: Settings,
  version: string,
  isOwnDoor: (path: string) => boolean,
): House['egress'] {
  const { allowInsecureEndpoint: allowInsecure, allowPrivateNetworkEndpoint: allowPrivateNetwork } = toolTransport
  // If the service called itself, it would do so with somebody else's authority.
  const { hostname, origin } = new URL(http.publicUrl)
  const refuseNames = environment === 'Production' ? [hostname] : []
  // The URL parser writes every IPv4 address with four numbers, and every other one in brackets.
  const isName = !/^\[|^\d+(\.\d+){3}$/.test(hostname)
  return openEgress({
    policy: { allowInsecure, allowPrivateNetwork, refuseNames, ownDoor: { origin, isOpen: isOwnDoor } },
    // In a network of one's own, or on a machine with a public address, our own name leads to a private or an own address.
    privatePlaces: { places: [...outbound.allowedPrivate, ...(isName ? refuseNames : [])], purposes: MAY_BE_PRIVATE },
    purposes: PURPOSES,
    userAgent: `Tether/${version}`,
  })
}
