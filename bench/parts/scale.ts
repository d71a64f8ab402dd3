// How large a bench is. With `BENCH_SMOKE=1` every bench does one small iteration of all that it does: the run shows that the bench
// still works and produces its figures, and judges no bound. Here is all that differs; a bench wraps its numbers in these.

export const isSmoke = process.env.BENCH_SMOKE === '1'

const SMOKE_MS = 100
const SMOKE_REPETITIONS = 8
const SMOKE_SHARE = 1 / 1000
const SMOKE_LEAST = 10

export type RoundOptions = { readonly rounds: number; readonly warmUpRounds: number }

/** In a smoke run: one round, without a warm-up. `takeTurns` applies it to what it is given. */
export const roundsToTake = (options: RoundOptions): RoundOptions =>
  isSmoke ? { rounds: 1, warmUpRounds: 0 } : options

/** What is done before the first round until everything is compiled. In a smoke run: nothing. */
export const warmUp = (count: number): number => (isSmoke ? 0 : count)

/** How long something goes on. The loads apply it to each slice. */
export const lasting = (milliseconds: number): number => (isSmoke ? Math.min(milliseconds, SMOKE_MS) : milliseconds)

/** How often something is done within a round. */
export const repeated = (times: number): number => (isSmoke ? Math.min(times, SMOKE_REPETITIONS) : times)

/** How many rows, documents or workspaces a fixture has. In a smoke run: a thousandth, and at least `least` of them. */
export const sized = (count: number, least = SMOKE_LEAST): number =>
  isSmoke ? Math.min(count, Math.max(least, Math.round(count * SMOKE_SHARE))) : count
