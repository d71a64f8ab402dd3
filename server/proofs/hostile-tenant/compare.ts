import type { Deed, Maker } from './case.ts'
import type { Victim, Waited } from './victim.ts'
import type { Line } from './wire.ts'

export type Sides = { readonly hostile: Waited; readonly harmless: Waited }
export type Compared = Sides & { readonly status: number }

/** The first round warms up what both need, and is not counted. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 5)
/** What a busy machine did to a few rounds shows no longer in many. What the request did shows in all of them. */
const mostRounds = rounds * 4
/** Whoever was held up for so long needs no second proof. */
const clearMs = 5_000

type Makers = { readonly hostile: Maker; readonly harmless: Maker }

/**
 * What the victim waits for beside either request: the median of a few rounds, in turns, so that both meet the same machine.
 * Where they do not hold, more rounds are counted in.
 */
export async function compare(
  line: Line,
  victim: Victim,
  makers: Makers,
  holds: (sides: Sides) => boolean = () => true,
): Promise<Compared> {
  const waits: { hostile: Waited[]; harmless: Waited[] } = { hostile: [], harmless: [] }
  const sides = (): Sides => ({ hostile: medians(waits.hostile), harmless: medians(waits.harmless) })
  let status = 0
  for (let round = 0; round < rounds || (round < mostRounds && !holds(sides())); round++) {
    for (const kind of ['harmless', 'hostile'] as const) {
      const deed = await makers[kind]()
      const waited = await victim.during(async () => {
        status = await done(line, deed)
      })
      if (round > 0 || waited.turnMs > clearMs) waits[kind].push(waited)
    }
    if (waits.hostile.some(({ turnMs }) => turnMs > clearMs)) break
  }
  return { ...sides(), status }
}

async function done(line: Line, deed: Deed): Promise<number> {
  if (typeof deed === 'function') return await deed(line)
  const shots = 'path' in deed ? [deed] : deed
  const statuses = await Promise.all(shots.map((shot) => line.send(shot)))
  // An answer that never came is the worst of all.
  return statuses.includes(0) ? 0 : Math.max(...statuses)
}

const medians = (waited: readonly Waited[]): Waited => ({
  turnMs: median(waited.map(({ turnMs }) => turnMs)),
  healthMs: median(waited.map(({ healthMs }) => healthMs)),
  readMs: median(waited.map(({ readMs }) => readMs)),
})

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
