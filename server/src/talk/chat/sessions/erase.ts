import { refuse } from '../../../kernel/http/index.ts'
import type { Context, House } from '../../../tenancy/context/index.ts'
import { type Duty, type Sweep, sweep } from '../../../tenancy/jobs/index.ts'
import { forgetUsage, lapseReservations, openSpendingWatch } from '../../../tenancy/usage/index.ts'
import { eraseCustomer, eraseSession, forgetSessions, listOldSessions } from '../queries.ts'

/** Leaves nothing of the conversation. Writes that it staged stay in the audit, which holds no conversation. */
export async function deleteSession({ db, asking }: Context, sessionId: string) {
  const gone = (await db.one(eraseSession, { tenantId: asking.tenantId, sessionId }))?.taken ?? 0
  if (gone === 0) throw refuse('session_not_found', 'There is no such conversation. Check its id.')
  return { deleted: true as const, sessionId }
}

/** Deletes every conversation of one customer. */
export async function deleteCustomer({ db, asking }: Context, customerId: string) {
  const sessions = (await db.one(eraseCustomer, { tenantId: asking.tenantId, customerId }))?.taken ?? 0
  if (sessions === 0) throw refuse('session_not_found', 'This customer has no conversations. Check the customer’s id.')
  return { deleted: true as const, customerId, sessions }
}

const BATCH = 200

/** Deletes conversations that have been idle for longer than we keep them. */
async function forgetOld(house: Pick<House, 'db' | 'log' | 'settings'>, signal: AbortSignal): Promise<number> {
  const { db, settings } = house
  const { retentionDays: days } = settings.ai.memory
  if (days === 0) return 0
  const old: Sweep = {
    name: 'chat.forget',
    batch: BATCH,
    look: (what) => db.rows(listOldSessions, { ...what, days }),
    take: (these) => db.one(forgetSessions, { ...these, days }),
  }
  return await sweep(house, old, signal)
}

const MINUTE = 60_000

/** The regular work of conversations. */
export const chatDuties = (house: House): readonly Duty[] => [
  { name: 'usage.watch', everyMs: 15 * MINUTE, work: openSpendingWatch(house) },
  { name: 'chat.forget', everyMs: 10 * MINUTE, work: (signal) => forgetOld(house, signal) },
  { name: 'usage.lapse', everyMs: MINUTE, work: (signal) => lapseReservations(house, signal) },
  { name: 'usage.forget', everyMs: 10 * MINUTE, work: (signal) => forgetUsage(house, signal) },
]
