import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { hurry, requeue } from './queue-queries.ts'
import { shiftOf } from './shift.ts'

/** Sends an event again that was given up, or sooner one that waits: under its id, with its body, with all attempts before it. */
export async function redeliver({ db, asking, clock }: Context, eventId: string) {
  const { tenantId } = asking
  const found =
    (await db.one(requeue, { tenantId, eventId })) ??
    (await db.one(hurry, { shiftSeconds: shiftOf(clock), tenantId, eventId }))
  if (found === undefined) {
    throw refuse(
      'event_not_found',
      'No undelivered event with this id is kept: it was delivered, its body was dropped after its time, or it never was.',
    )
  }
  return { queued: true as const, eventId, event: found.event }
}
