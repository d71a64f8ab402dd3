import { setTimeout as pause } from 'node:timers/promises'
import type { Queries } from '../../foundation/db/index.ts'
import { findReceipt } from './queries.ts'

/** `not_received`: nobody has it, although a later attempt may still arrive. */
export type Receipt = 'received' | 'not_received' | 'unknown'

type Sent = { readonly tenantId: number; readonly eventId: string }
type Limits = { readonly withinMs: number; readonly signal: AbortSignal }

const LOOK_MS = 50

/** Waits for the first attempt to deliver an event; whichever process makes it, it stands in the list of deliveries. */
export async function receiptOf(db: Queries, event: Sent, { withinMs, signal }: Limits): Promise<Receipt> {
  const until = performance.now() + withinMs
  for (;;) {
    const { received = null } = (await db.one(findReceipt, event)) ?? {}
    if (received !== null) return received ? 'received' : 'not_received'
    if (signal.aborted || performance.now() >= until) return 'unknown'
    // It rejects when it is aborted, and then we look once more.
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}
