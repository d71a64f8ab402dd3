// How far long work has come: one line that changes in a terminal, and a line now and then in a pipeline's log.
import type { Surroundings } from './surroundings.ts'

export type Progress = {
  now(words: string): void
  /** Before anything else is written. */
  clear(): void
}

const SELDOM_MS = 2_000

export function openProgress({ stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): Progress {
  const isLive = stderr.isTTY === true && env.TERM !== 'dumb' && (env.CI ?? '') === ''
  let shown = false
  let wroteAt = Number.NEGATIVE_INFINITY
  return {
    now(words) {
      if (isLive) {
        shown = true
        stderr.write(`\r\u001b[K${words.slice(0, (stderr.columns || 80) - 1)}`)
      } else if (performance.now() - wroteAt > SELDOM_MS) {
        wroteAt = performance.now()
        stderr.write(`${words}\n`)
      }
    },
    clear() {
      if (shown) stderr.write('\r\u001b[K')
      shown = false
    },
  }
}
