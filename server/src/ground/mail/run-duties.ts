import type { House } from '../context/index.ts'
import type { Duty } from './duty.ts'

/** Calls each duty again and again for as long as the process lives. Answers what ends it. */
export function runDuties({ clock, log }: Pick<House, 'clock' | 'log'>, duties: readonly Duty[]): () => Promise<void> {
  const stop = new AbortController()
  const running = duties.map(async ({ name, everyMs, work }) => {
    while (!stop.signal.aborted) {
      await work(stop.signal).catch((error: unknown) =>
        log.warn({ duty: name, error }, 'A duty failed; it is tried again.'),
      )
      await clock.wait(everyMs, stop.signal).catch(() => {})
    }
  })
  return async () => {
    stop.abort()
    await Promise.all(running)
  }
}
