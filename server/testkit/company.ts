import { setTimeout as pause } from 'node:timers/promises'

/** In this time one too many would come. A slow machine may hide it, and never makes it up. */
const LINGER_MS = 250
/** Whoever waits in vain for company goes on alone after this, and the highest count tells. */
const LONGEST_MS = 5_000

/**
 * Tells how many are somewhere at once, however slow the machine: whoever comes stays until as many as may be there have come, or until
 * nobody is left who could.
 */
export function openCompany(expected: number, visits: number) {
  let [here, left, highest] = [0, visits, 0]
  let complete = Promise.withResolvers<void>()
  return {
    highest: () => highest,
    async stay(): Promise<void> {
      highest = Math.max(highest, ++here)
      left--
      const all = complete
      if (here >= expected || left === 0) {
        complete = Promise.withResolvers<void>()
        void pause(LINGER_MS).then(() => all.resolve())
      }
      await Promise.race([all.promise, pause(LONGEST_MS, undefined, { ref: false })])
      here--
    },
  }
}
