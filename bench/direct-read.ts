// What the service costs on a call that a business pays for: a read through `POST /v1/tools/{name}/call` to an endpoint on
// loopback, against a hand-written program that does the key query, the signature and the same request.
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onEmbedded, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { lastAtEndpoint, masked, openShops, readRequests, type Shop, shopCount, startEndpoint } from './calls/shops.ts'
import { startBare } from './calls/start-bare.ts'
import { openLoad } from './load.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import type { Place, Server } from './parts/running-service.ts'
import { figuresOf, processorRatio, sideBySide } from './parts/side-by-side.ts'

const connections = 32
const sliceMs = 200
const rounds = 24

const endpoint = await startEndpoint()

async function prepare(place: Place): Promise<Shop[]> {
  const service = await startCallingService(place)
  const shops = await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint })
  await service.child.stop()
  return shops
}

async function measure(what: string, ourPlace: Place, barePlace: Place, shops: readonly Shop[]): Promise<Result> {
  const [service, bare] = [await startCallingService(ourPlace), await startBare(barePlace, shops)]
  try {
    await mustDoAlike(shops, service, bare)
    return await compare(what, shops, service, bare)
  } finally {
    await Promise.all([service.child.stop(), bare.child.stop()])
  }
}

/** A ratio to a program that answers or sends something else would say nothing. */
async function mustDoAlike(shops: readonly Shop[], ...servers: Server[]): Promise<void> {
  const seen: string[] = []
  for (const server of servers) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/tools/get_order/call`, {
      method: 'POST',
      headers: { 'x-api-key': shops[3]?.apiKey ?? '', 'content-type': 'application/json' },
      body: '{"arguments":{"number":"A-1001"}}',
    })
    seen.push(`${answer.status} ${masked(await answer.text())}\n${await lastAtEndpoint(endpoint)}`)
  }
  if (new Set(seen).size > 1 || seen[0]?.startsWith('200 {"status":"ok"') !== true) {
    throw new Error(`The two do different things:\n${seen.join('\n\n')}`)
  }
}

async function compare(what: string, shops: readonly Shop[], service: Server, bare: Server): Promise<Result> {
  const requests = readRequests(shops)
  const { ours, theirs } = await sideBySide(
    { ours: { server: service, requests }, theirs: { server: bare, requests } },
    { rounds, sliceMs, connections },
  )
  const alone = await p50Alone(service, bare, requests)
  return judged(
    what,
    ratioOf(ours.perSecond, theirs.perSecond),
    { atLeast: 0.7 },
    {
      ...figuresOf('service', ours),
      ...figuresOf('bare', theirs),
      ...processorRatio(ours, theirs),
      addedP50Ms: rounded(ours.p50Ms - theirs.p50Ms),
      inFlight: connections,
      ...alone,
    },
  )
}

/** What is added to one call while no other is under way: no waiting in line is in it. */
async function p50Alone(service: Server, bare: Server, requests: readonly Buffer[]): Promise<Record<string, number>> {
  const loads = {
    service: await openLoad({ port: service.port, requests, connections: 1 }),
    bare: await openLoad({ port: bare.port, requests, connections: 1 }),
  }
  const turns = { service: () => loads.service.slice(sliceMs), bare: () => loads.bare.slice(sliceMs) }
  await takeTurns(turns, { rounds: 12, warmUpRounds: 0 })
  const [ours, theirs] = [loads.service.latency(0.5), loads.bare.latency(0.5)]
  for (const load of Object.values(loads)) load.close()
  return {
    serviceAloneP50Ms: rounded(ours),
    bareAloneP50Ms: rounded(theirs),
    addedAloneP50Ms: rounded(ours - theirs),
  }
}

const embedded = await onEmbedded(2, prepare, ([own = '', other = ''], shops) =>
  measure('embedded database', { directory: own }, { directory: other }, shops),
)
const server = await onPostgres(1, async ([url = '']) =>
  measure('PostgreSQL', { url }, { url }, await prepare({ url })),
)
await endpoint.child.stop()
say({
  bench: 'direct-read',
  promise: 'A read through the service has 0.7 of the throughput of a hand-written program that does the same',
  results: server === undefined ? [embedded] : [embedded, server],
  ...(server === undefined ? { skipped: NO_POSTGRES } : {}),
})
