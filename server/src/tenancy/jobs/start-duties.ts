import { type Clock, inTime } from '../../kernel/clock/index.ts'
import { isUnavailable } from '../../kernel/db/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../context/index.ts'
import type { Bell } from './bell.ts'
import type { Duty } from './duty.ts'

export type Working = {
  /** Asks all duties to stop and waits for them, within a limit. Work that is cut off is found again by its lease. */
  close(): Promise<void>
}

type DutyHouse = Pick<House, 'db' | 'log' | 'clock'> & { readonly bell: Bell }

const closeMs = 15_000
const longestBackoffMs = 60_000
// Asking an unavailable database costs nothing, and work that waited for it should not wait for us as well.
const longestAwayMs = 5_000
const sayAwayMs = 10_000

type Away = ReturnType<typeof seldom>

/** Runs the duties for as long as the process lives. */
export function startDuties(parts: DutyHouse, duties: readonly Duty[]): Working {
  const { db, log, bell } = parts
  const stop = new AbortController()
  const channels = [...new Set(duties.flatMap(({ wokenBy }) => wokenBy ?? []))]
  const listening = channels.length === 0 ? undefined : db.listen(channels, bell.relay)
  const away = seldom(log, sayAwayMs)
  const running = duties.map((duty) => keepWorking({ ...parts, away }, duty, stop.signal))
  let closed: Promise<void> | undefined
  const close = async () => {
    stop.abort()
    const ended = Promise.all([...running, ...duties.map((duty) => finish(parts, duty))])
    if ((await inTime(closeMs, ended)) === undefined)
      log.warn(
        {},
        'Some regular work did not end in time and was cut off. Another process takes it up when its lease ends.',
      )
    await listening?.close()
  }
  return {
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

async function keepWorking(
  { log, clock, bell, away }: DutyHouse & { away: Away },
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
      if (isAway)
        away(
          { reason: error.message },
          'Regular work is stopped because the database does not answer. It continues when the database is back.',
        )
      else log.warn({ duty: name, error, failures }, 'Regular work failed. It will be tried again.')
      // No bell shortens this wait, because the work that rings it may be the work that fails.
      const longestMs = isAway ? longestAwayMs : longestBackoffMs
      await clock.wait(Math.min(longestMs, backoff(everyMs, failures)), signal).catch(() => undefined)
    }
    // A duty that never rests must still leave time for requests.
    await new Promise((turned) => setImmediate(turned))
  }
  callOff?.()
}

/** Doubles from about a second, and differs between processes. */
const backoff = (everyMs: number, failures: number): number =>
  Math.min(longestBackoffMs, Math.max(1000, Math.min(everyMs, 5000)) * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)

const finish = async ({ log }: DutyHouse, { name, finish }: Duty): Promise<void> =>
  finish?.().catch((error: unknown) => log.warn({ duty: name, error }, 'Regular work failed while it was ending.'))

/** A rest that a bell may end. If the bell rings before the rest begins, there is no rest. */
type Alarm = { ring(): void; rest(milliseconds: number, signal: AbortSignal): Promise<void> }

function openAlarm(clock: Clock): Alarm {
  let rung = false
  let wake = (): void => undefined
  return {
    ring() {
      rung = true
      wake()
    },
    async rest(milliseconds, signal) {
      if (!rung) {
        const woken = new AbortController()
        wake = () => woken.abort()
        await clock.wait(milliseconds, AbortSignal.any([signal, woken.signal])).catch(() => undefined)
      }
      rung = false
    },
  }
}
