import assert from 'node:assert/strict'
import type { Work } from '../src/kernel/json/index.ts'

/**
 * How many milliseconds of processor this thread has taken. `process.cpuUsage()` is of the whole process: what collects its garbage and
 * compiles it beside this thread counts there, and holds nobody. It is called anyway, because Linux updates the time of a thread only every
 * 4 ms, or when a process asks for its own.
 */
export function processorMs(): number {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * A run can include a garbage collection of what earlier tests left, or the compilation of a cold function. Neither falls into every run,
 * and slow code is slow in every run. So each assertion below runs the work again only after a run that exceeded its limit, and passes
 * with the first run that does not.
 */
const MAX_RUNS = 3

const rounded = (ms: number): string => ms.toFixed(1)

/** Asserts that `act` takes less than `maxMs` of processor time. Returns the result of the run that did. */
export function assertTakesLess<Result>(maxMs: number, act: () => Result, what = 'it'): Result {
  return assertPreparedTakesLess(maxMs, () => act, what)
}

/**
 * Asserts the same of work that needs a preparation, which is not measured. If the code keeps results in a cache, each `prepare` must
 * return work that the cache does not know: a second run that finds the result of the first would hide a slow one. `run` counts from 0.
 */
export function assertPreparedTakesLess<Result>(
  maxMs: number,
  prepare: (run: number) => () => Result,
  what = 'it',
): Result {
  const runs: number[] = []
  while (runs.length < MAX_RUNS) {
    const act = prepare(runs.length)
    const started = processorMs()
    const result = act()
    const ms = processorMs() - started
    if (ms < maxMs) return result
    runs.push(ms)
  }
  assert.fail(`${what} took ${runs.map(rounded).join(', ')} ms; the limit is ${maxMs} ms`)
}

/**
 * Asserts that no turn of the work takes `max.turn` milliseconds of processor time or more, and that the turns together take less than
 * `max.total`. Both must hold in the same run. Returns the result of that run. What holds for `prepare` holds for `begin`.
 *
 * The runs are compared as a whole, not turn by turn. A collection of garbage that the work itself makes is a cost of the code, even if it
 * falls into another turn each time.
 */
export function assertTurnsTakeLess<Result>(
  max: { readonly turn: number; readonly total?: number },
  begin: (run: number) => Work<Result>,
  what = 'it',
): Result {
  const runs: string[] = []
  while (runs.length < MAX_RUNS) {
    const { longestMs, totalMs, result } = measureTurns(begin(runs.length))
    if (longestMs < max.turn && totalMs < (max.total ?? Number.POSITIVE_INFINITY)) return result
    runs.push(`${rounded(longestMs)} ms at a time and ${rounded(totalMs)} ms in all`)
  }
  assert.fail(`${what} took ${runs.join('; ')}; the limits are ${max.turn} ms and ${max.total ?? 'any'} ms`)
}

/**
 * Asserts that no turn of the event loop takes `maxMs` of processor time or more while `act` runs. Returns the result of the run in which
 * none did.
 */
export async function assertLoopTurnsTakeLess<Result>(
  maxMs: number,
  act: () => Promise<Result>,
  what = 'it',
): Promise<Result> {
  const runs: number[] = []
  while (runs.length < MAX_RUNS) {
    const { longestMs, result } = await measureLoopTurns(act)
    if (longestMs < maxMs) return result
    runs.push(longestMs)
  }
  assert.fail(`${what} took ${runs.map(rounded).join(', ')} ms at a time; the limit is ${maxMs} ms`)
}

/** A pattern with the same matches, for `prepare`: the cache of compiled patterns knows it by its text. */
export const uncachedPattern = (pattern: string, run: number): string => '(?:)'.repeat(run) + pattern

/** The processor time of the fastest of three runs, for a comparison with that of other work. */
export function leastProcessorMs(act: () => unknown): number {
  const runs = Array.from({ length: MAX_RUNS }, () => {
    const started = processorMs()
    act()
    return processorMs() - started
  })
  return Math.min(...runs)
}

/**
 * The share of the whole that the longest turn took, in the run with the least share: a slow machine changes none of it, and a collection
 * of garbage falls into one turn or another.
 */
export function longestShare(begin: () => Work<unknown>): number {
  const shares = Array.from({ length: MAX_RUNS }, () => {
    const { longestMs, totalMs } = measureTurns(begin())
    return longestMs / totalMs
  })
  return Math.min(...shares)
}

/** Completes the work and returns its longest turn, the sum of its turns and its result. */
function measureTurns<Result>(work: Work<Result>): { longestMs: number; totalMs: number; result: Result } {
  let [longestMs, totalMs] = [0, 0]
  for (;;) {
    const started = processorMs()
    const step = work.next()
    const ms = processorMs() - started
    longestMs = Math.max(longestMs, ms)
    totalMs += ms
    if (step.done) return { longestMs, totalMs, result: step.value }
  }
}

async function measureLoopTurns<Result>(act: () => Promise<Result>): Promise<{ longestMs: number; result: Result }> {
  let [isRunning, longestMs, last] = [true, 0, processorMs()]
  const endTurn = (): void => {
    const now = processorMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }
  const watch = (): void => {
    endTurn()
    if (isRunning) setImmediate(watch)
  }
  setImmediate(watch)
  try {
    const result = await act()
    // This turn has not ended. `watch` would measure it too late.
    endTurn()
    return { result, longestMs }
  } finally {
    isRunning = false
  }
}
