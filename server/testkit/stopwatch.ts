import { processorMs } from './processor.ts'

const TICK_MS = 5
const LONGEST_MS = 2 * TICK_MS

/**
 * A stopwatch that stands still while the machine keeps this thread from running, and answers its milliseconds when it is stopped. It is
 * for an upper bound on what waits for a timer or a peer in this process; what only computes is bounded by `processorMs`. What should
 * end after `dueMs` is bounded from there: the stopwatch begins then.
 *
 * It ticks: between two ticks it counts the processor time that the thread took, and of the rest no more than a punctual tick would have
 * needed. A thread that waits keeps ticking, so that waiting counts.
 */
export function stopwatch(dueMs = 0): () => number {
  let total = 0
  let at = performance.now()
  const due = at + dueMs
  let used = processorMs()
  const tick = (): void => {
    const [now, worked] = [performance.now(), processorMs()]
    if (now > due) total += Math.max(worked - used, Math.min(now - Math.max(at, due), LONGEST_MS))
    at = now
    used = worked
  }
  const ticking = setInterval(tick, TICK_MS)
  return () => {
    clearInterval(ticking)
    tick()
    return total
  }
}

/** What came of the work, and how long that took by the stopwatch. */
export async function timed<Result>(
  work: () => Promise<Result>,
  dueMs = 0,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const stop = stopwatch(dueMs)
  try {
    const result = await work()
    return { result, ms: stop() }
  } finally {
    stop()
  }
}
