import type { House } from '../context/index.ts'
import { listAttempts } from './queries.ts'

export type MailFilter = {
  /** The kind of mail. */
  readonly event?: string | undefined
  readonly eventId?: string | undefined
  /** true: only attempts that were not delivered; false: only those that were. */
  readonly failed?: boolean | undefined
  readonly limit: number
}

/** Attempts to deliver mail, newest first, in the shape of every delivery record. The recipient is not kept. */
export async function listMailDeliveries({ db }: Pick<House, 'db'>, tenantId: number, filter: MailFilter) {
  const { event = null, eventId = null, failed = null, limit } = filter
  const rows = await db.rows(listAttempts, [tenantId, event, eventId, failed, limit])
  return rows.map(({ attemptedAt, retryAt, ...row }) => ({
    ...row,
    actionId: null,
    sessionId: null,
    url: null,
    destination: 'mail' as const,
    attemptedAt: attemptedAt.toISOString(),
    retryAt: retryAt?.toISOString() ?? null,
  }))
}
