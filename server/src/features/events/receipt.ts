import { setTimeout as pause } from 'node:timers/promises'
import type { House } from '../../ground/context/index.ts'
import { findReceipt } from './queries.ts'

type Sent = { readonly tenantId: number; readonly eventId: string }
type Limits = { readonly withinMs: number; readonly signal: AbortSignal }

const LOOK_MS = 50

/**
 * Waits for the first attempt to deliver an event; whichever process makes it, it stands in the list of deliveries. An event that
 * nobody took may still arrive with a later attempt.
 */
export const openReceipts =
  ({ db }: Pick<House, 'db'>) =>
  async (event: Sent, { withinMs, signal }: Limits): Promise<'received' | 'not_received' | 'unknown'> => {
    const until = performance.now() + withinMs
    for (;;) {
      const { received = null } = (await db.one(findReceipt, event)) ?? {}
      if (received !== null) return received ? 'received' : 'not_received'
      if (signal.aborted || performance.now() >= until) return 'unknown'
      // It rejects when it is aborted, and then we look once more.
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }
