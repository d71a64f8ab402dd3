import type { Dispatcher } from 'undici'
import { type Coding, codingOf, tooLarge } from './coding.ts'
import type { Deadline } from './deadline.ts'
import { answerFault, connectFault, EgressFault } from './fault.ts'
import { Gather } from './gather.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

type OutgoingRequest = {
  readonly path: string
  readonly method: string
  /** Names and values alternate. */
  readonly headers: string[]
  readonly body: Buffer | null
}

type ReadLimits = {
  readonly maxBytes: number
  readonly compressed: boolean
  /** Returns what fits instead of failing. */
  readonly cut: boolean
  readonly watch?: Watch
}

/** Hears of an answer while it comes. What became of the call is still said by its result alone. */
export type Watch = {
  head(status: number, headers: AnswerHeaders): void
  /** The bytes are the socket's own: whoever keeps them copies them. */
  chunk(bytes: Buffer): void
}

/** An answer as it came. Its body is still compressed as `coding` says. */
export type RawAnswer = {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly coding: Coding
  readonly packed: Buffer
  readonly isCut: boolean
}

const mostInterim = 16

/**
 * Sends one request over one connection and reads its answer within the limits. Rejects with an `EgressFault` that
 * knows whether bytes were sent.
 */
export function exchange(
  client: Dispatcher,
  message: OutgoingRequest,
  limits: ReadLimits,
  deadline: Deadline,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const reading = new AnswerReader(message.method, limits, deadline, resolve, reject)
    deadline.watch((fault) => reading.cut(fault))
    client.dispatch(message, reading)
  })
}

/** Reads one answer. undici calls it as the bytes come in. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #method: string
  readonly #limits: ReadLimits
  readonly #deadline: Deadline
  readonly #resolve: (answer: RawAnswer) => void
  readonly #reject: (fault: EgressFault) => void
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
    reject: (fault: EgressFault) => void,
  ) {
    this.#method = method
    this.#limits = limits
    this.#deadline = deadline
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Ends the call now, whatever state the connection is in. A request that is not yet written never will be. */
  cut(fault: EgressFault): void {
    if (this.#settled) return
    this.#settled = true
    this.#deadline.unwatch()
    fault.sent = this.#controller !== null
    fault.status = this.#status
    this.#reject(fault)
    this.#controller?.abort(fault)
  }

  // undici writes the head right after this, so from here on the peer may have part of the request. (If we abort here,
  // it is never written.)
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new EgressFault('aborted', 'The call has ended.'))
    else this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > mostInterim)
        this.cut(new EgressFault('invalid_answer', 'The server sent many 1xx heads but no answer.'))
      return
    }
    this.#status = status
    this.#headers = headers
    this.#coding = codingOf(headers['content-encoding'], this.#limits.compressed)
    // The announced length spares us reading a body that we would throw away. A HEAD answer announces one but has none.
    const announced = Number(headers['content-length'] ?? 0)
    const { maxBytes, cut } = this.#limits
    if (this.#method !== 'HEAD' && status !== 304 && announced > maxBytes && !cut) this.cut(tooLarge(maxBytes))
    else this.#limits.watch?.head(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    if (this.#coding === 'unknown') this.cut(unaskedCodingFault())
    else this.#take(chunk)
  }

  #take(chunk: Buffer): void {
    const { maxBytes, cut } = this.#limits
    const room = maxBytes - this.#body.length
    if (chunk.length <= room) {
      this.#body.add(chunk)
      this.#limits.watch?.chunk(chunk)
    } else if (cut) {
      this.#body.add(chunk.subarray(0, room))
      this.#end(true)
      this.#controller?.abort(new EgressFault('aborted', 'The rest of the answer is not wanted.'))
    } else this.cut(tooLarge(maxBytes))
  }

  onResponseEnd(): void {
    if (!this.#settled) this.#end(false)
  }

  #end(isCut: boolean): void {
    if (this.#status === null) return
    this.#settled = true
    this.#deadline.unwatch()
    const packed = this.#body.take()
    this.#resolve({ status: this.#status, headers: this.#headers, coding: this.#coding, packed, isCut })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.cut(this.#controller === null ? connectFault(error) : answerFault(error, this.#status))
  }
}

const unaskedCodingFault = (): EgressFault =>
  new EgressFault('invalid_answer', 'The answer is compressed in a way that we did not ask for (see Accept-Encoding).')
