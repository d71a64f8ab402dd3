// Two servers that stage and confirm, both up, asked in turns.
import { median, rounded, takeTurns } from '../parts/rounds.ts'
import type { Server } from '../parts/running-service.ts'
import { warmUp } from '../parts/scale.ts'
import { openPairLoad, type PairLoad } from './pair-load.ts'
import type { Shop } from './shops.ts'

export type PairContender = { readonly server: Server; readonly shops: readonly Shop[] }

export type PairsPerformed = {
  /** One figure for each round. */
  readonly perSecond: readonly number[]
  readonly p50Ms: readonly number[]
  readonly figures: Readonly<Record<string, number>>
  /** Processor time of the server's process for one write. */
  readonly processorUs: number | undefined
}

type Options = { readonly rounds: number; readonly sliceMs: number; readonly connections: number }

// As many as compile what a write runs through, or as many as come in ten seconds.
const warmUpPairs = warmUp(2_000)
const warmUpLimitMs = 10_000

export async function pairsSideBySide<Name extends string>(
  contenders: Readonly<Record<Name, PairContender>>,
  { rounds, sliceMs, connections }: Options,
): Promise<Record<Name, PairsPerformed>> {
  const names = Object.keys(contenders) as Name[]
  const loads = new Map<Name, PairLoad>()
  for (const name of names) {
    const { server, shops } = contenders[name]
    loads.set(name, await openPairLoad(server.port, shops, connections))
  }
  const loadOf = (name: Name): PairLoad => loads.get(name) ?? never(name)
  const p50Ms = new Map<Name, number[]>(names.map((name) => [name, []]))
  const slices = byName(names, (name) => async () => {
    const slice = await loadOf(name).slice(sliceMs)
    p50Ms.get(name)?.push(slice.p50Ms)
    return slice.perSecond
  })
  const until = performance.now() + warmUpLimitMs
  while (names.some((name) => loadOf(name).pairs() < warmUpPairs) && performance.now() < until) {
    await takeTurns(slices, { rounds: 0, warmUpRounds: 1 })
  }
  for (const name of names) loadOf(name).forget()
  const before = byName(names, (name) => contenders[name].server.child.cpuMs())
  const perSecond = await takeTurns(slices, { rounds, warmUpRounds: 0 })
  return byName(names, (name) => {
    const load = loadOf(name)
    load.close()
    const [from, to] = [before[name], contenders[name].server.child.cpuMs()]
    const processorUs =
      from === undefined || to === undefined ? undefined : Math.round(((to - from) * 1000) / load.pairs())
    const figures = {
      [`${name}PerSecond`]: Math.round(median(perSecond[name])),
      [`${name}StageP50Ms`]: rounded(load.stageP50Ms()),
      [`${name}ConfirmP50Ms`]: rounded(load.confirmP50Ms()),
      ...(processorUs === undefined ? {} : { [`${name}ProcessorUs`]: processorUs }),
    }
    // The rounds are the last ones; what came before was the warm-up.
    return { perSecond: perSecond[name], p50Ms: p50Ms.get(name)?.slice(-rounds) ?? [], figures, processorUs }
  })
}

const never = (name: string): never => {
  throw new Error(`There is no load ${name}.`)
}

function byName<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}
