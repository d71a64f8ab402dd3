// Limits how long a model may take in total, and how long it may stay silent. The second clock runs only while we wait
// for the model, because a slow reader is not the provider's fault.
import { ModelFailure } from './port.ts'

export type Limits = {
  /** The longest time for one round, from the request to the last byte. */
  readonly totalMs: number
  /** The longest silence while we wait. */
  readonly silenceMs: number
}

export type Watch = {
  /** Aborts when the caller gives up or the model is late. Open the connection under it. */
  readonly signal: AbortSignal
  /** Waits for the model's next step. */
  during<Value>(next: PromiseLike<Value>): Promise<Value>
  /** Limits the remaining time. */
  within(milliseconds: number): void
  /** The error to throw instead of the aborted connection's own; undefined if nothing was aborted. */
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
  const total = setTimeout(late(`The model did not finish within ${seconds(totalMs)}.`), totalMs)
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
      rest ??= setTimeout(late(`The model did not end its answer within ${seconds(milliseconds)}.`), milliseconds)
    },
    reason: () => reason?.thrown,
    close() {
      caller.removeEventListener('abort', onCaller)
      for (const timer of [total, silence, rest]) clearTimeout(timer)
    },
  }
}
