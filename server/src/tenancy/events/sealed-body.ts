import type { Place } from '../../kernel/crypto/index.ts'

/** The place to which a failed event's body is bound. It stays the same when the event is queued again. */
export const bodyPlace = (tenantId: number, eventId: string): Place => ({
  table: 'undelivered_events',
  column: 'sealed_body',
  tenantId,
  row: eventId,
})
