// `RateLimit:QueueLimit`: up to this many requests per bucket wait for a permit instead of being refused at once. A
// request waits in the line of the bucket that refused it, first come, first served, and nobody overtakes a line. It
// does not wait in the lines of its other buckets, because a waiting visitor must not hold up the key's other visitors.
// With several instances, the order holds within each of them.
import type { BucketLimit, MaybePromise, Verdict } from './verdict.ts'

type LineWaiter = {
  readonly limits: readonly BucketLimit[]
  readonly answer: (verdict: Verdict) => void
  readonly fail: (error: unknown) => void
  line: Line | undefined
}

type Line = {
  readonly bucket: string
  readonly waiters: LineWaiter[]
  refusal: Verdict
  timer: NodeJS.Timeout | undefined
}

type Take = (limits: readonly BucketLimit[]) => MaybePromise<Verdict>

export class WaitingLine {
  readonly #take: Take
  readonly #queueLimit: number
  readonly #lines = new Map<string, Line>()
  #closed = false

  constructor(take: Take, queueLimit: number) {
    this.#take = take
    this.#queueLimit = queueLimit
  }

  async takeAll(limits: readonly BucketLimit[], signal?: AbortSignal): Promise<Verdict> {
    const ahead = limits.map((bucketLimit) => this.#lines.get(bucketLimit.bucket)).find((line) => line !== undefined)
    const verdict = ahead ? ahead.refusal : await this.#take(limits)
    if (verdict.admitted) return verdict
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
    const waiter: LineWaiter = { limits, answer: resolve, fail: reject, line: undefined }
    const giveUp = () => {
      this.#leave(waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#join(waiter, verdict)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  /** Answers everyone who waits with the refusal that sent them into the line. */
  close(): void {
    this.#closed = true
    for (const line of this.#lines.values()) {
      clearTimeout(line.timer)
      for (const waiter of line.waiters.splice(0)) {
        waiter.line = undefined
        waiter.answer(line.refusal)
      }
    }
    this.#lines.clear()
  }

  #join(waiter: LineWaiter, refusal: Verdict): void {
    const known = this.#lines.get(refusal.bucket)
    // With a ceiling of 0 there is no permit to wait for.
    if (this.#closed || refusal.limit === 0 || (known?.waiters.length ?? 0) >= this.#queueLimit) {
      waiter.answer(refusal)
      return
    }
    const line: Line = known ?? { bucket: refusal.bucket, waiters: [], refusal, timer: undefined }
    line.waiters.push(waiter)
    waiter.line = line
    if (known) return
    this.#lines.set(line.bucket, line)
    this.#serveLater(line)
  }

  #leave(waiter: LineWaiter): void {
    const line = waiter.line
    if (!line) return
    waiter.line = undefined
    line.waiters.splice(line.waiters.indexOf(waiter), 1)
    // Whoever serves a line removes it.
    if (line.waiters.length > 0 || !line.timer) return
    clearTimeout(line.timer)
    this.#lines.delete(line.bucket)
  }

  #serveLater(line: Line): void {
    const serve = () => {
      line.timer = undefined
      void this.#serve(line)
    }
    line.timer = setTimeout(serve, Math.max(1, Math.ceil(line.refusal.waitMs)))
  }

  /**
   * Admits from the head of the line while there are permits. It never rejects: an error goes to the request that
   * waited.
   */
  async #serve(line: Line): Promise<void> {
    for (let head = line.waiters[0]; head; head = line.waiters[0]) {
      const verdict = await this.#attempt(head)
      // The request gave up meanwhile. If it got a permit, that one is spent.
      if (!verdict || head.line !== line) continue
      if (!verdict.admitted && verdict.bucket === line.bucket) {
        line.refusal = verdict
        this.#serveLater(line)
        return
      }
      line.waiters.shift()
      head.line = undefined
      if (verdict.admitted) head.answer(verdict)
      else this.#join(head, verdict)
    }
    this.#lines.delete(line.bucket)
  }

  async #attempt(head: LineWaiter): Promise<Verdict | undefined> {
    try {
      return await this.#take(head.limits)
    } catch (error) {
      this.#leave(head)
      head.fail(error)
      return undefined
    }
  }
}
