// Servers that are all up at the same time, and asked in turns.
import { type Load, openLoad } from '../load.ts'
import { median, rounded, takeTurns } from './rounds.ts'
import type { Server } from './running-service.ts'
import { warmUp } from './scale.ts'

export type Contender = {
  readonly server: Server
  readonly requests: readonly Buffer[]
  readonly lateBodies?: boolean
}

export type Performed = {
  /** One figure for each round. */
  readonly perSecond: readonly number[]
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the server's process for one answer: steadier than throughput where others use the machine. */
  readonly processorUs: number | undefined
}

export type SideBySideOptions = {
  readonly rounds: number
  readonly sliceMs: number
  /** Requests under way at the same time. */
  readonly connections: number
}

// JavaScript is compiled in full only where it has run often: until then a server with more code looks worse than it is. After
// 8,000 answers the service still had a tenth of its time per read to lose, and the program by hand nothing; after 40,000 neither.
const warmUpAnswers = warmUp(40_000)
const warmUpLimitMs = 20_000

export async function sideBySide<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, sliceMs, connections }: SideBySideOptions,
): Promise<Record<Name, Performed>> {
  const names = Object.keys(contenders) as Name[]
  const loads = {} as Record<Name, Load>
  for (const name of names) {
    const { server, requests, lateBodies } = contenders[name]
    loads[name] = await openLoad({ port: server.port, requests, connections, lateBodies })
  }
  const slices = byName(names, (name) => () => loads[name].slice(sliceMs))
  const until = performance.now() + warmUpLimitMs
  while (names.some((name) => loads[name].answers() < warmUpAnswers) && performance.now() < until) {
    await takeTurns(slices, { rounds: 0, warmUpRounds: 1 })
  }
  for (const name of names) loads[name].forget()
  const spentBefore = byName(names, (name) => contenders[name].server.child.cpuMs())
  const perSecond = await takeTurns(slices, { rounds, warmUpRounds: 0 })
  return byName(names, (name) => {
    const spent = contenders[name].server.child.cpuMs()
    const before = spentBefore[name]
    const load = loads[name]
    load.close()
    return {
      perSecond: perSecond[name],
      p50Ms: rounded(load.latency(0.5)),
      p99Ms: rounded(load.latency(0.99)),
      processorUs:
        spent === undefined || before === undefined
          ? undefined
          : Math.round(((spent - before) * 1000) / load.answers()),
    }
  })
}

function byName<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}

export function figuresOf(name: string, { perSecond, p50Ms, p99Ms, processorUs }: Performed): Record<string, number> {
  return {
    [`${name}PerSecond`]: Math.round(median(perSecond)),
    [`${name}P50Ms`]: p50Ms,
    [`${name}P99Ms`]: p99Ms,
    ...(processorUs === undefined ? {} : { [`${name}ProcessorUs`]: processorUs }),
  }
}

/** Processor time for one answer, the other's to the one's: above 1, the one needs less. */
export function processorRatio(one: Performed, other: Performed): Record<string, number> {
  if (one.processorUs === undefined || other.processorUs === undefined) return {}
  return { processorRatio: rounded(other.processorUs / one.processorUs) }
}
