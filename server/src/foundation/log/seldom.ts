import type { Log, LogFields } from './log.ts'

/** For a line that an outage would write with every request: at once, then once in a while, with how often it was meant. */
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
