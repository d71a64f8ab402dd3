// How long a model may take: as a whole, and without sending anything. The second runs only while we wait for it: a reader
// that takes its time is not the provider's fault.
import { ModelFailure } from './port.ts'

export type Limits = {
  /** Of one round, from asking to the last byte. */
  readonly totalMs: number
  /** The longest silence while we wait. */
  readonly silenceMs: number
}

export type Watch = {
  /** Aborts when the caller gave up, or when the model is late: what the connection is opened under. */
  readonly signal: AbortSignal
  /** Waits for the next thing that the model does. */
  during<Value>(next: PromiseLike<Value>): Promise<Value>
  /** From here on no more than this is waited. */
  within(milliseconds: number): void
  /** What to throw in place of what the aborted connection threw; undefined when nothing was aborted. */
  reason(): unknown
  /** Frees the timers, and the connection if it is still open. */
  close(): void
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`

export function openWatch(caller: AbortSignal, { totalMs, silenceMs }: Limits): Watch {
  caller.throwIfAborted()
  const controller = new AbortController()
  let waiting = false
  let reason: { readonly thrown: unknown } | undefined
  const abort = (thrown: unknown): void => {
    reason ??= { thrown }
    controller.abort(thrown)
  }
  const late = (words: string) => () => abort(new ModelFailure('late', words))
  const onCaller = (): void => abort(caller.reason)
  caller.addEventListener('abort', onCaller, { once: true })
  const total = setTimeout(late(`The model was not done within ${seconds(totalMs)}.`), totalMs)
  const silence = setTimeout(() => {
    if (waiting) late(`The model sent nothing for ${seconds(silenceMs)}.`)()
  }, silenceMs)
  let rest: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    async during(next) {
      waiting = true
      silence.refresh()
      try {
        return await next
      } finally {
        waiting = false
      }
    },
    within(milliseconds) {
      rest ??= setTimeout(late(`The model did not close its answer within ${seconds(milliseconds)}.`), milliseconds)
    },
    reason: () => reason?.thrown,
    close() {
      caller.removeEventListener('abort', onCaller)
      for (const timer of [total, silence, rest]) clearTimeout(timer)
    },
  }
}
