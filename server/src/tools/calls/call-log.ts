import type { House } from '../../tenancy/context/index.ts'
import { batchesOf } from '../../tenancy/jobs/index.ts'
import { type CallRow, insertCalls } from './queries.ts'

const FLUSH_AFTER = 1_000
const BATCH = 500
const MOST_WAITING = 20_000

export type CallLog = {
  add(row: CallRow): void
  flush(): Promise<void>
}

/** Gathers rows of telemetry and writes them together: a call never waits for its own record. */
export function openCallLog(house: Pick<House, 'db' | 'log' | 'metrics' | 'settings'>): CallLog {
  const { db, log, metrics, settings } = house
  let waiting: CallRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let dropped = 0
  metrics.gauge('tether_call_rows_dropped', 'Telemetry rows that the database could not take', () => dropped)

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      for (const { tenantIds, rows } of batchesOf(batch, settings)) {
        try {
          await db.run(insertCalls, { tenantIds, rows: JSON.stringify(rows) })
        } catch (error) {
          dropped += rows.length
          log.warn({ error, rows: rows.length }, 'Telemetry of some calls was not written.')
        }
      }
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    await writing
  }

  return {
    add(row) {
      // While the database is away, telemetry must not fill the memory.
      if (waiting.length >= MOST_WAITING) dropped++
      else waiting.push(row)
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER).unref()
    },
    flush,
  }
}
