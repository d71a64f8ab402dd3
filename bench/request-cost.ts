// What each kind of request costs, measured alone and mixed: processor time of the service and of PostgreSQL, and bytes. From that, how
// many instances and database cores a load needs. It says nothing about latency.
import { openDatabase } from '../server/src/kernel/db/index.ts'
import { shopCatalog } from './calls/catalog.ts'
import { KINDS, type MixedLoad, openMixedLoad, type Shares } from './calls/mixed-load.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, shopCount, startEndpoint } from './calls/shops.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { type Result, say } from './parts/report.ts'
import { rounded } from './parts/rounds.ts'
import { roundsToTake } from './parts/scale.ts'
import { difference, openSpending, type Spent, sumOf } from './parts/spent.ts'

const CLIENTS = 4
const SLICE_MS = 1_000
const { rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS } = roundsToTake({ rounds: 5, warmUpRounds: 1 })
const MIX: Shares = { read: 0.65, stage: 0.15, confirm: 0.1, turn: 0.1 }
/** The share of a core's time that a load may use, which leaves room for peaks. */
const MAX_BUSY = 0.6
/** One instance is a single point of failure. */
const MIN_INSTANCES = 2
/** Requests a second. */
const RATES = [1, 100, 10_000]

type Measured = { readonly name: string; readonly answers: number; readonly spent: Spent }

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

async function measureOn(url: string): Promise<readonly Measured[] | undefined> {
  const service = await startCallingService({ url }, SETTINGS)
  const shops = await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint })
  const db = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  const load = await openMixedLoad(service.port, shops, CLIENTS)
  try {
    const readSpent = await openSpending(db, service.child.pid)
    return readSpent === undefined ? undefined : await measureInTurns(load, readSpent)
  } finally {
    load.close()
    await db.close()
    await service.child.stop()
  }
}

/** The kinds take turns, so that another program that uses the machine for a while disturbs all of them. */
async function measureInTurns(load: MixedLoad, readSpent: () => Promise<Spent>): Promise<readonly Measured[]> {
  const loads = [...KINDS.map((name) => ({ name, shares: { [name]: 1 } })), { name: 'mixed', shares: MIX }]
  const slices: Measured[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { name, shares } of loads) {
      await load.prepare(CLIENTS)
      const before = await readSpent()
      const answers = await load.slice(shares, CLIENTS, SLICE_MS)
      const spent = difference(before, await readSpent())
      if (round >= 0) slices.push({ name, answers, spent })
    }
  }
  return loads.map(({ name }) => {
    const own = slices.filter((slice) => slice.name === name)
    const answers = own.reduce((sum, slice) => sum + slice.answers, 0)
    return { name, answers, spent: sumOf(own.map(({ spent }) => spent)) }
  })
}

function costOf({ name, answers, spent }: Measured): Result {
  const [serviceMs, databaseMs] = [spent.serviceMs / answers, spent.databaseMs / answers]
  const figures = {
    answers,
    serviceMs: rounded(serviceMs),
    databaseMs: rounded(databaseMs),
    walBytes: Math.round(spent.walBytes / answers),
    storedBytes: Math.round(spent.storedBytes / answers),
    ...(name === 'mixed' ? machinesFor({ serviceMs, databaseMs }) : {}),
  }
  const ratio = rounded(databaseMs / serviceMs)
  return { what: `${name}: processor time, database to service`, ratio, quartiles: [ratio, ratio], figures }
}

/** Cost per request × rate ÷ 0.6, in whole instances of one core and whole cores of the database. */
function machinesFor({ serviceMs, databaseMs }: { serviceMs: number; databaseMs: number }): Record<string, number> {
  const coresFor = (ms: number, perSecond: number) => Math.ceil((ms * perSecond) / 1000 / MAX_BUSY)
  return Object.fromEntries(
    RATES.flatMap((perSecond) => [
      [`instancesAt${perSecond}`, Math.max(MIN_INSTANCES, coresFor(serviceMs, perSecond))],
      [`databaseCoresAt${perSecond}`, coresFor(databaseMs, perSecond)],
    ]),
  )
}

const measured = await onPostgres(1, ([url = '']) => measureOn(url))
await Promise.all([endpoint.child.stop(), provider.stop()])
say({
  bench: 'request-cost',
  promise: 'Nothing is promised: the figures are for docs/scale.md',
  results: (measured ?? []).map(costOf),
  ...(measured === undefined ? { skipped: `${NO_POSTGRES}, on this machine and on Linux` } : {}),
})
