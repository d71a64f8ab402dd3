// Whether regular work forgets faster than a busy service writes, and what it would cost to divide the tables by month and drop a month
// instead. A worker deletes old deliveries, calls, turns and rounds of a thousand workspaces, 50 of each a round, beside a service that
// sixteen clients keep busy with reads through a tool, each of which writes a row. It fills for minutes: `npm run bench forget`.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService, startWorker } from './calls/running-service.ts'
import { openShops, readRequests, shopCount, startEndpoint } from './calls/shops.ts'
import { compareMonths } from './forget/months.ts'
import { type Load, openLoad } from './load.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded } from './parts/rounds.ts'
import { roundsToTake, sized } from './parts/scale.ts'
import { FORGOTTEN, placeOld } from './years/fill.ts'

const { rounds, warmUpRounds } = roundsToTake({ rounds: 5, warmUpRounds: 1 })
// Fewer would be gone before the first look.
const each = sized(50, 5)
const clients = 16
const sliceMs = 500
const limitMs = 120_000
const tables = Object.keys(FORGOTTEN) as (keyof typeof FORGOTTEN)[]
/** What is kept for ever unless it is set. */
const retention = { AI__Usage__TurnDays: '400', AI__Usage__LedgerDays: '62' }

const old = ([table, at]: readonly [string, string]): string =>
  `select from ${table} where ${at} < now() - interval '500 days'`
const countOld = unlisted<{ count: number }>(
  'bench.count_old',
  `select (${Object.entries(FORGOTTEN)
    .map((one) => `(${old(one).replace('select', 'select count(*)')})`)
    .join(' + ')})::int as count`,
)
const hasOld = unlisted<{ some: boolean }>(
  'bench.has_old',
  `select ${Object.entries(FORGOTTEN)
    .map((one) => `exists (${old(one)})`)
    .join(' or ')} as some`,
)
const countWritten = unlisted<{ count: number }>(
  'bench.count_written',
  `select count(*)::int as count from tool_calls where at > now() - interval '1 day'`,
)

type Round = { readonly forgotten: number; readonly written: number; readonly p50: number; readonly p50Alone: number }

async function round(db: Database, url: string, load: Load): Promise<Round> {
  await placeOld(db, tables, { each, daysApart: 0.01, daysAgo: 600 })
  load.forget()
  await load.slice(4 * sliceMs)
  const p50Alone = load.latency(0.5)
  load.forget()
  const all = (await db.one(countOld))?.count ?? 0
  const worker = startWorker({ url }, retention)
  let over = false
  const busy = (async () => {
    while (!over) await load.slice(sliceMs)
  })()
  try {
    const began = await until(async () => {
      const count = (await db.one(countOld))?.count ?? 0
      return count < all
        ? { count, at: performance.now(), written: (await db.one(countWritten))?.count ?? 0 }
        : undefined
    })
    const seconds = await until(async () =>
      (await db.one(hasOld))?.some === false ? (performance.now() - began.at) / 1000 : undefined,
    )
    const written = ((await db.one(countWritten))?.count ?? 0) - began.written
    over = true
    await busy
    return { forgotten: began.count / seconds, written: written / seconds, p50: load.latency(0.5), p50Alone }
  } finally {
    over = true
    await busy
    await worker.stop()
  }
}

async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  const from = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() - from > limitMs) throw new Error(`Nothing came of it within ${limitMs / 1000} s.`)
    await pause(50)
  }
}

async function forgetBeside(url: string): Promise<Result[]> {
  const endpoint = await startEndpoint()
  const service = await startCallingService({ url })
  const db = await openDatabase({
    at: { url, poolSize: 2, prepared: true },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  try {
    const shops = await openShops(service, { count: shopCount, catalog: shopCatalog, endpoint })
    const load = await openLoad({ port: service.port, requests: readRequests(shops), connections: clients })
    const took: Round[] = []
    for (let n = -warmUpRounds; n < rounds; n++) {
      const one = await round(db, url, load)
      if (n >= 0) took.push(one)
    }
    load.close()
    const of = (name: keyof Round) => took.map((one) => one[name])
    const figures = {
      forgottenPerSecond: Math.round(median(of('forgotten'))),
      writtenPerSecond: Math.round(median(of('written'))),
      rowsForgotten: rounds * tables.length * each * 1000,
    }
    const p50s = { p50Ms: rounded(median(of('p50'))), p50AloneMs: rounded(median(of('p50Alone'))) }
    return [
      judged('rows forgotten to rows written', ratioOf(of('forgotten'), of('written')), { atLeast: 2 }, figures),
      { what: 'p50 of a read beside it to alone', ...ratioOf(of('p50'), of('p50Alone')), figures: p50s },
    ]
  } finally {
    await db.close()
    await service.child.stop()
    await endpoint.child.stop()
  }
}

const results = await onPostgres(3, async ([url = '', whole = '', months = '']) => [
  ...(await forgetBeside(url)),
  ...(await compareMonths(whole, months)),
])
say({
  bench: 'forget',
  promise: 'Regular work forgets at least twice as many rows in a second as a busy service writes',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
