import { isTransactionConflict, isUnavailable } from '../../foundation/db/index.ts'
import type { House } from '../context/index.ts'
import { batchesOf } from '../jobs/index.ts'
import { insertRecords, insertUsage } from './queries.ts'
import type { LedgerRow } from './rows.ts'
import { openSpill, type Spill } from './spill.ts'

const FLUSH_AFTER = 500
const BATCH = 500
// The pause before another look at an unavailable database.
const AWAY_WAIT = 1_000

export type Ledger = {
  /** Never waits and never fails. The row is written in a moment, or from a file when the database is back. */
  add(row: LedgerRow): void
  /** Writes now what would be written in a moment. If the database does not answer, the rows wait. */
  write(): Promise<void>
  /** Writes everything to the database, or to a file if the database does not answer. */
  flush(): Promise<void>
  readonly figures: { readonly waiting: number; readonly spilled: number }
}

type LedgerHouse = Pick<House, 'db' | 'log' | 'metrics' | 'settings' | 'clock'>

type LedgerState = Pick<LedgerHouse, 'db' | 'log' | 'clock' | 'settings'> & {
  readonly spill: Spill
  queue: LedgerRow[]
  spilled: number
  /** True if rows may wait in files, which we look up at the start and after each file that we write. */
  mayHaveFiles: boolean
}

/**
 * The ledger's queue. Rows are written together, twice a second. While the database is unavailable they wait in memory,
 * and beyond a limit in files. If a batch was written but we did not hear of it, we write it again, which changes
 * nothing.
 */
export function openLedger({ db, log, metrics, settings, clock }: LedgerHouse): Ledger {
  const { queueCapacity, spillDirectory } = settings.ai.usage
  const state: LedgerState = {
    db,
    log,
    clock,
    settings,
    spill: openSpill(spillDirectory),
    queue: [],
    spilled: 0,
    mayHaveFiles: true,
  }
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  metrics.gauge('tether_usage_rows_waiting', 'Ledger rows that are not in the database yet', () => state.queue.length)
  metrics.gauge('tether_usage_rows_spilled', 'Ledger rows that went to files since the start', () => state.spilled)

  const wake = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      void work(false)
    }, ms).unref()
  }
  const work = (isLast: boolean): Promise<void> => {
    working = working.then(async () => {
      const answers = await drain(state)
      if (answers) await writeBackFiles(state)
      await spillDownTo(state, isLast ? 0 : queueCapacity)
      if (!answers && !isLast) wake(AWAY_WAIT)
    })
    return working
  }
  // Soon after the start we write back what an earlier process left in files.
  wake(FLUSH_AFTER)

  return {
    add(row) {
      state.queue.push(row)
      wake(FLUSH_AFTER)
    },
    write: () => work(false),
    async flush() {
      clearTimeout(timer)
      timer = undefined
      await work(true)
    },
    get figures() {
      return { waiting: state.queue.length, spilled: state.spilled }
    },
  }
}

/** Returns false if the database does not answer. */
async function drain(state: LedgerState): Promise<boolean> {
  while (state.queue.length > 0) {
    const batch = state.queue.slice(0, BATCH)
    const outcome = await writeRows(state, batch)
    if (outcome === 'away') return false
    if (outcome !== 'written') {
      state.log.error(
        { error: outcome.error, rows: batch.length },
        'The database refuses ledger rows. They go to a file.',
      )
      if (!(await toFile(state, batch))) return true
    }
    state.queue = state.queue.slice(batch.length)
  }
  return true
}

async function toFile(state: LedgerState, rows: readonly LedgerRow[]): Promise<boolean> {
  try {
    await state.spill.write(rows, state.clock.now())
    state.mayHaveFiles = true
    state.spilled += rows.length
    return true
  } catch (error) {
    state.log.error({ error, rows: rows.length }, 'Ledger rows could not be written to a file. They stay in memory.')
    return false
  }
}

async function spillDownTo(state: LedgerState, most: number): Promise<void> {
  while (state.queue.length > most) {
    const batch = state.queue.slice(0, BATCH)
    if (!(await toFile(state, batch))) return
    state.queue = state.queue.slice(batch.length)
  }
}

/** Writes back the rows in files, the oldest first. */
async function writeBackFiles(state: LedgerState): Promise<void> {
  if (!state.mayHaveFiles) return
  const { spill, log } = state
  for (const file of await spill.waiting()) {
    const rows = await spill.read(file).catch(() => undefined)
    const outcome = rows === undefined ? { error: new Error('not readable') } : await writeRows(state, rows)
    if (outcome === 'away') return
    if (outcome === 'written') await spill.done(file)
    else {
      log.error(
        { error: outcome.error, file },
        'The database refuses a file of ledger rows. It is kept with the ending .refused, for a person to look at.',
      )
      await spill.putAside(file)
    }
  }
  state.mayHaveFiles = false
}

type LedgerWriteResult = 'written' | 'away' | { readonly error: unknown }

async function writeRows(
  { db, settings }: Pick<LedgerState, 'db' | 'settings'>,
  all: readonly LedgerRow[],
): Promise<LedgerWriteResult> {
  const of = (kind: LedgerRow['kind']) =>
    batchesOf(
      all.filter((one) => one.kind === kind).map(({ row }) => row),
      settings,
    )
  try {
    for (const { tenantIds, rows } of of('usage')) await db.run(insertUsage, { tenantIds, rows: JSON.stringify(rows) })
    for (const { tenantIds, rows } of of('record'))
      await db.run(insertRecords, { tenantIds, rows: JSON.stringify(rows) })
    return 'written'
  } catch (error) {
    return isUnavailable(error) || isTransactionConflict(error) ? 'away' : { error }
  }
}
