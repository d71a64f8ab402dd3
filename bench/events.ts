// Events per second to a receiver on loopback, beside graphile-worker doing the same signed POSTs on the same database in the
// same run; and what a claim costs with a million settled events against a thousand. On PostgreSQL.
import { randomUUID } from 'node:crypto'
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { claimDue, walkTenants } from '../server/src/tenancy/events/queue-queries.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService, startWorker } from './calls/running-service.ts'
import { openShops, type Shop, shopCount } from './calls/shops.ts'
import { drain, graphiles, ours } from './events/queues.ts'
import { fillSettled } from './events/settled.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { roundsToTake, sized } from './parts/scale.ts'

const perSlice = sized(1_500)
const { rounds, warmUpRounds } = roundsToTake({ rounds: 10, warmUpRounds: 2 })
const few = 1_000
const many = sized(1_000_000)
const claimed = 64

const port = await freePort()
const receiver = { port, child: startNode('bench/events/receiver.ts', [String(port)]) }
await healthy(port, 20)
const webhook = `http://127.0.0.1:${port}/tools`

const open = (url: string): Promise<Database> =>
  openDatabase({ at: { url, poolSize: 2, prepared: true }, statementTimeoutMs: 0, warn: () => undefined })

const received = async (): Promise<{ count: number; last: string }> =>
  (await (await fetch(`http://127.0.0.1:${port}/count`)).json()) as { count: number; last: string }

async function openWorkspaces(url: string): Promise<Shop[]> {
  const service = await startCallingService({ url })
  const shops = await openShops(service, { count: shopCount, catalog: [], endpoint: receiver })
  await service.child.stop()
  return shops
}

async function throughput(url: string): Promise<Result[]> {
  const shops = await openWorkspaces(url)
  const tenants = shops.map(({ tenantId }) => tenantId)
  const secrets = JSON.stringify(Object.fromEntries(shops.map((shop) => [shop.tenantId, shop.signingSecret])))
  const worker = startWorker({ url })
  const sender = (...tuning: string[]) =>
    startNode('bench/events/graphile-sender.ts', [url, webhook, secrets, ...tuning])
  const db = await open(url)
  const results: Result[] = []
  try {
    await drain(db, ours, 50, tenants)
    const seen = (await received()).last
    for (const [what, bound, ...tuning] of GRAPHILES) {
      const graphile = sender(...tuning)
      await untilInstalled(db)
      await drain(db, graphiles, 50, tenants)
      mustSendAlike(seen, (await received()).last)
      const before = (await received()).count
      const took = await takeTurns(
        { ours: () => drain(db, ours, perSlice, tenants), graphile: () => drain(db, graphiles, perSlice, tenants) },
        { rounds, warmUpRounds },
      )
      const arrived = (await received()).count - before
      if (arrived !== 2 * (rounds + warmUpRounds) * perSlice)
        throw new Error(`${arrived} events arrived, and not each once`)
      const figures = {
        oursPerSecond: Math.round(median(took.ours)),
        graphilePerSecond: Math.round(median(took.graphile)),
      }
      const ratio = ratioOf(took.ours, took.graphile)
      results.push(bound === null ? { what, ...ratio, figures } : judged(what, ratio, { atLeast: bound }, figures))
      await graphile.stop()
    }
    return results
  } finally {
    await db.close()
    await worker.stop()
  }
}

// As its documents start it, and with the batches that its chapter on performance describes.
const GRAPHILES = [
  ['to graphile-worker, 24 at a time', 1.5, '24', '0'],
  ['to graphile-worker with its local queue and batched completion', null, '64', '500'],
] as const

async function untilInstalled(db: Database): Promise<void> {
  const look = unlisted<{ there: boolean }>(
    'bench.graphile_there',
    `select to_regclass('graphile_worker._private_jobs') is not null as there`,
  )
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await db.one(look))?.there === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('graphile-worker did not install itself within 30 s.')
}

/** A ratio to a program that sends something else would say nothing. */
function mustSendAlike(one: string, other: string): void {
  const masked = (text: string) =>
    text
      .replaceAll(/evt_[0-9a-f]+/g, 'evt')
      .replaceAll(/"occurred_at":"[^"]+"/g, 'at')
      .replaceAll(/_id":\d+/g, '_id":0')
  if (masked(one) !== masked(other)) throw new Error(`The two send different things:\n${masked(one)}\n${masked(other)}`)
}

const openTenants = unlisted<unknown, { count: number }>(
  'bench.open_tenants',
  `insert into tenants (tenant_id, name) select n, 'Shop ' || n from generate_series(1, $count::int) as n`,
)
const giveBack = unlisted('bench.give_back', 'update outbox set claim = null, lease_until = null')

/** Milliseconds of one claim of 64 events. */
async function claimMs(db: Database): Promise<number> {
  const started = performance.now()
  const found = await db.rows(walkTenants, { afterTenant: 0, mostTenants: 200 })
  const rows = await db.rows(claimDue, {
    shiftSeconds: 0,
    tenantIds: found.map(({ tenantId }) => tenantId),
    rooms: found.map(() => 32),
    limit: claimed,
    claim: randomUUID(),
    leaseSeconds: 20,
  })
  const took = performance.now() - started
  if (rows.length !== claimed) throw new Error(`${rows.length} of ${claimed} events were claimed`)
  await db.run(giveBack)
  return took
}

async function claims(smallUrl: string, largeUrl: string): Promise<Result> {
  const sides = [await open(smallUrl), await open(largeUrl)] as const
  try {
    for (const [at, url] of [smallUrl, largeUrl].entries()) {
      await sides[at]?.run(openTenants, { count: shopCount })
      await fillSettled(url, at === 0 ? few : many, shopCount)
      await sides[at]?.rows(ours.fill, {
        count: 2_000,
        tenants: Array.from({ length: shopCount }, (_, tenant) => tenant + 1),
      })
    }
    const took = await takeTurns(
      { few: () => claimMs(sides[0]), many: () => claimMs(sides[1]) },
      { rounds: 120, warmUpRounds: 20 },
    )
    const figures = { fewMs: rounded(median(took.few)), manyMs: rounded(median(took.many)) }
    return judged('claim of 64, 1,000,000 settled to 1,000', ratioOf(took.many, took.few), { atMost: 1.25 }, figures)
  } finally {
    await Promise.all(sides.map((db) => db.close()))
  }
}

const results = await onPostgres(3, async ([url = '', small = '', large = '']) => [
  ...(await throughput(url)),
  await claims(small, large),
])
await receiver.child.stop()
say({
  bench: 'events',
  promise: 'Events are sent 1.5 times as fast as by graphile-worker, and settled ones do not slow a claim down',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
