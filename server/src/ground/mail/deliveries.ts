import type { House } from '../context/index.ts'
import { listAttempts } from './queries.ts'

export type MailFilter = {
  /** The kind of mail. */
  readonly event?: string | undefined
  readonly eventId?: string | undefined
  /** true: only attempts that were not delivered; false: only those that were. */
  readonly failed?: boolean | undefined
  /** Only what is older than this one of the page before. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Attempts to deliver mail, newest first, in the shape of every delivery record. The recipient is not kept. */
export async function listMailDeliveries({ db }: Pick<House, 'db'>, tenantId: number, filter: MailFilter) {
  const { event = null, eventId = null, failed = null, before = null, limit } = filter
  // One more than asked for tells whether anything follows.
  const rows = await db.rows(listAttempts, { tenantId, kind: event, mailId: eventId, failed, before, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const deliveries = shown.map(({ deliveryId: _ours, attemptedAt, retryAt, ...row }) => ({
    ...row,
    actionId: null,
    sessionId: null,
    url: null,
    destination: 'mail' as const,
    attemptedAt: attemptedAt.toISOString(),
    retryAt: retryAt?.toISOString() ?? null,
  }))
  const nextBefore = rows.length > limit ? (shown.at(-1)?.deliveryId ?? null) : null
  return { deliveries, count: shown.length, nextBefore }
}
