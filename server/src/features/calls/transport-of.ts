import type { House } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { openApiTransport } from './direct/api-transport.ts'
import { NOT_CONFIGURED, openEndpointTransport } from './endpoint-transport.ts'
import type { ApiOf } from './imported-api.ts'
import type { Transport } from './transport.ts'

/** Proxied tools never fall back to the endpoint: it would be sent what was meant for somebody else. */
const nowhere: Transport = { send: async () => NOT_CONFIGURED }

/** The one place that decides how a tool is reached. */
export function openTransports(house: Pick<House, 'keyring' | 'clock'>, apiOf: ApiOf): (tool: Tool) => Transport {
  const endpoint = openEndpointTransport(house)
  const api = openApiTransport(house, apiOf)
  return ({ http, upstream }) => (upstream ? nowhere : http === null ? endpoint : api)
}
