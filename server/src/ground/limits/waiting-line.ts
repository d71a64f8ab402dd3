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

export type WaitingLine = {
  takeAll(spends: readonly Spend[], signal?: AbortSignal): Promise<Verdict>
  /** Answers everyone who waits with the refusal that sent them here. */
  close(): void
}

export function waitingLine(take: Take, queueLimit: number): WaitingLine {
  const lines = new Map<string, Line>()
  let closed = false

  async function takeAll(spends: readonly Spend[], signal?: AbortSignal): Promise<Verdict> {
    const ahead = spends.map((spend) => lines.get(spend.bucket)).find((line) => line !== undefined)
    const verdict = ahead ? ahead.refusal : await take(spends)
    if (verdict.admitted) return verdict
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
    const waiter: Waiter = { spends, answer: resolve, fail: reject, line: undefined }
    const giveUp = () => {
      leave(waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    join(waiter, verdict)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  function join(waiter: Waiter, refusal: Verdict): void {
    const known = lines.get(refusal.bucket)
    // A ceiling of 0 has no permit to wait for.
    if (closed || refusal.limit === 0 || (known?.waiters.length ?? 0) >= queueLimit) {
      waiter.answer(refusal)
      return
    }
    const line: Line = known ?? { bucket: refusal.bucket, waiters: [], refusal, timer: undefined }
    line.waiters.push(waiter)
    waiter.line = line
    if (known) return
    lines.set(line.bucket, line)
    serveLater(line)
  }

  function leave(waiter: Waiter): void {
    const line = waiter.line
    if (!line) return
    waiter.line = undefined
    line.waiters.splice(line.waiters.indexOf(waiter), 1)
    if (line.waiters.length > 0 || !line.timer) return
    clearTimeout(line.timer)
    lines.delete(line.bucket)
  }

  function serveLater(line: Line): void {
    line.timer = setTimeout(
      () => {
        line.timer = undefined
        void serve(line)
      },
      Math.max(1, Math.ceil(line.refusal.waitMs)),
    )
  }

  /** Admits the heads of the line while there are permits. Never rejects: what a take throws goes to the one who waited for it. */
  async function serve(line: Line): Promise<void> {
    for (let head = line.waiters[0]; head; head = line.waiters[0]) {
      const verdict = await attempt(head)
      // It gave up meanwhile; the permit that it may have got is spent.
      if (!verdict || head.line !== line) continue
      if (!verdict.admitted && verdict.bucket === line.bucket) {
        line.refusal = verdict
        return serveLater(line)
      }
      detach(line)
      if (verdict.admitted) head.answer(verdict)
      else join(head, verdict)
    }
    lines.delete(line.bucket)
  }

  async function attempt(head: Waiter): Promise<Verdict | undefined> {
    try {
      return await take(head.spends)
    } catch (error) {
      leave(head)
      head.fail(error)
      return undefined
    }
  }

  function detach(line: Line): void {
    const head = line.waiters.shift()
    if (head) head.line = undefined
  }

  function close(): void {
    closed = true
    for (const line of lines.values()) {
      clearTimeout(line.timer)
      for (const waiter of line.waiters.splice(0)) {
        waiter.line = undefined
        waiter.answer(line.refusal)
      }
    }
    lines.clear()
  }

  return { takeAll, close }
}
