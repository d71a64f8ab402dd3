import type { House } from '../../tenancy/context/index.ts'
import type { Duty } from '../../tenancy/jobs/index.ts'
import type { Transport } from '../../tools/calls/index.ts'
import { upstreamTransport } from './call.ts'
import { upstreamDuties } from './duties.ts'
import { type KnownServers, openKnownServers } from './reaching.ts'

export type Upstreams = {
  readonly servers: KnownServers
  readonly transport: Transport
  readonly duties: readonly Duty[]
}

export function openUpstreams(house: House): Upstreams {
  const servers = openKnownServers()
  return { servers, transport: upstreamTransport(servers), duties: upstreamDuties(house, servers) }
}
