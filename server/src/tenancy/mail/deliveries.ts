import type { House } from '../context/index.ts'
import { listAttempts } from './queries.ts'

type MailFilter = {
  /** The kind of mail. */
  readonly event?: string | undefined
  readonly eventId?: string | undefined
  /** True for failed attempts only, false for successful ones only. */
  readonly failed?: boolean | undefined
  /** Only attempts older than this one, the last of the page before. */
  readonly before?: number | undefined
  readonly limit: number
}

/**
 * Lists attempts to deliver mail, the newest first, in the usual shape of a delivery record. We do not keep the
 * recipient.
 */
export async function listMailDeliveries({ db }: Pick<House, 'db'>, tenantId: number, filter: MailFilter) {
  const { event = null, eventId = null, failed = null, before = null, limit } = filter
  // One more row than asked for shows whether anything follows.
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
