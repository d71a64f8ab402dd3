import type { Database } from '../database.ts'
import { statement } from '../statement.ts'

export type UpkeepOptions = {
  readonly database: Database
  /** Runs one command without the time limit for statements. */
  readonly command: (text: string) => Promise<void>
  /** How many callers wait for the one connection now. */
  readonly waiting: () => number
  readonly warn: (message: string, details: Record<string, unknown>) => void
  readonly everyMs?: number
  /** How much log may pile up before a checkpoint frees its files for reuse. */
  readonly logBytes?: number
}

export type Upkeep = {
  /** Finds out what needs doing, does it, and returns the names of what it did. */
  look(): Promise<string[]>
  /** Stops the timer and waits for work in progress. */
  stop(): Promise<void>
}

const usualEveryMs = 30_000
const usualLogBytes = 32 * 1024 * 1024
// A database that is never idle needs upkeep, too.
const mostPutOff = 10

// PostgreSQL flushes its counts of changed rows at most once a second, and we need them now.
const logSinceCheckpoint = statement<{ bytes: number }>(
  'db.log_since_checkpoint',
  `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::bigint as bytes, pg_stat_force_next_flush()
  from pg_control_checkpoint()`,
)

// These are the thresholds of PostgreSQL's own autovacuum.
const neglectedTables = statement<{ name: string; vacuum: boolean }>(
  'db.neglected_tables',
  `select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as vacuum
  from pg_stat_all_tables
  where schemaname not like 'pg\\_t%' and schemaname <> 'information_schema'
    and (n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup)`,
)

/**
 * Does the work of PostgreSQL's background processes, which the embedded engine lacks. Without checkpoints the log
 * would grow for ever, without vacuum the tables would, and without analyze the planner would have no statistics.
 */
export function startUpkeep({ database, command, waiting, warn, ...options }: UpkeepOptions): Upkeep {
  const { everyMs = usualEveryMs, logBytes = usualLogBytes } = options
  let putOff = 0
  let stopped = false
  let underWay: Promise<unknown> = Promise.resolve()

  const look = async (): Promise<string[]> => {
    const log = await database.one(logSinceCheckpoint)
    const neglected = await database.rows(neglectedTables)
    const commands = neglected.map(({ name, vacuum }) => (vacuum ? `vacuum (analyze) ${name}` : `analyze ${name}`))
    if ((log?.bytes ?? 0) > logBytes) commands.push('checkpoint')
    const done: string[] = []
    // One at a time, so that callers can have the connection in between.
    for (const text of commands) {
      if (stopped) break
      await command(text)
      done.push(text)
    }
    return done
  }
  const tick = (): void => {
    if (waiting() > 0 && ++putOff < mostPutOff) return
    putOff = 0
    underWay = underWay.then(look).catch((error: unknown) => {
      if (!stopped)
        warn('The upkeep of the embedded database failed. It will be tried again.', { reason: String(error) })
    })
  }
  const timer = setInterval(tick, everyMs).unref()
  const stop = async (): Promise<void> => {
    stopped = true
    clearInterval(timer)
    await underWay
  }
  return { look, stop }
}
