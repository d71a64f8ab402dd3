// What a write costs: staged and confirmed through the service, its endpoint on loopback, against a bare program that issues
// the same statements and the same request. And whether it slows down with what was staged before: a million against a
// thousand. On PostgreSQL; the writes of sixteen workspaces, so that they seldom wait for each other's trail.
import { shopCatalog } from './calls/catalog.ts'
import { fillActions } from './calls/fill-actions.ts'
import { type PairsPerformed, pairsSideBySide } from './calls/pairs-side-by-side.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { lastAtEndpoint, masked, openShops, type Shop, send, shopCount, startEndpoint } from './calls/shops.ts'
import { startBare } from './calls/start-bare.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded } from './parts/rounds.ts'
import type { Server } from './parts/running-service.ts'
import { sized } from './parts/scale.ts'

const few = 1_000
const many = sized(1_000_000)
const sliceMs = 250
const rounds = 30

const endpoint = await startEndpoint()

type Side = { readonly url: string; readonly service: Server; readonly shops: readonly Shop[] }

async function openSide(url: string): Promise<Side> {
  const service = await startCallingService({ url })
  return { url, service, shops: await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint }) }
}

async function toBare({ url, service, shops }: Side): Promise<Result> {
  const bare = await startBare({ url }, shops)
  try {
    await mustDoAlike(shops, service, bare)
    const took = await pairsSideBySide(
      { service: { server: service, shops }, bare: { server: bare, shops } },
      { rounds, sliceMs, connections: 16 },
    )
    const ratio = ratioOf(took.service.perSecond, took.bare.perSecond)
    return judged('to a bare program', ratio, { atLeast: 0.7 }, figuresOf(took.bare, took.service, 16))
  } finally {
    await bare.child.stop()
  }
}

/** A ratio to a program that answers or sends something else would say nothing. */
async function mustDoAlike([shop]: readonly Shop[], ...servers: Server[]): Promise<void> {
  const seen: string[] = []
  for (const server of servers) {
    const body = { tool: 'refund_order', arguments: { number: 'A-1001', reason: 'It came broken' } }
    const staged = await send(server, 'POST', '/v1/actions', shop?.apiKey ?? '', body)
    const { actionId, confirmationToken } = staged as { actionId: string; confirmationToken: string }
    const confirmed = await send(server, 'POST', `/v1/actions/${actionId}/confirm`, confirmationToken)
    seen.push(`${masked(JSON.stringify([staged, confirmed]))}\n${await lastAtEndpoint(endpoint)}`)
  }
  if (new Set(seen).size > 1) throw new Error(`The two do different things:\n${seen.join('\n\n')}`)
}

async function withHistory(small: Side, large: Side): Promise<Result> {
  const fillSeconds = (await fillActions(small.url, few)) + (await fillActions(large.url, many))
  const contenders = {
    few: { server: small.service, shops: small.shops },
    many: { server: large.service, shops: large.shops },
  }
  const took = await pairsSideBySide(contenders, { rounds, sliceMs, connections: 4 })
  const figures = { ...figuresOf(took.few, took.many, 4), fillSeconds }
  return judged('p50, 1,000,000 stored to 1,000', ratioOf(took.many.p50Ms, took.few.p50Ms), { atMost: 1.25 }, figures)
}

function figuresOf(one: PairsPerformed, other: PairsPerformed, inFlight: number): Record<string, number> {
  const processor =
    one.processorUs === undefined || other.processorUs === undefined
      ? {}
      : { processorRatio: rounded(one.processorUs / other.processorUs) }
  return { ...other.figures, ...one.figures, ...processor, inFlight }
}

const results = await onPostgres(2, async ([smallUrl = '', largeUrl = '']) => {
  const sides = [await openSide(smallUrl), await openSide(largeUrl)] as const
  try {
    return [await withHistory(...sides), await toBare(sides[0])]
  } finally {
    await Promise.all(sides.map(({ service }) => service.child.stop()))
  }
})
await endpoint.child.stop()
say({
  bench: 'stage-confirm',
  promise:
    'Staging and confirming has 0.7 of a bare program’s throughput, and a million stored actions add at most a quarter',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
