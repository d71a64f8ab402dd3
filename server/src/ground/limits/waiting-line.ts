// `RateLimit:QueueLimit`: up to so many requests per bucket wait for their permit instead of being refused at once.
// A request stands in the line of the bucket that refused it, first come, first served, and nobody overtakes a line. It
// does not stand in the lines of its other buckets: a visitor who waits must not hold up the other visitors of the key.
// With several instances the order holds within each instance.
import type { MaybePromise, Spend, Verdict } from './verdict.ts'

type Waiter = {
  readonly spends: readonly Spend[]
  readonly answer: (verdict: Verdict) => void
  readonly fail: (error: unknown) => void
  line: Line | undefined
}

type Line = { readonly bucket: string; readonly waiters: Waiter[]; refusal: Verdict; timer: NodeJS.Timeout | undefined }

type Take = (spends: readonly Spend[]) => MaybePromise<Verdict>

export class WaitingLine {
  readonly #take: Take
  readonly #queueLimit: number
  readonly #lines = new Map<string, Line>()
  #closed = false

  constructor(take: Take, queueLimit: number) {
    this.#take = take
    this.#queueLimit = queueLimit
  }

  async takeAll(spends: readonly Spend[], signal?: AbortSignal): Promise<Verdict> {
    const ahead = spends.map((spend) => this.#lines.get(spend.bucket)).find((line) => line !== undefined)
    const verdict = ahead ? ahead.refusal : await this.#take(spends)
    if (verdict.admitted) return verdict
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
    const waiter: Waiter = { spends, answer: resolve, fail: reject, line: undefined }
    const giveUp = () => {
      this.#leave(waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#join(waiter, verdict)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  /** Answers everyone who waits with the refusal that sent them here. */
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

  #join(waiter: Waiter, refusal: Verdict): void {
    const known = this.#lines.get(refusal.bucket)
    // A ceiling of 0 has no permit to wait for.
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

  #leave(waiter: Waiter): void {
    const line = waiter.line
    if (!line) return
    waiter.line = undefined
    line.waiters.splice(line.waiters.indexOf(waiter), 1)
    // A line that is being served is taken down by who serves it.
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

  /** Admits the heads of the line while there are permits. Never rejects: what a take throws goes to the one who waited for it. */
  async #serve(line: Line): Promise<void> {
    for (let head = line.waiters[0]; head; head = line.waiters[0]) {
      const verdict = await this.#attempt(head)
      // It gave up meanwhile; the permit that it may have got is spent.
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

  async #attempt(head: Waiter): Promise<Verdict | undefined> {
    try {
      return await this.#take(head.spends)
    } catch (error) {
      this.#leave(head)
      head.fail(error)
      return undefined
    }
  }
}
