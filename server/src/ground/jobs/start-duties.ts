import { isUnavailable } from '../../foundation/db/index.ts'
import { seldom } from '../../foundation/log/index.ts'
import type { House } from '../context/index.ts'
import { openAlarm } from './alarm.ts'
import type { Bell } from './bell.ts'
import type { Duty } from './duty.ts'

export type Working = {
  /** Asks all to stop and waits for them, but not for ever: what is cut off is found again by its lease. */
  close(): Promise<void>
}

type Parts = Pick<House, 'db' | 'log' | 'clock'> & { readonly bell: Bell }

const closeMs = 15_000
const longestBackoffMs = 60_000
// To ask a database that is away costs nothing, and what has been waiting for it shall not wait for us as well.
const longestAwayMs = 5_000
const sayAwayMs = 10_000

type Away = ReturnType<typeof seldom>

/** Runs the duties for as long as the process lives. */
export function startDuties(parts: Parts, duties: readonly Duty[]): Working {
  const { db, log, bell } = parts
  const stop = new AbortController()
  const channels = [...new Set(duties.flatMap(({ wokenBy }) => wokenBy ?? []))]
  const listening = channels.length === 0 ? undefined : db.listen(channels, bell.relay)
  const away = seldom(log, sayAwayMs)
  const running = duties.map((duty) => keep({ ...parts, away }, duty, stop.signal))
  let closed: Promise<void> | undefined
  const close = async () => {
    stop.abort()
    const ended = Promise.all([...running, ...duties.map((duty) => finish(parts, duty))]).then(() => true)
    if (!(await within(closeMs, ended))) log.warn({}, 'Some regular work did not end in time and is cut off.')
    await listening?.close()
  }
  return {
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

async function keep(
  { log, clock, bell, away }: Parts & { away: Away },
  duty: Duty,
  signal: AbortSignal,
): Promise<void> {
  const { name, everyMs, wokenBy } = duty
  const alarm = openAlarm(clock)
  const callOff = wokenBy === undefined ? undefined : bell.hear(wokenBy, alarm.ring)
  for (let failures = 0; !signal.aborted; ) {
    try {
      const count = await duty.work(signal)
      failures = 0
      if (count === 0) await alarm.rest(everyMs, signal)
      else log.debug({ duty: name, count }, 'did its work')
    } catch (error) {
      if (signal.aborted) break
      failures++
      const isAway = isUnavailable(error)
      if (isAway) away({ reason: error.message }, 'Regular work stands still: the database does not answer.')
      else log.warn({ duty: name, error, failures }, 'Regular work failed; it is tried again.')
      // No bell shortens this: what calls may well be what fails.
      const longestMs = isAway ? longestAwayMs : longestBackoffMs
      await clock.wait(Math.min(longestMs, backoff(everyMs, failures)), signal).catch(() => undefined)
    }
    // A duty that never rests must still let requests through.
    await new Promise((turned) => setImmediate(turned))
  }
  callOff?.()
}

/** Doubling from a second or so, never the same for two processes. */
const backoff = (everyMs: number, failures: number): number =>
  Math.min(longestBackoffMs, Math.max(1000, Math.min(everyMs, 5000)) * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)

const finish = async ({ log }: Parts, { name, finish }: Duty): Promise<void> =>
  finish?.().catch((error: unknown) => log.warn({ duty: name, error }, 'Regular work did not end well.'))

async function within(milliseconds: number, done: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, milliseconds, false)
  return await Promise.race([done, late]).finally(() => clearTimeout(timer))
}
