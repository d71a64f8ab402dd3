// Whether the service slows down with the number of keys that it knows: `GET /v1/account` on a database with a million keys
// against the same service on one with a thousand, on one PostgreSQL server.
import { openDatabase } from '../server/src/kernel/db/index.ts'
import { benchServer, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { peakRatioOf, ratioOf, shuffled } from './parts/rounds.ts'
import { type Server, startService } from './parts/running-service.ts'
import { sized } from './parts/scale.ts'
import { figuresOf, processorRatio, sideBySide } from './parts/side-by-side.ts'
import { accountRequests, fillWithKeys } from './parts/workspaces.ts'

const few = 1_000
const many = sized(1_000_000)
const connections = 32
const sliceMs = 200
const rounds = 24

async function compare([fewUrl = '', manyUrl = '']: string[]): Promise<Result> {
  await fill(fewUrl, few)
  const fillSeconds = await fill(manyUrl, many)
  const servers = [await startService({ url: fewUrl }), await startService({ url: manyUrl })] as const
  try {
    return await measure(...servers, fillSeconds)
  } finally {
    await Promise.all(servers.map(({ child }) => child.stop()))
  }
}

async function measure(withFew: Server, withMany: Server, fillSeconds: number): Promise<Result> {
  // As many keys are in use on both sides, so that what differs is how many there are to find them among.
  const used = { few: someOf(few), many: someOf(many) }
  const took = await sideBySide(
    {
      few: { server: withFew, requests: accountRequests(used.few) },
      many: { server: withMany, requests: accountRequests(used.many) },
    },
    { rounds, sliceMs, connections },
  )
  // Time per request is the inverse of throughput.
  return judged(
    'time per request',
    ratioOf(took.few.perSecond, took.many.perSecond),
    { atMost: 1.2 },
    {
      ...figuresOf('few', took.few),
      ...figuresOf('many', took.many),
      ...processorRatio(took.few, took.many),
      peakRatio: peakRatioOf(took.few.perSecond, took.many.perSecond),
      inFlight: connections,
      fillSeconds,
    },
  )
}

/** A thousand different keys, from anywhere among them. */
function someOf(keys: number): number[] {
  const step = keys / few
  return shuffled(Array.from({ length: few }, (_, at) => Math.floor(at * step + Math.random() * step) + 1))
}

async function fill(url: string, keys: number): Promise<number> {
  const started = performance.now()
  const database = await openDatabase({
    at: { url, poolSize: 2, prepared: true },
    statementTimeoutMs: 0,
    warn: console.error,
  })
  await fillWithKeys(database, keys).finally(() => database.close())
  return Math.round((performance.now() - started) / 1000)
}

const promise = 'A million keys: an authenticated read takes no more than 1.2 times as long as with a thousand'
const server = benchServer()
if (server === undefined) say({ bench: 'keys-at-scale', promise, results: [], skipped: NO_SERVER })
else say({ bench: 'keys-at-scale', promise, results: [await withDatabases(server, 2, compare)] })
