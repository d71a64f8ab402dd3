import { isUnavailable } from '../../kernel/db/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { openTicker } from '../../tenancy/jobs/index.ts'
import { type LineOf, look, seen } from './queries.ts'

export type WaitingLines = {
  /**
   * Waits until something above that number is on the line, another listener has taken over, the line is gone, or the signal ends it.
   * Meanwhile the listener counts as present.
   */
  wait(line: LineOf, last: number, signal: AbortSignal): Promise<void>
  /** Something has come for a tenant in this very process. */
  wake(tenantId: number): void
  close(): Promise<void>
}

type Waiting = LineOf & { readonly last: number; readonly wake: () => void }

/** What has come at another instance is found this late. */
const LOOK_MS = 200
const SEEN_MS = 5_000
const AWAY_MS = 1_000
const COMPLAIN_EVERY_MS = 60_000

/** The listeners that wait on this instance for something to come: all of them are looked after in one statement. */
export function openWaitingLines({ db, log }: Pick<House, 'db' | 'log'>): WaitingLines {
  const all = new Set<Waiting>()
  const complain = seldom(log, COMPLAIN_EVERY_MS)
  let seenAt = 0

  async function lookAfter(): Promise<void> {
    const tenantIds = [...new Set([...all].map(({ tenantId }) => tenantId))]
    const lines = new Map((await db.rows(look, { tenantIds })).map((line) => [line.tenantId, line]))
    for (const one of [...all]) {
      const line = lines.get(one.tenantId)
      const isSame = line?.epoch === one.epoch && line.listener === one.listener
      if (!isSame || line.last > one.last) one.wake()
    }
    const now = performance.now()
    if (now - seenAt < SEEN_MS) return
    for (const { tenantId, epoch, listener } of [...all]) await db.run(seen, { tenantId, epoch, listener })
    seenAt = now
  }

  const ticker = openTicker(async () => {
    if (all.size === 0) return null
    try {
      await lookAfter()
      return LOOK_MS
    } catch (error) {
      if (!isUnavailable(error)) complain({ error }, 'Listeners are not looked after, and hear late of what comes.')
      return AWAY_MS
    }
  })

  return {
    async wait(line, last, signal) {
      if (signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      const waiting = { ...line, last, wake }
      all.add(waiting)
      signal.addEventListener('abort', wake, { once: true })
      ticker.wake(LOOK_MS)
      await promise
      all.delete(waiting)
      signal.removeEventListener('abort', wake)
    },
    wake(tenantId) {
      for (const one of [...all]) if (one.tenantId === tenantId) one.wake()
    },
    close: () => ticker.close(),
  }
}
