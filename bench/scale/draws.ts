// Numbers by chance, from a generator with a seed.
import type { Random } from '../retrieval/random.ts'

export type Draw = (random: Random) => number

export const always =
  (ms: number): Draw =>
  () =>
    ms

export const exponential =
  (mean: number): Draw =>
  ({ next }) =>
    -mean * Math.log(1 - next())

/** Half of them below the median; one of a hundred above the 99th percentile. Answers of models and of providers look like this. */
export function lognormal(median: number, p99: number): Draw {
  const spread = Math.log(p99 / median) / 2.326
  return ({ next }) => median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()))
}

/** One of these, as they were seen. */
export const seen =
  (values: readonly number[]): Draw =>
  (random) =>
    random.pick(values) ?? 0

/** Which of so many, the first ones far more often: number n has 1/n of the first one's share. */
export function zipf(count: number): Draw {
  const sums = new Float64Array(count)
  let sum = 0
  for (let at = 0; at < count; at++) {
    sum += 1 / (at + 1)
    sums[at] = sum
  }
  return ({ next }) => {
    const wanted = next() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
