// How large a bench is. With `BENCH_SMOKE=1` every bench does one small iteration. The run shows that each bench still works and produces
// its figures, and judges no bound. Only this file knows the small sizes: a bench wraps its numbers in these functions.

export const isSmoke = process.env.BENCH_SMOKE === '1'

const SMOKE_MS = 100
const SMOKE_REPETITIONS = 8
const SMOKE_SHARE = 1 / 1000
const SMOKE_LEAST = 10

export type RoundOptions = { readonly rounds: number; readonly warmUpRounds: number }

/** In a smoke run: one round, without a warm-up. `takeTurns` applies it to its options. */
export const roundsToTake = (options: RoundOptions): RoundOptions =>
  isSmoke ? { rounds: 1, warmUpRounds: 0 } : options

/** Work before the first round, until the code is compiled. In a smoke run: none. */
export const warmUp = (count: number): number => (isSmoke ? 0 : count)

/** A duration in milliseconds. The loads apply it to each slice. */
export const lasting = (milliseconds: number): number => (isSmoke ? Math.min(milliseconds, SMOKE_MS) : milliseconds)

/** Repetitions within a round. */
export const repeated = (times: number): number => (isSmoke ? Math.min(times, SMOKE_REPETITIONS) : times)

/** The size of a fixture: rows, documents, workspaces. In a smoke run: a thousandth, but at least `least`. */
export const sized = (count: number, least = SMOKE_LEAST): number =>
  isSmoke ? Math.min(count, Math.max(least, Math.round(count * SMOKE_SHARE))) : count
