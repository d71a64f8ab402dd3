import type { House } from '../../ground/context/index.ts'
import type { Duty } from '../../ground/jobs/index.ts'
import { expireDue, forgetTokens, giveUpVerifying, readOverdue, recoverLapsed, remindDue } from './sweep-queries.ts'

const BATCH = 200
const LOOK_FOR_LAPSED_MS = 5_000

type Sweep = ({ db }: Pick<House, 'db'>) => Promise<number>

/** In batches, so that a sweep holds few locks, and none for long. */
const inBatches =
  (sweep: (db: House['db']) => Promise<number | undefined>): Sweep =>
  async ({ db }) => {
    for (let all = 0; ; ) {
      const count = (await sweep(db)) ?? 0
      all += count
      if (count < BATCH) return all
    }
  }

/** Expires everything that is past its window. */
export const expireAll = inBatches(
  async (db) => (await db.one(expireDue, { limit: BATCH, source: 'sweep', tenantId: null, actionId: null }))?.expired,
)

/** What a dead process left executing becomes indeterminate. It is never pending again, because it may have been sent. */
const lapsed = inBatches(async (db) => (await db.one(recoverLapsed, { limit: BATCH }))?.recovered)

const NOT_READ_BACK = 'The process that ran this write ended before it read the effect back.'
const unread = inBatches(async (db) => (await db.one(giveUpVerifying, { limit: BATCH, reason: NOT_READ_BACK }))?.given)

/** Settles what dead processes left behind. */
export const recoverAll: Sweep = async (house) => (await lapsed(house)) + (await unread(house))

/** Reminds the tenants whose policy asks for it, at half of the window. */
export const remindAll = inBatches(async (db) => (await db.one(remindDue, { limit: BATCH }))?.reminded)

/** Deletes the tokens of actions that ended more than a day ago. */
export const forgetAll = inBatches(async (db) => (await db.one(forgetTokens, { limit: BATCH }))?.forgotten)

/** Any number of processes may sweep: each row is taken by one of them. */
export function actionDuties(house: House): readonly Duty[] {
  const everyMs = house.settings.ai.approvals.expirySweep.intervalSeconds * 1000
  const duty = (name: string, everyMs: number, sweep: Sweep): Duty => ({ name, everyMs, work: () => sweep(house) })
  return [
    duty('actions.recover', LOOK_FOR_LAPSED_MS, recoverAll),
    duty('actions.expire', everyMs, expireAll),
    duty('actions.remind', everyMs, remindAll),
    duty('actions.forget', everyMs, forgetAll),
  ]
}

export function watchSweeps({ db, metrics }: Pick<House, 'db' | 'metrics'>): void {
  const overdue = async () => (await db.one(readOverdue))?.seconds ?? 0
  metrics.gauge(
    'tether_actions_overdue_seconds',
    'For how long a deadline or a lease of an action has lapsed without being noticed',
    overdue,
  )
}
