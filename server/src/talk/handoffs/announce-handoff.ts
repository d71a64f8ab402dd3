import type { Handoff, Language } from '@tether/contract'
import type { Context } from '../../tenancy/context/index.ts'
import { findDestination, markHandedOver } from './queries.ts'

export type HandoffToTell = {
  readonly sessionId: string | null
  readonly requestId: string
  readonly handoff: Handoff
  /** What the visitor said last. */
  readonly text: string
  readonly language: Language
}

/**
 * Announces a handoff. True if the business has somewhere to hear of it: the event is then tried until it is taken. A turn hands
 * over once, however often its model asks for it, so whoever plays the turn names the event.
 */
export async function announceHandoff(
  { db, asking: { tenantId, customer } }: Pick<Context, 'db' | 'asking'>,
  { sessionId, requestId, handoff, text, language }: HandoffToTell,
  eventId: string,
): Promise<boolean> {
  if (sessionId === null) return false
  const fields = JSON.stringify({ ...handoff, text, customer_id: customer?.id ?? null, language })
  await db.run(markHandedOver, { tenantId, sessionId, requestId, eventId, fields })
  return (await db.one(findDestination, { tenantId })) !== undefined
}
