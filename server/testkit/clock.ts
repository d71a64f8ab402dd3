import { type Clock, systemClock } from '../src/kernel/clock/index.ts'

/** A clock that stands still until the test moves it. */
export type MovableClock = Clock & {
  /** Moves on and lets every wait that falls due end, the earliest first. */
  advance(milliseconds: number): Promise<void>
  /** How many waits are pending. */
  waiting(): number
}

type Wait = { due: number; end: () => void }

export function movableClock(start = Date.UTC(2026, 0, 1)): MovableClock {
  let time = start
  const waits = new Set<Wait>()

  const nextDue = (until: number): Wait | undefined =>
    [...waits].filter((wait) => wait.due <= until).sort((a, b) => a.due - b.due)[0]

  return {
    now: () => time,
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          waits.delete(wait)
          reject(new DOMException('The wait was aborted.', 'AbortError'))
        }
        const wait: Wait = {
          due: time + milliseconds,
          end: () => {
            waits.delete(wait)
            signal?.removeEventListener('abort', stop)
            resolve()
          },
        }
        waits.add(wait)
        if (signal?.aborted) stop()
        signal?.addEventListener('abort', stop, { once: true })
      }),
    async advance(milliseconds) {
      const until = time + milliseconds
      for (let wait = nextDue(until); wait; wait = nextDue(until)) {
        time = Math.max(time, wait.due)
        wait.end()
        await settle()
      }
      time = until
      await settle()
    },
    waiting: () => waits.size,
  }
}

/** Lets what waited run as far as it can without a timer, so that it may ask for its next wait. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const LONGEST_REST_MS = 20

/**
 * The time as it is, where nobody waits for long. What looks again and again rests between two looks: without a rest, it would take the
 * processor for as long as the test goes on.
 */
export const impatientClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => systemClock.wait(Math.min(milliseconds, LONGEST_REST_MS), signal),
}

/** A clock that runs, and that the test moves on: where times are the database's, nobody can hold those still. */
export type RunningClock = Clock & { moveOn(milliseconds: number): void }

export function runningClock(): RunningClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    wait: (milliseconds, signal) => systemClock.wait(milliseconds, signal),
    moveOn(milliseconds) {
      ahead += milliseconds
    },
  }
}
