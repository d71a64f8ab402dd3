// What processes and a database have spent so far, as Linux and PostgreSQL count it.
import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../../server/src/kernel/db/index.ts'
import { unlisted } from '../../server/src/kernel/db/index.ts'

export type Spent = {
  /** Milliseconds of processor time of the service, all threads, and of all processes of the database. */
  readonly serviceMs: number
  readonly databaseMs: number
  /** Of its write-ahead log. */
  readonly walBytes: number
  readonly storedBytes: number
}

export const readBackend = unlisted<{ pid: number }>('bench.backend_pid', 'select pg_backend_pid() as pid')
const bytes = unlisted<{ wal: string; stored: string }>(
  'bench.bytes',
  `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as stored`,
)

/** Undefined where the database runs on another machine, or the system does not tell. */
export async function openSpending(db: Database, servicePid: number): Promise<(() => Promise<Spent>) | undefined> {
  const backend = (await db.one(readBackend))?.pid ?? 0
  const postmaster = parentOf(backend)
  if (postmaster === undefined) return undefined
  // A process that has ended keeps what it had spent when we last looked.
  const spentBy = new Map<number, number>()
  return async () => {
    const found = await db.one(bytes)
    for (const pid of childrenOf(postmaster)) spentBy.set(pid, timesOf(pid).ranMs)
    return {
      serviceMs: timesOf(servicePid).ranMs,
      databaseMs: [...spentBy.values()].reduce((sum, ms) => sum + ms, 0),
      walBytes: Number(found?.wal),
      storedBytes: Number(found?.stored),
    }
  }
}

const NOTHING: Spent = { serviceMs: 0, databaseMs: 0, walBytes: 0, storedBytes: 0 }
const NAMES = Object.keys(NOTHING) as (keyof Spent)[]

const each = (of: (name: keyof Spent) => number): Spent =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Spent

export const difference = (from: Spent, to: Spent): Spent => each((name) => to[name] - from[name])

export const sumOf = (all: readonly Spent[]): Spent => each((name) => all.reduce((sum, one) => sum + one[name], 0))

/** Of one process so far. NaN where Linux does not tell, or it is another machine's. */
export const processorMs = (pid: number): number =>
  textOf(`/proc/${pid}/schedstat`) === undefined ? Number.NaN : timesOf(pid).ranMs

/** All threads of a process together; nothing of one that has ended. */
export function timesOf(pid: number): { ranMs: number } {
  const threads = listed(`/proc/${pid}/task`)
  return { ranMs: threads.reduce((sum, thread) => sum + ranMsOfThread(pid, Number(thread)), 0) }
}

function ranMsOfThread(pid: number, thread: number): number {
  const [ran] = (textOf(`/proc/${pid}/task/${thread}/schedstat`) ?? '0').split(' ')
  return Number(ran) / 1e6
}

const childrenOf = (parent: number): number[] =>
  listed('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)

function parentOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
