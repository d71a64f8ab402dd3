import type { Work } from '../src/kernel/json/index.ts'
import { processorMs } from './processor.ts'

/**
 * The share of the whole that the longest step between two pauses took, in processor time: a slow machine changes none of it. The
 * least of three, because a collection of garbage falls into one step or another.
 */
export function longestShare(begin: () => Work<unknown>): number {
  return Math.min(...Array.from({ length: 3 }, () => shareOf(begin())))
}

function shareOf(work: Work<unknown>): number {
  let [whole, longest, isDone] = [0, 0, false]
  while (!isDone) {
    const started = processorMs()
    isDone = work.next().done === true
    const took = processorMs() - started
    whole += took
    longest = Math.max(longest, took)
  }
  return longest / whole
}
