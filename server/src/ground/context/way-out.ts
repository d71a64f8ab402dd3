import { openEgress, type PoolLimits } from '../../foundation/egress/index.ts'
import type { Settings } from '../../settings/index.ts'
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

export function openWayOut({ toolTransport, outbound, environment, http }: Settings, version: string): House['egress'] {
  const { allowInsecureEndpoint: allowInsecure, allowPrivateNetworkEndpoint: allowPrivateNetwork } = toolTransport
  // If the service called itself, it would do so with somebody else's authority.
  const refuseNames = environment === 'Production' ? [new URL(http.publicUrl).hostname] : []
  return openEgress({
    policy: { allowInsecure, allowPrivateNetwork, refuseNames },
    privatePlaces: { places: outbound.allowedPrivate, purposes: MAY_BE_PRIVATE },
    purposes: PURPOSES,
    userAgent: `Tether/${version}`,
  })
}
