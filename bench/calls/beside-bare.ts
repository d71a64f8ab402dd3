// A read through the service beside the same read by a hand-written program: they must send and answer the same.
import { openLoad } from '../load.ts'
import { judged, type Result } from '../parts/report.ts'
import { ratioOf, rounded, takeTurns } from '../parts/rounds.ts'
import type { Place, Server } from '../parts/running-service.ts'
import { figuresOf, processorRatio, sideBySide } from '../parts/side-by-side.ts'
import { startCallingService } from './running-service.ts'
import { lastAtEndpoint, masked, postRequest, type Shop } from './shops.ts'
import { startBare } from './start-bare.ts'

const connections = 32
const sliceMs = 200
const rounds = 24

export type Read = {
  readonly tool: string
  readonly body: string
  /** Of the throughput of the program. */
  readonly atLeast: number
}
export type Beside = {
  readonly ours: Place
  readonly bare: Place
  readonly shops: readonly Shop[]
  readonly endpoint: Server
}

/** The service and the hand-written program, each on its own copy of the same data, asked in turns. */
export async function measureRead(what: string, read: Read, beside: Beside): Promise<Result> {
  const { ours, bare: theirs, shops } = beside
  const [service, bare] = [await startCallingService(ours), await startBare(theirs, shops)]
  try {
    await mustDoAlike(read, beside, service, bare)
    return await compare(what, read, shops, service, bare)
  } finally {
    await Promise.all([service.child.stop(), bare.child.stop()])
  }
}

/** A ratio to a program that answers or sends something else would say nothing. */
async function mustDoAlike({ tool, body }: Read, { shops, endpoint }: Beside, ...servers: Server[]): Promise<void> {
  const seen: string[] = []
  for (const server of servers) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/tools/${tool}/call`, {
      method: 'POST',
      headers: { 'x-api-key': shops[3]?.apiKey ?? '', 'content-type': 'application/json' },
      body,
    })
    seen.push(`${answer.status} ${masked(await answer.text())}\n${await lastAtEndpoint(endpoint)}`)
  }
  if (new Set(seen).size > 1 || seen[0]?.startsWith('200 {"status":"ok"') !== true) {
    throw new Error(`The two do different things:\n${seen.join('\n\n')}`)
  }
}

async function compare(
  what: string,
  { tool, body, atLeast }: Read,
  shops: readonly Shop[],
  service: Server,
  bare: Server,
): Promise<Result> {
  const requests = shops.map(({ apiKey }) => postRequest(`/v1/tools/${tool}/call`, apiKey, body))
  const { ours, theirs } = await sideBySide(
    { ours: { server: service, requests }, theirs: { server: bare, requests } },
    { rounds, sliceMs, connections },
  )
  const alone = await p50Alone(service, bare, requests)
  return judged(
    what,
    ratioOf(ours.perSecond, theirs.perSecond),
    { atLeast },
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
