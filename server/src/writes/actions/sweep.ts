import type { House } from '../../tenancy/context/index.ts'
import { type Duty, forgetOld, type RowSweep, sweepRows } from '../../tenancy/jobs/index.ts'
import * as sql from './sweep-queries.ts'

const BATCH = 200
const LOOK_FOR_LAPSED_MS = 5_000

type Needs = Pick<House, 'db' | 'log' | 'settings'>
type SweepAll = (house: Needs, signal?: AbortSignal) => Promise<number>

/** In batches, so that a sweep holds few locks, and none for long. */
const inBatches =
  (of: (db: House['db']) => Omit<RowSweep, 'batch'>): SweepAll =>
  (house, signal) =>
    sweepRows(house, { ...of(house.db), batch: BATCH }, signal)

/** Expires everything that is past its window. */
export const expireAll = inBatches((db) => ({
  name: 'actions.expire',
  look: (what) => db.rows(sql.listDue, what),
  takeRows: (tx, these) => tx.rows(sql.expireDue, { ...these, source: 'sweep' }),
}))

/** What a dead process left executing becomes indeterminate. It is never pending again, because it may have been sent. */
const lapsed = inBatches((db) => ({
  name: 'actions.recover',
  look: (what) => db.rows(sql.listLapsed, what),
  takeRows: (tx, these) => tx.rows(sql.recoverLapsed, these),
}))

const NOT_READ_BACK = 'The process that ran this write ended before it read the effect back.'
const unread = inBatches((db) => ({
  name: 'actions.give_up_verifying',
  look: (what) => db.rows(sql.listUnread, what),
  takeRows: (tx, these) => tx.rows(sql.giveUpVerifying, { ...these, reason: NOT_READ_BACK }),
}))

/** Settles what dead processes left behind. */
export const recoverAll: SweepAll = async (house, signal) =>
  (await lapsed(house, signal)) + (await unread(house, signal))

/** Deletes the tokens of actions that ended more than a day ago. */
export const forgetAll: SweepAll = (house, signal) => forgetOld(house, sql.oldTokens, signal, { batch: BATCH })

/** Any number of processes may sweep: each row is taken by one of them. */
export function actionDuties(house: House): readonly Duty[] {
  const everyMs = house.settings.ai.approvals.expirySweep.intervalSeconds * 1000
  const duty = (name: string, every: number, all: SweepAll): Duty => ({
    name,
    everyMs: every,
    work: (s) => all(house, s),
  })
  return [
    duty('actions.recover', LOOK_FOR_LAPSED_MS, recoverAll),
    duty('actions.expire', everyMs, expireAll),
    duty('actions.forget', everyMs, forgetAll),
  ]
}

export function watchSweeps({ db, metrics }: Pick<House, 'db' | 'metrics'>): void {
  const overdue = async () => (await db.one(sql.readOverdue))?.seconds ?? 0
  metrics.gauge(
    'tether_actions_overdue_seconds',
    'For how long a deadline or a lease of an action has lapsed without being noticed',
    overdue,
  )
}
