import type { House } from '../../tenancy/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { openApiTransport } from './direct/api-transport.ts'
import { openEndpointTransport } from './endpoint-transport.ts'
import type { ApiOf } from './imported-api.ts'
import type { Transport } from './transport.ts'

/** The one place that decides how a tool is reached. No tool falls back to another way: it would be sent what was meant for somebody else. */
export function openTransports(
  house: Pick<House, 'keyring' | 'clock'>,
  apiOf: ApiOf,
  proxy: Transport,
): (tool: Tool) => Transport {
  const endpoint = openEndpointTransport(house)
  const api = openApiTransport(house, apiOf)
  return ({ http, upstream }) => (upstream ? proxy : http === null ? endpoint : api)
}
