import type { House } from '../../ground/context/index.ts'
import { type Settlement, settle } from './queue-queries.ts'
import { shiftOf } from './shift.ts'

const MOST_AT_ONCE = 500
const RETRY_MS = 500

/** Gathers what came back while the last batch was written: under load many events share one write. */
export type Settler = {
  add(settlement: Settlement, done: () => void): void
  /** Until all that was added is written, or given up to its lease. */
  drain(): Promise<void>
}

type Waiting = { readonly settlement: Settlement; readonly done: () => void; readonly since: number }
type Options = { readonly claim: string; readonly leaseMs: number; readonly onSettled: (count: number) => void }

export function openSettler({ db, clock, log }: Pick<House, 'db' | 'clock' | 'log'>, options: Options): Settler {
  const { claim, leaseMs, onSettled } = options
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    const text = JSON.stringify(batch.map(({ settlement }) => settlement))
    for (let tries = 1; ; tries++) {
      try {
        await db.one(settle, { shiftSeconds: shiftOf(clock), claim, settlements: text })
        return
      } catch (error) {
        // Asked again every moment until the lease ends; the log need not hear of each.
        if (tries === 1)
          log.warn(
            { error, events: batch.length },
            'What became of some events could not be written down; it is tried again.',
          )
        // Past its lease somebody else has it: what was delivered is delivered again, and nothing is lost.
        const oldest = batch[0]?.since ?? 0
        if (performance.now() - oldest > leaseMs) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  const writeAll = async (): Promise<void> => {
    // A turn of the loop brings together what has come back already.
    await new Promise((turned) => setImmediate(turned))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      await write(batch)
      for (const { done } of batch) done()
      onSettled(batch.length)
    }
  }

  return {
    add(settlement, done) {
      waiting.push({ settlement, done, since: performance.now() })
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
    },
    async drain() {
      while (writing !== undefined) await writing
    },
  }
}
