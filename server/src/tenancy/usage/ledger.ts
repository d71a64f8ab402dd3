import { isTimeLimit, isTransactionConflict, isUnavailable } from '../../kernel/db/index.ts'
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
      if ((!answers || state.queue.length > 0 || state.mayHaveFiles) && !isLast) wake(AWAY_WAIT)
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

/** Returns false if the database does not answer. Rows of locked tenants stay in the queue. */
async function drain(state: LedgerState): Promise<boolean> {
  const waiting: LedgerRow[] = []
  const answers = await drainInto(state, waiting)
  state.queue = [...waiting, ...state.queue]
  return answers
}

async function drainInto(state: LedgerState, waiting: LedgerRow[]): Promise<boolean> {
  while (state.queue.length > 0) {
    const batch = state.queue.slice(0, BATCH)
    const outcome = await writeRows(state, batch)
    if (outcome === 'away') return false
    if ('waiting' in outcome) waiting.push(...outcome.waiting)
    else {
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
  let someWait = false
  for (const file of await spill.waiting()) {
    const rows = await spill.read(file).catch(() => undefined)
    const outcome = rows === undefined ? { error: new Error('not readable') } : await writeRows(state, rows)
    if (outcome === 'away') return
    if ('waiting' in outcome) {
      // A file with rows that wait is written again as a whole.
      if (outcome.waiting.length === 0) await spill.done(file)
      else someWait = true
    } else {
      log.error(
        { error: outcome.error, file },
        'The database refuses a file of ledger rows. It is kept with the ending .refused, for a person to look at.',
      )
      await spill.putAside(file)
    }
  }
  state.mayHaveFiles = someWait
}

type LedgerWriteResult = { readonly waiting: readonly LedgerRow[] } | 'away' | { readonly error: unknown }

/** Writes rows, except those of a locked tenant, which wait until its deletion has ended. */
async function writeRows(
  house: Pick<LedgerState, 'db' | 'settings'>,
  all: readonly LedgerRow[],
): Promise<LedgerWriteResult> {
  try {
    const waiting = [
      ...(await writeKind(house, ofKind(all, 'usage'), insertUsage)),
      ...(await writeKind(house, ofKind(all, 'record'), insertRecords)),
    ]
    return { waiting }
  } catch (error) {
    // One that was cut off at its time limit says nothing against its rows.
    return isUnavailable(error) || isTransactionConflict(error) || isTimeLimit(error) ? 'away' : { error }
  }
}

const ofKind = (all: readonly LedgerRow[], wanted: LedgerRow['kind']) => all.filter(({ kind }) => kind === wanted)

/** Returns the rows that were not written because their tenant is locked. */
async function writeKind(
  { db, settings }: Pick<LedgerState, 'db' | 'settings'>,
  all: readonly LedgerRow[],
  insert: typeof insertUsage,
): Promise<LedgerRow[]> {
  const locked = new Set<number>()
  const own = all.map(({ row }) => row)
  for (const { tenantIds, rows } of batchesOf<LedgerRow['row']>(own, settings)) {
    const found = await db.rows(insert, { tenantIds, rows: JSON.stringify(rows) })
    for (const { tenantId } of found) locked.add(tenantId)
  }
  return all.filter(({ row }) => locked.has(row.tenantId))
}
