import type { Place } from '../../foundation/crypto/index.ts'

/** Where the body of an event that was given up is bound to; it keeps it when it is queued again. */
export const bodyPlace = (tenantId: number, eventId: string): Place => ({
  table: 'undelivered_events',
  column: 'sealed_body',
  tenantId,
  row: eventId,
})
