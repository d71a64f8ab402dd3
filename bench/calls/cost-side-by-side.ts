// What one call costs the process that serves it: its processor time, read before and after each slice. Throughput says the
// same on a quiet machine, and on a busy one whatever the others leave.
import { type Load, openLoad } from '../load.ts'
import { median, rounded, takeTurns } from '../parts/rounds.ts'
import type { Server } from '../parts/running-service.ts'

export type CostContender = { readonly server: Server; readonly requests: readonly Buffer[] }

export type Cost = {
  /** Microseconds of one call, round by round: of the processor, or of the clock where the system does not tell. */
  readonly microseconds: readonly number[]
  readonly figures: Readonly<Record<string, number>>
}

type Options = { readonly rounds: number; readonly sliceMs: number; readonly connections: number }

// JavaScript is compiled in full only where it has run often.
const warmUpAnswers = 8_000
const warmUpLimitMs = 12_000

export async function costSideBySide<Name extends string>(
  contenders: Readonly<Record<Name, CostContender>>,
  { rounds, sliceMs, connections }: Options,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(contenders) as Name[]
  const sides = new Map<Name, Side>()
  for (const name of names) {
    const { server, requests } = contenders[name]
    sides.set(name, { server, load: await openLoad({ port: server.port, requests, connections }), costs: [] })
  }
  const all = [...sides.values()]
  const slices = byName(names, (name) => () => slice(sides.get(name), sliceMs))
  const until = performance.now() + warmUpLimitMs
  while (all.some(({ load }) => load.answers() < warmUpAnswers) && performance.now() < until) {
    await takeTurns(slices, { rounds: 0, warmUpRounds: 1 })
  }
  for (const { load } of all) load.forget()
  const perSecond = await takeTurns(slices, { rounds, warmUpRounds: 0 })
  return byName(names, (name) => {
    const side = sides.get(name)
    side?.load.close()
    // The rounds are the last ones; what came before was the warm-up.
    const microseconds = side?.costs.slice(-rounds) ?? []
    const figures = {
      [`${name}Us`]: Math.round(median(microseconds)),
      [`${name}PerSecond`]: Math.round(median(perSecond[name])),
      [`${name}P50Ms`]: rounded(side?.load.latency(0.5) ?? Number.NaN),
    }
    return { microseconds, figures }
  })
}

type Side = { readonly server: Server; readonly load: Load; readonly costs: number[] }

async function slice(side: Side | undefined, milliseconds: number): Promise<number> {
  if (side === undefined) throw new Error('There is no such side.')
  const { server, load, costs } = side
  const [answered, spent] = [load.answers(), server.child.cpuMs()]
  const perSecond = await load.slice(milliseconds)
  const after = server.child.cpuMs()
  const isTold = spent !== undefined && after !== undefined
  costs.push(isTold ? ((after - spent) * 1_000) / (load.answers() - answered) : 1_000_000 / perSecond)
  return perSecond
}

function byName<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}
