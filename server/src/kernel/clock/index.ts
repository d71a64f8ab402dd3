import { setTimeout as timer } from 'node:timers/promises'

// Node turns a longer timer into one of a millisecond, so a loop that asks to wait a month would spin.
const longestWait = 2 ** 31 - 1

/** Code takes the time from here, so that a test can stop it. */
export type Clock = {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number
  /** Rejects with an `AbortError` when the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    timer(Math.min(milliseconds, longestWait), undefined, signal === undefined ? {} : { signal }),
}

/** The unit of time in headers and tokens. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** The result of work, or undefined where it takes longer. The work itself goes on. */
export async function inTime<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds, undefined)
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
