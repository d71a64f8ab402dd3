import { EgressFault } from './fault.ts'

// setTimeout turns a longer wait into one of a millisecond.
const longestWait = 2 ** 31 - 1

/**
 * Ends a call at its deadline or at its caller's signal, whichever comes first. A call's phases follow each other, so
 * there is one watcher at a time. A plain timer costs the hot path less than an AbortSignal with its listeners.
 */
export class Deadline {
  #ended: EgressFault | null = null
  #watcher: ((fault: EgressFault) => void) | null = null
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined

  constructor(milliseconds: number, signal: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#end(this.#late(milliseconds)), Math.min(milliseconds, longestWait))
    this.#signal = signal
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Calls the watcher once at the end, or at once if the end has already come. */
  watch(watcher: (fault: EgressFault) => void): void {
    if (this.#ended === null) this.#watcher = watcher
    else watcher(this.#ended)
  }

  unwatch(): void {
    this.#watcher = null
  }

  get ended(): EgressFault | null {
    return this.#ended
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#watcher = null
  }

  readonly #abort = (): void => this.#end(new EgressFault('aborted', 'The call was cancelled.'))

  #late(milliseconds: number): EgressFault {
    return new EgressFault('timeout', `There was no complete answer within ${milliseconds} ms.`)
  }

  #end(fault: EgressFault): void {
    if (this.#ended !== null) return
    this.#ended = fault
    const watcher = this.#watcher
    this.#watcher = null
    watcher?.(fault)
  }
}
