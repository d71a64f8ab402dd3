import type { Log, LogFields } from './log.ts'

/** For a line that an outage would write on every request: writes it at once, then at intervals with a count. */
export function seldom(
  log: Pick<Log, 'error'>,
  everyMs: number,
  now: () => number = () => performance.now(),
): (fields: LogFields, message: string) => void {
  let nextAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (fields, message) => {
    times++
    if (now() < nextAt) return
    log.error({ ...fields, times }, message)
    nextAt = now() + everyMs
    times = 0
  }
}
