// What the service costs on a call to an imported API: the read of an OpenAPI document's operation, through the service and
// by a hand-written program that does the key query, the query of the import, the signature and the same GET.
import { API_CREDENTIAL } from './calls/bare-post.ts'
import { measureRead } from './calls/beside-bare.ts'
import { onEmbedded } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, type Shop, send, shopCount, startEndpoint } from './calls/shops.ts'
import { say } from './parts/report.ts'
import type { Place } from './parts/running-service.ts'

const number = { name: 'number', in: 'path', required: true, schema: { type: 'string' } }
const description = 'Looks up one order of the shop by its number: state, lines and total.'
const document = {
  openapi: '3.1.0',
  paths: { '/orders/{number}': { get: { operationId: 'api_get_order', description, parameters: [number] } } },
}

const api = await startEndpoint()

/** Imported and registered as a business would. */
async function prepare(place: Place): Promise<Shop[]> {
  const service = await startCallingService(place)
  const shops = await openShops(service, { count: shopCount, catalog: [], endpoint: api })
  for (const { apiKey } of shops) {
    const operations = { api_get_order: { is_write: false } }
    const baseUrl = `http://127.0.0.1:${api.port}/api`
    const sent = { document, baseUrl, operations, credential: API_CREDENTIAL }
    const { catalog } = (await send(service, 'POST', '/v1/tools/import', apiKey, sent)) as { catalog: object[] }
    await send(service, 'PUT', '/v1/tools', apiKey, catalog)
  }
  await service.child.stop()
  return shops
}

const READ = { tool: 'api_get_order', body: '{"arguments":{"number":"A-1001"}}', atLeast: 0.6 }
const result = await onEmbedded(2, prepare, ([own = '', other = ''], shops) =>
  measureRead('imported API', READ, { ours: { directory: own }, bare: { directory: other }, shops, endpoint: api }),
)
await api.child.stop()
say({
  bench: 'direct-call',
  promise: 'A call to an imported API has 0.6 of the throughput of a hand-written program that does the same',
  results: [result],
})
