import { isTimeLimit, isTransactionConflict, isUnavailable, type Queries } from '../../foundation/db/index.ts'
import type { House, OtherDatabases } from '../context/index.ts'
import { batchesOf } from '../jobs/index.ts'
import { type Fate, insertRecords, insertUsage } from './queries.ts'
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

type LedgerHouse = Pick<House, 'db' | 'log' | 'metrics' | 'settings' | 'clock' | 'others'>

type LedgerState = Pick<LedgerHouse, 'log' | 'clock' | 'settings'> & {
  readonly spill: Spill
  /** This database, and then those to which a tenant may have moved. */
  readonly databases: readonly [Queries, ...Queries[]]
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
export function openLedger({ db, log, metrics, settings, clock, others }: LedgerHouse): Ledger {
  const { queueCapacity, spillDirectory } = settings.ai.usage
  const state: LedgerState = {
    log,
    clock,
    settings,
    databases: [db, ...databasesOf(others)],
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

/** Returns false if the database does not answer. Rows of tenants that are moving stay in the queue. */
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

const databasesOf = (others?: OtherDatabases): readonly Queries[] =>
  others === undefined ? [] : [...(others.first === null ? [] : [others.first]), ...others.rest]

/**
 * Writes rows where their tenants are. Those of one that is being moved wait. Where it has moved, each further database is given them, and
 * the one that has the tenant takes them.
 */
async function writeRows(
  { databases, settings }: Pick<LedgerState, 'databases' | 'settings'>,
  all: readonly LedgerRow[],
): Promise<LedgerWriteResult> {
  let waiting = all
  try {
    for (const [at, db] of databases.entries()) {
      // Of a tenant that is not even known here nothing can be written; elsewhere that says nothing.
      const unknown = at === 0 ? 'gone' : 'waits'
      const asked = waiting
      const left = async () => [
        ...(await writeTo(db, settings, ofKind(asked, 'usage'), { insert: insertUsage, unknown })),
        ...(await writeTo(db, settings, ofKind(asked, 'record'), { insert: insertRecords, unknown })),
      ]
      // Where one of the others is away, what it may have to take waits, and holds up no other row.
      waiting = await left().catch((error: unknown) => {
        if (at > 0 && isUnavailable(error)) return asked
        throw error
      })
      if (waiting.length === 0) break
    }
    return { waiting }
  } catch (error) {
    // One that was cut off at its time limit says nothing against its rows.
    return isUnavailable(error) || isTransactionConflict(error) || isTimeLimit(error) ? 'away' : { error }
  }
}

const ofKind = (all: readonly LedgerRow[], wanted: LedgerRow['kind']) => all.filter(({ kind }) => kind === wanted)

type Writing = { readonly insert: typeof insertUsage; readonly unknown: Fate['fate'] }

/** Returns the rows that wait. A tenant may come or go between two statements, so each says what became of its own rows. */
async function writeTo(
  db: Queries,
  settings: LedgerState['settings'],
  all: readonly LedgerRow[],
  { insert, unknown }: Writing,
): Promise<LedgerRow[]> {
  const fates = new Map<number, Fate['fate']>()
  const own = all.map(({ row }) => row)
  for (const { tenantIds, rows } of batchesOf<LedgerRow['row']>(own, settings)) {
    const found = await db.rows(insert, { tenantIds, rows: JSON.stringify(rows) })
    for (const { tenantId, fate } of found) fates.set(tenantId, fate)
  }
  return all.filter(({ row }) => (fates.get(row.tenantId) ?? unknown) === 'waits')
}
