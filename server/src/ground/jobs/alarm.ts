import type { Clock } from '../../foundation/clock/index.ts'

/** A rest that a bell may end. A bell that rings before the rest begins is not forgotten: then there is none. */
export type Alarm = { ring(): void; rest(milliseconds: number, signal: AbortSignal): Promise<void> }

export function openAlarm(clock: Clock): Alarm {
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
