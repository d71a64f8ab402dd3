import type { Clock } from '../../kernel/clock/index.ts'

/** A rest that a bell may end. If the bell rings before the rest begins, there is no rest. */
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
