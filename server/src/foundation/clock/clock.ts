import { setTimeout as timer } from 'node:timers/promises'

// A timer above this wraps round to one millisecond: a loop that asked for a month would spin.
const longestWait = 2 ** 31 - 1

/** The time, handed down so that a test can hold it still. */
export type Clock = {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number
  /** Rejects with an `AbortError` when the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    timer(Math.min(milliseconds, longestWait), undefined, signal === undefined ? {} : { signal }),
}

/** Unix seconds, as headers and tokens carry them. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
