import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../context/index.ts'
import { hurry, requeue } from './queue-queries.ts'
import { shiftOf } from './shift.ts'

/** Sends a failed event again, or a waiting one sooner, with the same id and body and with all attempts ahead of it. */
export async function redeliver({ db, asking, clock }: Context, eventId: string) {
  const { tenantId } = asking
  const found =
    (await db.one(requeue, { tenantId, eventId })) ??
    (await db.one(hurry, { shiftSeconds: shiftOf(clock), tenantId, eventId }))
  if (found === undefined) {
    throw refuse(
      'event_not_found',
      'There is no undelivered event with this id. It was delivered, its body is no longer kept, or it never existed.',
    )
  }
  return { queued: true as const, eventId, event: found.event }
}
