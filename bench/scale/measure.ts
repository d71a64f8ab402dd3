// What each kind of request costs, measured by itself with a few clients, and what a mixed load gets: slices that take turns.
import { KINDS, type KindName, type Latencies, type MixedLoad, type Shares } from './mixed-load.ts'
import { difference, type Spent, sumOf } from './spent.ts'

export type Measured = {
  readonly answers: number
  readonly perSecond: number
  readonly latencies: readonly number[]
  readonly latenciesOf: Readonly<Record<KindName, readonly number[]>>
  readonly spent: Spent
}

export type Measurement = { readonly byKind: Readonly<Record<KindName, Measured>>; readonly mixed: Measured }

type Options = {
  readonly load: MixedLoad
  readonly spending: () => Promise<Spent>
  readonly mix: Shares
  readonly few: number
  readonly clients: number
  readonly rounds: number
  readonly warmUpRounds: number
}

const sliceMs = 1_000
const mixedMs = 3_500

type Taken = { readonly slice: Latencies; readonly spent: Spent }

export async function measure({
  load,
  spending,
  mix,
  few,
  clients,
  rounds,
  warmUpRounds,
}: Options): Promise<Measurement> {
  const taken = new Map<KindName | 'mixed', Taken[]>()
  const take = async (name: KindName | 'mixed', shares: Shares, many: number, ms: number, counts: boolean) => {
    await load.prepare(few)
    const from = await spending()
    const slice = await load.slice(shares, many, ms)
    const spent = difference(from, await spending())
    if (counts) taken.set(name, [...(taken.get(name) ?? []), { slice, spent }])
  }
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const kind of KINDS) await take(kind, { [kind]: 1 }, few, sliceMs, round >= 0)
    await take('mixed', mix, clients, mixedMs, round >= 0)
  }
  const of = (name: KindName | 'mixed'): Measured => togetherOf(taken.get(name) ?? [], name === 'mixed' ? clients : few)
  return {
    byKind: { read: of('read'), stage: of('stage'), confirm: of('confirm'), turn: of('turn') },
    mixed: of('mixed'),
  }
}

function togetherOf(taken: readonly Taken[], clients: number): Measured {
  const of = (kind: KindName): number[] => taken.flatMap(({ slice }) => slice[kind])
  const latenciesOf = { read: of('read'), stage: of('stage'), confirm: of('confirm'), turn: of('turn') }
  const latencies = KINDS.flatMap((kind) => latenciesOf[kind])
  const spentMs = latencies.reduce((sum, ms) => sum + ms, 0)
  return {
    answers: latencies.length,
    // A client asks again at once, so this is exact however the last answers of a slice trickle in.
    perSecond: (clients * 1000 * latencies.length) / spentMs,
    latencies,
    latenciesOf,
    spent: sumOf(taken.map(({ spent }) => spent)),
  }
}

/** Milliseconds within which this share came. */
export function within(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

/** How much longer the event loop takes than it runs, because others run meanwhile. */
export const stretchOf = ({ spent }: Measured): number => (spent.loopMs + spent.loopWaitedMs) / spent.loopMs
