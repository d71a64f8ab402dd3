// What the service costs on a call that a business pays for: a read through `POST /v1/tools/{name}/call` to an endpoint on
// loopback, against a hand-written program that does the key query, the signature and the same request.
import { measureRead } from './calls/beside-bare.ts'
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onEmbedded, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, type Shop, shopCount, startEndpoint } from './calls/shops.ts'
import { say } from './parts/report.ts'
import type { Place } from './parts/running-service.ts'

const GET_ORDER = { tool: 'get_order', body: '{"arguments":{"number":"A-1001"}}', atLeast: 0.7 }

const endpoint = await startEndpoint()

async function prepare(place: Place): Promise<Shop[]> {
  const service = await startCallingService(place)
  const shops = await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint })
  await service.child.stop()
  return shops
}

const embedded = await onEmbedded(2, prepare, ([own = '', other = ''], shops) =>
  measureRead('embedded database', GET_ORDER, {
    ours: { directory: own },
    bare: { directory: other },
    shops,
    endpoint,
  }),
)
const server = await onPostgres(1, async ([url = '']) =>
  measureRead('PostgreSQL', GET_ORDER, { ours: { url }, bare: { url }, shops: await prepare({ url }), endpoint }),
)
await endpoint.child.stop()
say({
  bench: 'direct-read',
  promise: 'A read through the service has 0.7 of the throughput of a hand-written program that does the same',
  results: server === undefined ? [embedded] : [embedded, server],
  ...(server === undefined ? { skipped: NO_POSTGRES } : {}),
})
