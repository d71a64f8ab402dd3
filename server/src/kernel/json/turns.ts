import { setImmediate } from 'node:timers/promises'

/** Work that may take long: it yields every few milliseconds, and its result is what it returns. */
export type Work<Result> = Generator<undefined, Result, void>

/** Does it without a pause. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Lets other requests have their turn wherever it yields. */
export async function inTurns<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

/** Counts what was done, and says when that was enough for one turn. */
export function turnOf(most: number): (done: number) => boolean {
  let left = most
  return (done) => {
    left -= done
    if (left > 0) return false
    left = most
    return true
  }
}
