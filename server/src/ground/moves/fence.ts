// The marks by which a tenant stops being written where it is, and the waits for whoever did not see them.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Queries, sqlState, type Transaction } from '../../foundation/db/index.ts'
import { MoveStopped } from './faults.ts'
import * as sql from './queries.ts'

const LOOK_MS = 10
const LOCK_NOT_AVAILABLE = '55P03'

/** What a move writes, it writes without triggers: rows as they are, and marks over marks. */
export const silently = <Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await tx.rows(sql.silenceTriggers)
    return await work(tx)
  })

type Fenced = {
  readonly db: Database
  readonly tenantId: number
  readonly runner: string
  readonly signal: AbortSignal
}
type Mark = typeof sql.markClosing

async function set({ db, tenantId, runner }: Fenced, mark: Mark, mostMs: number): Promise<void> {
  const marked = await silently(db, async (tx) => {
    await tx.rows(sql.limitWait, { ms: mostMs })
    await tx.rows(sql.lockTenant, { tenantId })
    // Seen at once, and so before the mark: whoever writes looks for marks only while this says so.
    await tx.rows(sql.listenToMarks, { on: 1 })
    return await tx.run(mark, { tenantId, runner })
  }).catch((error: unknown) => {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new MoveStopped(`Somebody has held tenant ${tenantId} for more than ${mostMs / 1000} s. Try again later.`)
  })
  if (marked === 0)
    throw new MoveStopped(`Tenant ${tenantId} is no longer where it was, or no longer one that moves. Run this again.`)
}

/** From here on no write begins to execute. Resolves when none does. */
export async function close(fenced: Fenced, { mostMs }: { readonly mostMs: number }): Promise<void> {
  await set(fenced, sql.markClosing, mostMs)
  await awaitWriters(fenced, mostMs)
  const { db, tenantId, signal } = fenced
  await within(mostMs, signal, async (isLast) => {
    const executing = (await db.one(sql.countExecuting, { tenantId }))?.count ?? 0
    if (executing > 0 && isLast) {
      throw new MoveStopped(
        `${executing} writes of tenant ${tenantId} are still executing. Try again later, or wait longer (--wait).`,
      )
    }
    return executing === 0
  })
}

/** From here on nothing of the tenant is written, and nothing that was begun before is underway. */
export async function fence(fenced: Fenced, { mostMs }: { readonly mostMs: number }): Promise<void> {
  await set(fenced, sql.markLeaving, mostMs)
  await awaitWriters(fenced, mostMs)
  const executing = await fenced.db.one(sql.countExecuting, { tenantId: fenced.tenantId })
  if (executing?.count !== 0) throw new Error('A write executes that should not have begun.')
}

/** The tenant is where it was, as if nothing had been. Only the marks of that run are lifted. */
export async function unfence(db: Database, tenantId: number, runner: string): Promise<void> {
  await silently(db, (tx) => tx.run(sql.unmark, { tenantId, runner }))
}

/** Waits for every transaction that was underway when the mark was there to see. */
async function awaitWriters({ db, signal }: Fenced, mostMs: number): Promise<void> {
  const underway = new Set((await writers(db)).underway)
  await within(mostMs, signal, async (isLast) => {
    const left = (await writers(db)).underway.filter((one) => underway.has(one))
    if (left.length > 0 && isLast) {
      throw new MoveStopped(
        `A transaction of the server has been writing for more than ${mostMs / 1000} s (${left.join(', ')} in pg_stat_activity.backend_xid). ` +
          'Wait until it is over, and try again.',
      )
    }
    return left.length === 0
  })
}

async function writers(db: Queries) {
  const row = await db.one(sql.readWriters)
  if (row === undefined) throw new Error('The snapshot of a database should always be one row.')
  return row
}

async function within(
  mostMs: number,
  signal: AbortSignal,
  isOver: (isLast: boolean) => Promise<boolean>,
): Promise<void> {
  const start = performance.now()
  for (;;) {
    if (signal.aborted) throw new MoveStopped('The move was stopped.')
    if (await isOver(performance.now() - start > mostMs)) return
    await pause(LOOK_MS)
  }
}
