// What a second worker process adds where waiting is the limit: receivers that answer after 50 ms, and 32 events under way in
// each process. One database has one worker and another has two, and they take turns. Every event must arrive exactly once,
// and none before the earlier one of its conversation was answered. On PostgreSQL.
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService, startWorker } from './calls/running-service.ts'
import { openShops, shopCount } from './calls/shops.ts'
import { drain, ours } from './events/queues.ts'
import { type Child, freePort, healthy, startNode } from './parts/child.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, takeTurns } from './parts/rounds.ts'
import type { Server } from './parts/running-service.ts'
import { roundsToTake, sized } from './parts/scale.ts'

const answerMs = 50
const underWay = 32
const conversations = sized(300)
const eventsOfEach = 2
const { rounds, warmUpRounds } = roundsToTake({ rounds: 8, warmUpRounds: 3 })

/** The next events of many conversations: all first ones, then all second ones. */
const fillConversations = unlisted<unknown, { count: number; tenants: number[] }>(
  'bench.fill_conversations',
  `with slice as (
     select replace(gen_random_uuid()::text, '-', '') as id
   ), made as (
     insert into outbox (tenant_id, event_id, event, session_id, lane)
     select ($tenants::int[])[1 + lane % cardinality($tenants::int[])], 'evt_' || slice.id || '_' || lane || '_' || number,
            'bench.event', 'ses_' || slice.id || '_' || lane, 'ses_' || slice.id || '_' || lane
       from slice, generate_series(1, ${eventsOfEach}) as number, generate_series(0, $count::int / ${eventsOfEach} - 1) as lane
      order by number, lane
     returning 1
   ) select count(*), pg_notify('events', '') from made`,
)

type Arrived = { readonly arrived: number; readonly twice: number; readonly early: number }

async function startReceiver(): Promise<Server> {
  const port = await freePort()
  const child = startNode('bench/events/slow-receiver.ts', [String(port), String(answerMs)])
  await healthy(port, 20)
  return { port, child }
}

type Side = {
  slice(): Promise<number>
  /** Milliseconds of processor time of its workers so far. */
  cpuMs(): number
  close(): Promise<void>
}

async function openSide(url: string, workers: number, receiver: Server): Promise<Side> {
  const service = await startCallingService({ url })
  const shops = await openShops(service, { count: shopCount, catalog: [], endpoint: receiver })
  await service.child.stop()
  const db: Database = await openDatabase({
    at: { url, poolSize: 1, prepared: true },
    statementTimeoutMs: 0,
    warn: () => undefined,
  })
  const tenants = shops.map(({ tenantId }) => tenantId)
  const settings = { Events__Concurrency: String(underWay) }
  const running: Child[] = Array.from({ length: workers }, () => startWorker({ url }, settings))
  return {
    slice: () => drain(db, { ...ours, fill: fillConversations }, conversations * eventsOfEach, tenants),
    cpuMs: () => running.reduce((sum, child) => sum + (child.cpuMs() ?? Number.NaN), 0),
    async close() {
      await db.close()
      await Promise.all(running.map((child) => child.stop()))
    },
  }
}

async function mustHaveArrivedOnce({ port }: Server, expected: number): Promise<void> {
  const seen = (await (await fetch(`http://127.0.0.1:${port}/figures`)).json()) as Arrived
  if (seen.arrived === expected && seen.twice === 0 && seen.early === 0) return
  throw new Error(`Of ${expected} events, each once and in order, came: ${JSON.stringify(seen)}`)
}

async function measure(oneUrl: string, twoUrl: string): Promise<Result> {
  const receiver = await startReceiver()
  const one = await openSide(oneUrl, 1, receiver)
  const two = await openSide(twoUrl, 2, receiver)
  try {
    const took = await takeTurns({ one: one.slice, two: two.slice }, { rounds, warmUpRounds })
    const events = (rounds + warmUpRounds) * conversations * eventsOfEach
    await mustHaveArrivedOnce(receiver, 2 * events)
    const figures = {
      onePerSecond: Math.round(median(took.one)),
      twoPerSecond: Math.round(median(took.two)),
      mostPerSecondOfOne: (underWay * 1000) / answerMs,
      oneProcessorUs: Math.round((one.cpuMs() * 1000) / events),
      twoProcessorUs: Math.round((two.cpuMs() * 1000) / events),
    }
    return judged('two workers to one', ratioOf(took.two, took.one), { atLeast: 1.8 }, figures)
  } finally {
    await Promise.all([one.close(), two.close()])
    await receiver.child.stop()
  }
}

const results = await onPostgres(2, async ([one = '', two = '']) => [await measure(one, two)])
say({
  bench: 'two-workers',
  promise: 'Two worker processes send 1.8 times as many events as one, to receivers that answer after 50 ms',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
