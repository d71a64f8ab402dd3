import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { House } from '../../tenancy/context/index.ts'
import { openTurnstiles } from '../../tenancy/limits/index.ts'
import { MOST_LOOKS_AT_ONCE } from './limits.ts'
import type { LookEnd } from './opened.ts'

/** What one service keeps about MCP servers between calls. */
export type KnownServers = {
  /** The look at a server that is under way, and the one that follows it. */
  readonly looks: Map<string, { readonly running: Promise<LookEnd>; next: Promise<LookEnd> | null }>
  /** Bounds how many servers of a workspace are looked at together. */
  readonly throughTurnstile: ReturnType<typeof openTurnstiles<number>>
  /** Which era of the protocol a server speaks, and when that was found. */
  readonly eras: Map<string, { readonly prior: PriorDiscovery; readonly at: number }>
}

export const openKnownServers = (): KnownServers => ({
  looks: new Map(),
  throughTurnstile: openTurnstiles(MOST_LOOKS_AT_ONCE),
  eras: new Map(),
})

/** Whoever calls a server, or looks at it when nobody calls. */
export type Reaching = Pick<House, 'db' | 'egress' | 'keyring'> & {
  readonly servers: KnownServers
  readonly asking: { readonly tenantId: number; readonly upstreamToken?: string | null }
}
