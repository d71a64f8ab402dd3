import type { Handoff } from '@tether/contract'
import type { Context } from '../../ground/context/index.ts'
import { markHandedOver } from './queries.ts'
import { type Receipt, receiptOf } from './receipt.ts'

export type HandoffToTell = {
  readonly sessionId: string | null
  readonly requestId: string
  readonly handoff: Handoff
}

/**
 * Announces a handoff and waits a little for the business's server to take it. A turn hands over once, however often its model asks
 * for it, so whoever plays the turn names the event.
 */
export async function announceHandoff(
  { db, asking: { tenantId }, settings }: Pick<Context, 'db' | 'asking' | 'settings'>,
  { sessionId, requestId, handoff }: HandoffToTell,
  eventId: string,
  signal: AbortSignal,
): Promise<Receipt> {
  if (sessionId === null) return 'not_received'
  await db.run(markHandedOver, { tenantId, sessionId, requestId, eventId, fields: JSON.stringify(handoff) })
  return await receiptOf(db, { tenantId, eventId }, { withinMs: settings.ai.chat.handoffSeconds * 1000, signal })
}
