import { isTransactionConflict, isUnavailable } from '../../foundation/db/index.ts'
import type { House } from '../context/index.ts'
import { insertRecords, insertUsage } from './queries.ts'
import type { LedgerRow } from './rows.ts'
import { openSpill, type Spill } from './spill.ts'

const FLUSH_AFTER = 500
const BATCH = 500
// Between looks at a database that is away.
const AWAY_WAIT = 1_000

export type Ledger = {
  /** Never waits and never fails: the row is written in a moment, or from a file when the database is back. */
  add(row: LedgerRow): void
  /** Writes down everything: to the database, or to a file where it does not answer. */
  flush(): Promise<void>
  readonly figures: { readonly waiting: number; readonly spilled: number }
}

type Parts = Pick<House, 'db' | 'log' | 'metrics' | 'settings' | 'clock'>

type Held = Pick<Parts, 'db' | 'log' | 'clock'> & {
  readonly spill: Spill
  queue: LedgerRow[]
  spilled: number
  /** Something may wait in files; looked up once, and after every file of our own. */
  mayHaveFiles: boolean
}

/**
 * The ledger's queue. Rows are written together, twice a second; while the database is away they wait in memory up to a
 * number and in files beyond it. A batch that was written without our hearing of it is written again, and changes nothing.
 */
export function openLedger({ db, log, metrics, settings, clock }: Parts): Ledger {
  const { queueCapacity, spillDirectory } = settings.ai.usage
  const held: Held = { db, log, clock, spill: openSpill(spillDirectory), queue: [], spilled: 0, mayHaveFiles: true }
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  metrics.gauge('tether_usage_rows_waiting', 'Ledger rows that are not in the database yet', () => held.queue.length)
  metrics.gauge('tether_usage_rows_spilled', 'Ledger rows that went to files since the start', () => held.spilled)

  const wake = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      void work(false)
    }, ms).unref()
  }
  const work = (isLast: boolean): Promise<void> => {
    working = working.then(async () => {
      const answers = await drain(held)
      if (answers) await replay(held)
      await spillDownTo(held, isLast ? 0 : queueCapacity)
      if (!answers && !isLast) wake(AWAY_WAIT)
    })
    return working
  }
  // What an earlier process left in files is written back soon after the start.
  wake(FLUSH_AFTER)

  return {
    add(row) {
      held.queue.push(row)
      wake(FLUSH_AFTER)
    },
    async flush() {
      clearTimeout(timer)
      timer = undefined
      await work(true)
    },
    get figures() {
      return { waiting: held.queue.length, spilled: held.spilled }
    },
  }
}

/** False when the database does not answer. */
async function drain(held: Held): Promise<boolean> {
  while (held.queue.length > 0) {
    const batch = held.queue.slice(0, BATCH)
    const outcome = await write(held.db, batch)
    if (outcome === 'away') return false
    if (outcome !== 'written') {
      held.log.error(
        { error: outcome.error, rows: batch.length },
        'The database refuses ledger rows: they go to a file.',
      )
      if (!(await toFile(held, batch))) return true
    }
    held.queue = held.queue.slice(batch.length)
  }
  return true
}

async function toFile(held: Held, rows: readonly LedgerRow[]): Promise<boolean> {
  try {
    await held.spill.write(rows, held.clock.now())
    held.mayHaveFiles = true
    held.spilled += rows.length
    return true
  } catch (error) {
    held.log.error({ error, rows: rows.length }, 'Ledger rows could not be written to a file: they stay in memory.')
    return false
  }
}

async function spillDownTo(held: Held, most: number): Promise<void> {
  while (held.queue.length > most) {
    const batch = held.queue.slice(0, BATCH)
    if (!(await toFile(held, batch))) return
    held.queue = held.queue.slice(batch.length)
  }
}

/** Writes back what waits in files, the oldest first. */
async function replay(held: Held): Promise<void> {
  if (!held.mayHaveFiles) return
  const { db, spill, log } = held
  for (const file of await spill.waiting()) {
    const rows = await spill.read(file).catch(() => undefined)
    const outcome = rows === undefined ? { error: new Error('not readable') } : await write(db, rows)
    if (outcome === 'away') return
    if (outcome === 'written') await spill.done(file)
    else {
      log.error({ error: outcome.error, file }, 'A file of ledger rows is refused: it is kept as .refused.')
      await spill.putAside(file)
    }
  }
  held.mayHaveFiles = false
}

type Outcome = 'written' | 'away' | { readonly error: unknown }

async function write(db: House['db'], rows: readonly LedgerRow[]): Promise<Outcome> {
  const of = (kind: LedgerRow['kind']) => rows.filter((one) => one.kind === kind).map(({ row }) => row)
  const [usage, records] = [of('usage'), of('record')]
  try {
    if (usage.length > 0) await db.run(insertUsage, { rows: JSON.stringify(usage) })
    if (records.length > 0) await db.run(insertRecords, { rows: JSON.stringify(records) })
    return 'written'
  } catch (error) {
    return isUnavailable(error) || isTransactionConflict(error) ? 'away' : { error }
  }
}
