// Candidates are measured in short slices that take turns in random order, all of them in every round: a machine that is
// slow for a second is slow for each. What counts is the ratio within a round; the median of those is the figure.
import { type RoundOptions, roundsToTake } from './scale.ts'

/** Does one slice of work and says how much was done per second. */
export type Candidate = () => Promise<number>

/** What each candidate did per second, round by round. */
export type Rounds<Name extends string> = Readonly<Record<Name, readonly number[]>>

export async function takeTurns<Name extends string>(
  candidates: Readonly<Record<Name, Candidate>>,
  options: RoundOptions,
): Promise<Rounds<Name>> {
  const { rounds, warmUpRounds } = roundsToTake(options)
  const names = Object.keys(candidates) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const name of shuffled(names)) {
      const perSecond = await candidates[name]()
      if (round >= 0) measured[name].push(perSecond)
    }
  }
  return measured
}

export type Ratio = { readonly ratio: number; readonly quartiles: readonly [number, number] }

/** The median, round by round, of one to the other, and the quartiles: how far apart the rounds were. */
export function ratioOf(ones: readonly number[], others: readonly number[]): Ratio {
  const ratios = ones.map((one, round) => one / (others[round] ?? Number.NaN))
  return {
    ratio: rounded(quantile(ratios, 0.5)),
    quartiles: [rounded(quantile(ratios, 0.25)), rounded(quantile(ratios, 0.75))],
  }
}

/** The ratio of the best slices of each: what is left of a ratio when others keep the machine busy most of the time. */
export const peakRatioOf = (ones: readonly number[], others: readonly number[]): number =>
  rounded(quantile(ones, 0.9) / quantile(others, 0.9))

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const rounded = (value: number): number => Math.round(value * 1000) / 1000

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
