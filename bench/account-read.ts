// What the whole house costs on its most ordinary request: an authenticated `GET /v1/account` of the real service against
// a bare node:http server with the same driver, the same two statements (key, workspace) and the same answer.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '../server/src/kernel/db/index.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { benchServer, NO_SERVER, withDatabases } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { peakRatioOf, ratioOf } from './parts/rounds.ts'
import { type Place, type Server, startService } from './parts/running-service.ts'
import { figuresOf, processorRatio, sideBySide } from './parts/side-by-side.ts'
import { accountRequests, fillWithKeys, keyText } from './parts/workspaces.ts'

const connections = 32
const keys = 1_000
const sliceMs = 200
const rounds = 24

async function onEmbedded(): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-bench-'))
  try {
    const [ours, bare] = [path.join(folder, 'ours'), path.join(folder, 'bare')]
    await fill({ directory: ours })
    await cp(ours, bare, { recursive: true })
    return await measure('embedded database', { directory: ours }, { directory: bare })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function onServer(url: string): Promise<Result> {
  return withDatabases(url, 1, async ([own = '']) => {
    await fill({ url: own })
    return await measure('PostgreSQL', { url: own }, { url: own })
  })
}

async function fill(place: Place): Promise<void> {
  const at = 'url' in place ? { url: place.url, poolSize: 2, prepared: true } : place
  const database = await openDatabase({ at, statementTimeoutMs: 0, warn: console.error })
  await fillWithKeys(database, keys)
  await database.close()
}

async function measure(what: string, ourPlace: Place, barePlace: Place): Promise<Result> {
  const [service, bare] = [await startService(ourPlace), await startBare(barePlace)]
  try {
    await mustAnswerAlike(service, bare)
    return await compare(what, service, bare)
  } finally {
    await Promise.all([service.child.stop(), bare.child.stop()])
  }
}

async function startBare(place: Place): Promise<Server> {
  const port = await freePort()
  const at = 'url' in place ? ['url', place.url] : ['directory', place.directory]
  const child = startNode('bench/parts/bare-server.ts', [...at, String(port)])
  await healthy(port, 20)
  return { port, child }
}

/** A ratio to a server that does something else would say nothing. */
async function mustAnswerAlike(...servers: Server[]): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/account`, { headers: { 'x-api-key': keyText(7) } })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  if (new Set(answers).size > 1 || answers[0]?.startsWith('200 ') !== true) {
    throw new Error(`The two servers answer differently:\n${answers.join('\n')}`)
  }
}

async function compare(what: string, service: Server, bare: Server): Promise<Result> {
  const requests = accountRequests(Array.from({ length: keys }, (_, at) => at + 1))
  const { ours, theirs } = await sideBySide(
    { ours: { server: service, requests }, theirs: { server: bare, requests } },
    { rounds, sliceMs, connections },
  )
  return judged(
    what,
    ratioOf(ours.perSecond, theirs.perSecond),
    { atLeast: 0.6 },
    {
      ...figuresOf('service', ours),
      ...figuresOf('bare', theirs),
      ...processorRatio(ours, theirs),
      peakRatio: peakRatioOf(ours.perSecond, theirs.perSecond),
      inFlight: connections,
    },
  )
}

const server = benchServer()
const embedded = await onEmbedded()
const real = server === undefined ? [] : [await onServer(server)]
say({
  bench: 'account-read',
  promise: 'An authenticated read has 0.6 of the throughput of a bare server that does the same',
  results: [embedded, ...real],
  ...(server === undefined ? { skipped: NO_SERVER } : {}),
})
