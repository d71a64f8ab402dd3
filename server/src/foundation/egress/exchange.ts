import type { Dispatcher } from 'undici'
import { type Coding, codingOf, tooLarge } from './coding.ts'
import type { Deadline } from './deadline.ts'
import { answerFault, connectFault, Fault } from './fault.ts'
import { Gather } from './gather.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

export type Message = {
  readonly path: string
  readonly method: string
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: Buffer | null
}

export type ReadLimits = { readonly maxBytes: number; readonly compressed: boolean }

/** An answer as it came: its body is still packed as `coding` says. */
export type RawAnswer = {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly coding: Coding
  readonly packed: Buffer
}

const mostInterim = 16

/** Sends one request through a client of one connection and reads its answer within the limits. Rejects with a `Fault` that knows what was sent. */
export function exchange(
  client: Dispatcher,
  message: Message,
  limits: ReadLimits,
  deadline: Deadline,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const reading = new Reading(message.method, limits, deadline, resolve, reject)
    deadline.watch((fault) => reading.cut(fault))
    client.dispatch(message, reading)
  })
}

/** The reading of one answer: undici calls it as the bytes come in. */
class Reading implements Dispatcher.DispatchHandler {
  readonly #method: string
  readonly #limits: ReadLimits
  readonly #deadline: Deadline
  readonly #resolve: (answer: RawAnswer) => void
  readonly #reject: (fault: Fault) => void
  readonly #body = new Gather()
  #controller: Dispatcher.DispatchController | null = null
  #settled = false
  #interim = 0
  #status: number | null = null
  #headers: AnswerHeaders = {}
  #coding: Coding = 'identity'

  constructor(
    method: string,
    limits: ReadLimits,
    deadline: Deadline,
    resolve: (answer: RawAnswer) => void,
    reject: (fault: Fault) => void,
  ) {
    this.#method = method
    this.#limits = limits
    this.#deadline = deadline
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Ends the call now, whatever state the connection is in. Before the request was written, nothing of it ever will be. */
  cut(fault: Fault): void {
    if (this.#settled) return
    this.#settled = true
    this.#deadline.unwatch()
    fault.sent = this.#controller !== null
    fault.status = this.#status
    this.#reject(fault)
    this.#controller?.abort(fault)
  }

  // undici writes the head right after this, so from here on the peer may have something of the request. (An abort in here keeps
  // it from being written at all.)
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Fault('aborted', 'The call has ended.'))
    else this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > mostInterim)
        this.cut(new Fault('invalid_answer', 'The answer never came after many 1xx heads.'))
      return
    }
    this.#status = status
    this.#headers = headers
    this.#coding = codingOf(headers['content-encoding'], this.#limits.compressed)
    // The announced length saves reading what will be thrown away. To HEAD it is only told, not sent.
    const announced = Number(headers['content-length'] ?? 0)
    if (this.#method !== 'HEAD' && status !== 304 && announced > this.#limits.maxBytes)
      this.cut(tooLarge(this.#limits.maxBytes))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    if (this.#coding === 'unknown') this.cut(unasked())
    else if (this.#body.length + chunk.length > this.#limits.maxBytes) this.cut(tooLarge(this.#limits.maxBytes))
    else this.#body.add(chunk)
  }

  onResponseEnd(): void {
    if (this.#settled || this.#status === null) return
    this.#settled = true
    this.#deadline.unwatch()
    this.#resolve({ status: this.#status, headers: this.#headers, coding: this.#coding, packed: this.#body.take() })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.cut(this.#controller === null ? connectFault(error) : answerFault(error, this.#status))
  }
}

const unasked = (): Fault =>
  new Fault('invalid_answer', 'The answer is compressed in a way that was not asked for (see Accept-Encoding).')
