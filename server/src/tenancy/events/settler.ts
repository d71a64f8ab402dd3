import type { House } from '../context/index.ts'
import { type Batch, batchesOf } from '../jobs/index.ts'
import { type Settlement, settle } from './queue-queries.ts'
import { shiftOf } from './shift.ts'

const MOST_AT_ONCE = 500
const RETRY_MS = 500
/** Of a tenant that somebody holds for longer, what happened is forgotten with it, or is sent again when the lease ends. */
const TRIES_OF_HELD = 3

/**
 * Collects the results that arrive while the last batch is being written, so that under load many events share one
 * write.
 */
export type Settler = {
  add(settlement: Settlement, done: () => void): void
  /** Resolves when everything added is written, or left to the end of its lease. */
  drain(): Promise<void>
}

type Waiting = {
  readonly tenantId: number
  readonly settlement: Settlement
  readonly done: () => void
  readonly since: number
}
type Options = { readonly claim: string; readonly leaseMs: number; readonly onSettled: (count: number) => void }

export function openSettler(house: Pick<House, 'db' | 'clock' | 'log' | 'settings'>, options: Options): Settler {
  const { db, clock, log, settings } = house
  const { claim, leaseMs, onSettled } = options
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  const write = async ({ tenantIds, rows }: Batch<Waiting>): Promise<void> => {
    const text = JSON.stringify(rows.map(({ settlement }) => settlement))
    for (let tries = 1; ; tries++) {
      try {
        const said = await db.one(settle, { shiftSeconds: shiftOf(clock), claim, tenantIds, settlements: text })
        if ((said?.held ?? 0) === 0 || tries >= TRIES_OF_HELD) return
      } catch (error) {
        // We retry until the lease ends, but the log does not need every retry.
        if (tries === 1)
          log.warn(
            { error, events: rows.length },
            'The results of some events could not be stored. It will be tried again.',
          )
        // After its lease, somebody else has the event. It may be delivered twice, but nothing is lost.
        const oldest = rows[0]?.since ?? 0
        if (performance.now() - oldest > leaseMs) return
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  const writeAll = async (): Promise<void> => {
    // One turn of the event loop collects the results that have already arrived.
    await new Promise((turned) => setImmediate(turned))
    while (waiting.length > 0) {
      const together = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      for (const batch of batchesOf(together, settings)) {
        await write(batch)
        for (const { done } of batch.rows) done()
        onSettled(batch.rows.length)
      }
    }
  }

  return {
    add(settlement, done) {
      waiting.push({ tenantId: settlement.tenantId, settlement, done, since: performance.now() })
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
    },
    async drain() {
      while (writing !== undefined) await writing
    },
  }
}
