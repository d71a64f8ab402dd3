import { Fault } from './fault.ts'

// setTimeout takes a longer wait for one of one millisecond.
const longestWait = 2 ** 31 - 1

/**
 * The one end of a call: its deadline, or its caller's signal, whichever comes first. The phases of a call follow each other, so
 * there is one watcher at a time; a plain timer costs the hot path less than an AbortSignal with its listeners.
 */
export class Deadline {
  #ended: Fault | null = null
  #watcher: ((fault: Fault) => void) | null = null
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined

  constructor(milliseconds: number, signal: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#end(this.#late(milliseconds)), Math.min(milliseconds, longestWait))
    this.#signal = signal
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** The watcher hears of the end once; it is told at once when the end has come already. */
  watch(watcher: (fault: Fault) => void): void {
    if (this.#ended === null) this.#watcher = watcher
    else watcher(this.#ended)
  }

  unwatch(): void {
    this.#watcher = null
  }

  get ended(): Fault | null {
    return this.#ended
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#watcher = null
  }

  readonly #abort = (): void => this.#end(new Fault('aborted', 'The call was cancelled.'))

  #late(milliseconds: number): Fault {
    return new Fault('timeout', `There was no complete answer within ${milliseconds} ms.`)
  }

  #end(fault: Fault): void {
    if (this.#ended !== null) return
    this.#ended = fault
    const watcher = this.#watcher
    this.#watcher = null
    watcher?.(fault)
  }
}
