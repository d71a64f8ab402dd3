// From what requests cost to what a mixed load gets. Each kind of request is measured by itself with a few clients; from that the
// simulation says what three times as many get who ask for all kinds at once, and then they ask. On PostgreSQL.
import { openDatabase } from '../server/src/foundation/db/index.ts'
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, shopCount, startEndpoint } from './calls/shops.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { type Result, say } from './parts/report.ts'
import { rounded } from './parts/rounds.ts'
import { type Cost, carried, machinesFor } from './scale/machines.ts'
import { type Measured, type Measurement, measure, stretchOf, within } from './scale/measure.ts'
import { KINDS, openMixedLoad, type Shares } from './scale/mixed-load.ts'
import { predict } from './scale/predict.ts'
import type { Simulated } from './scale/simulate.ts'
import { openSpending } from './scale/spent.ts'

const few = 4
const clients = 12
const mix: Shares = { read: 0.65, stage: 0.15, confirm: 0.1, turn: 0.1 }
const bound = 0.2
const deployment = { instances: 1, poolSize: 10, databaseCores: 2, mostTogether: 16 }

const endpoint = await startEndpoint({ answerMs: 200 })
const modelPort = await freePort()
const provider = startNode('bench/model/provider.ts', [String(modelPort), '0', '400'])
await healthy(modelPort, 20)

const SETTINGS = {
  AI__Approvals__MaxPending: '1000000',
  AI__Provider__Kind: 'openai-compatible',
  AI__Provider__BaseUrl: `http://127.0.0.1:${modelPort}/v1`,
  AI__Models__Default: 'bench',
  AI__Prices__bench__InputPerMillion: '0',
  AI__Prices__bench__OutputPerMillion: '0',
}

async function measureOn(url: string): Promise<Measurement | undefined> {
  const service = await startCallingService({ url }, SETTINGS)
  const shops = await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint })
  const db = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  const load = await openMixedLoad(service.port, shops, clients)
  try {
    const spending = await openSpending(db, service.child.pid)
    if (spending === undefined) return undefined
    return await measure({ load, spending, mix, few, clients, rounds: 5, warmUpRounds: 1 })
  } finally {
    load.close()
    await db.close()
    await service.child.stop()
  }
}

function compared(what: string, found: number, said: number): Result {
  const ratio = rounded(said / found)
  const met = Math.abs(ratio - 1) <= bound
  const figures = { measured: rounded(found), predicted: rounded(said) }
  return { what, ratio, quartiles: [ratio, ratio], bound: `1 ± ${bound}`, met, figures }
}

function costsOf(name: string, measured: Measured): Result {
  const { answers, latencies, spent } = measured
  const figures = {
    answers,
    serviceMs: rounded(spent.serviceMs / answers),
    databaseMs: rounded(spent.databaseMs / answers),
    walBytes: Math.round(spent.walBytes / answers),
    storedBytes: Math.round(spent.storedBytes / answers),
    p50Ms: rounded(within(latencies, 0.5)),
    p99Ms: rounded(within(latencies, 0.99)),
    stretch: rounded(stretchOf(measured)),
  }
  const ratio = rounded(spent.databaseMs / spent.serviceMs)
  return { what: `${name}: processor time, database to service`, ratio, quartiles: [ratio, ratio], figures }
}

/** Not judged: which kind it is that the simulation knows less well. */
const byKind = ({ latenciesOf }: Measured, said: Simulated): Result['figures'] =>
  Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`${kind}P50Ms`, rounded(within(latenciesOf[kind], 0.5))],
      [`${kind}P50MsPredicted`, rounded(said.latency(0.5, kind))],
    ]),
  )

function resultsOf(measurement: Measurement, said: Simulated): Result[] {
  const { mixed } = measurement
  const ofMixed = costsOf('mixed', mixed)
  const figures = { ...ofMixed.figures, ...byKind(mixed, said), serviceBusy: rounded(said.serviceBusy) }
  return [
    ...KINDS.map((kind) => costsOf(kind, measurement.byKind[kind])),
    { ...ofMixed, figures },
    compared('answers per second, predicted to measured', mixed.perSecond, said.perSecond),
    compared('p50, predicted to measured', within(mixed.latencies, 0.5), said.latency(0.5)),
    compared('p99, predicted to measured', within(mixed.latencies, 0.99), said.latency(0.99)),
  ]
}

function beyond(costs: readonly Cost[], perSecond: number): Result {
  const machines = machinesFor(costs, perSecond)
  const { instances, databaseCores } = machines.deployment
  const said = carried(costs, perSecond, machines)
  const figures = {
    instances,
    databaseCores,
    connections: machines.connections,
    gigabytesPerDay: rounded(machines.gigabytesPerDay),
    readP50Ms: rounded(said.latency(0.5, 'read')),
    readP99Ms: rounded(said.latency(0.99, 'read')),
    stageP99Ms: rounded(said.latency(0.99, 'stage')),
    serviceBusy: rounded(said.serviceBusy),
    databaseBusy: rounded(said.databaseBusy),
    underWay: Math.round(said.underWay),
    askedAgain: said.askedAgain,
    busiestTenantPerSecond: rounded(said.busiestTenantPerSecond),
  }
  const ratio = rounded(said.perSecond / perSecond)
  return { what: `${perSecond} a second, simulated: carried`, ratio, quartiles: [ratio, ratio], figures }
}

/** What a model says that does not hold where it can be tried is not printed. */
function withBeyond(measurement: Measurement, judged: readonly Result[]): readonly Result[] {
  if (judged.some(({ met }) => met === false)) return judged
  // What a request leaves is partly written after its slice, in batches, so it is taken of all kinds together.
  const storedBytes = measurement.mixed.spent.storedBytes / measurement.mixed.answers
  const costs = KINDS.map((name): Cost => {
    const { spent, answers } = measurement.byKind[name]
    const [serviceMs, databaseMs] = [spent.serviceMs / answers, spent.databaseMs / answers]
    return { name, share: mix[name] ?? 0, serviceMs, databaseMs, storedBytes }
  })
  return [...judged, ...[1, 100, 10_000].map((perSecond) => beyond(costs, perSecond))]
}

const measurement = await onPostgres(1, ([url = '']) => measureOn(url))
await Promise.all([endpoint.child.stop(), provider.stop()])
const results =
  measurement === undefined
    ? []
    : withBeyond(
        measurement,
        resultsOf(measurement, predict(measurement, { mix, clients, tenants: shopCount, deployment })),
      )
say({
  bench: 'scale-model',
  promise: 'The simulation says within a fifth what a mixed load gets',
  results,
  ...(measurement === undefined ? { skipped: `${NO_POSTGRES}, on this machine and on Linux` } : {}),
})
