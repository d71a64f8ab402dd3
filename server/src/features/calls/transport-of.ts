import type { House } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { NOT_CONFIGURED, openEndpointTransport } from './endpoint-transport.ts'
import type { Transport } from './transport.ts'

/** Imported and proxied tools never fall back to the endpoint: it would be sent what was meant for somebody else. */
const nowhere: Transport = { send: async () => NOT_CONFIGURED }

/** The one place that decides how a tool is reached. */
export function openTransports(house: Pick<House, 'keyring' | 'clock'>, proxy: Transport): (tool: Tool) => Transport {
  const endpoint = openEndpointTransport(house)
  return ({ http, upstream }) => (upstream ? proxy : http === null ? endpoint : nowhere)
}
