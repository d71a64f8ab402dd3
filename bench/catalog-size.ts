// Whether a business pays for the size of its catalog: the same call in a catalog of 1, 300 and 3,000 tools, each served by a
// process of its own, so that none profits from the small heap of another. And whether registering grows with the tools and
// no faster: the time per tool of `PUT /v1/tools` with 3,000 against that with 300.
import { catalogOf } from './calls/catalog.ts'
import { NO_POSTGRES, onEmbedded, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, readRequests, type Shop, send, startEndpoint } from './calls/shops.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import type { Place, Server } from './parts/running-service.ts'
import { repeated, sized } from './parts/scale.ts'
import { figuresOf, type Performed, processorRatio, sideBySide } from './parts/side-by-side.ts'

const sizes = { one: 1, some: sized(300), many: sized(3_000) }
const connections = 16
const sliceMs = 200
const rounds = 30

type Name = keyof typeof sizes
const names = Object.keys(sizes) as Name[]
type Side = { readonly server: Server; readonly shops: readonly Shop[]; readonly firstCallMs: number }
type Sides = Readonly<Record<Name, Side>>

const endpoint = await startEndpoint()

async function openSide(place: Place, tools: number): Promise<Side> {
  const server = await startCallingService(place)
  const shops = await openShops(server, { count: 2, catalog: catalogOf(tools), endpoint })
  const [ready, fresh] = shops
  await call(server, ready)
  // What the first call in a new version pays for reading it, in a process that has called before.
  const started = performance.now()
  await call(server, fresh)
  return { server, shops, firstCallMs: rounded(performance.now() - started) }
}

const call = (server: Server, shop: Shop | undefined): Promise<unknown> =>
  send(server, 'POST', '/v1/tools/get_order/call', shop?.apiKey ?? '', { arguments: { number: 'A-1001' } })

async function measure(places: Readonly<Record<Name, Place>>): Promise<Result[]> {
  const opened = new Map<Name, Side>()
  try {
    for (const name of names) opened.set(name, await openSide(places[name], sizes[name]))
    const sides = Object.fromEntries(opened) as Sides
    return [...(await compareCalls(sides)), await compareRegistering(sides.one)]
  } finally {
    await Promise.all([...opened.values()].map(({ server }) => server.child.stop()))
  }
}

async function compareCalls(sides: Sides): Promise<Result[]> {
  const contender = (name: Name) => ({ server: sides[name].server, requests: readRequests(sides[name].shops) })
  const took = await sideBySide(
    { one: contender('one'), some: contender('some'), many: contender('many') },
    { rounds, sliceMs, connections },
  )
  const against = (name: Name, performed: Performed): Result =>
    // Time per call is the inverse of throughput.
    judged(
      `time of a call, ${sizes[name]} tools to 1`,
      ratioOf(took.one.perSecond, performed.perSecond),
      { atMost: 1.1 },
      {
        ...figuresOf(name, performed),
        ...figuresOf('one', took.one),
        // Of this one to that of one tool: above 1, this one needs more.
        ...processorRatio(took.one, performed),
        firstCallMs: sides[name].firstCallMs,
        inFlight: connections,
      },
    )
  return [against('some', took.some), against('many', took.many)]
}

async function compareRegistering({ server, shops: [shop] }: Side): Promise<Result> {
  const registering = (tools: number, times: number) => {
    const catalog = catalogOf(tools)
    return async () => {
      const started = performance.now()
      for (let turn = 0; turn < times; turn++) await send(server, 'PUT', '/v1/tools', shop?.apiKey ?? '', catalog)
      return ((tools * times) / (performance.now() - started)) * 1000
    }
  }
  const perSecond = await takeTurns(
    { some: registering(sizes.some, repeated(5)), many: registering(sizes.many, 1) },
    { rounds: 12, warmUpRounds: 3 },
  )
  const microseconds = (rates: readonly number[]) => Math.round(1_000_000 / median(rates))
  return judged(
    'registering, time per tool, 3,000 tools to 300',
    ratioOf(perSecond.some, perSecond.many),
    { atMost: 1.3 },
    { perToolOf300Us: microseconds(perSecond.some), perToolOf3000Us: microseconds(perSecond.many) },
  )
}

const onServer = await onPostgres(names.length, ([one = '', some = '', many = '']) =>
  measure({ one: { url: one }, some: { url: some }, many: { url: many } }),
)
const results =
  onServer ??
  (await onEmbedded(
    names.length,
    async () => undefined,
    ([one = '', some = '', many = '']) =>
      measure({ one: { directory: one }, some: { directory: some }, many: { directory: many } }),
  ))
await endpoint.child.stop()
say({
  bench: 'catalog-size',
  promise:
    'A call costs at most 1.1 times as much in a catalog of 3,000 tools as in one of 1; registering grows linearly',
  results,
  ...(onServer === undefined ? { skipped: `on the embedded database only; ${NO_POSTGRES}` } : {}),
})
