import type { Settings } from '../../settings/index.ts'

/** After this a send no longer counts against what the process may do at the same time: it only waits. */
const PATIENCE_MS = 1_000
/** Of a workspace whose receiver lets everybody wait. */
const OF_A_SLOW_ONE = 4
/** Sends that only wait, as a multiple of the others. */
const MOST_WAITING = 4

export type Slot = { readonly tenantId: number; since: number }

/** What this process has in hand, and how much more it may take, in all and of each tenant. */
export type Slots = {
  /** Takes one for an event that was claimed. */
  hold(tenantId: number): Slot
  /** Its sending begins. */
  begin(slot: Slot): void
  /** It was settled. */
  free(slot: Slot): void
  /** How long the receiver of a tenant took. A slow one gets less at a time until it is quick again. */
  note(tenantId: number, durationMs: number, delivered: boolean): void
  /** How many more may be claimed. */
  left(): number
  /** How many more of those tenants that have less than the usual room. */
  rooms(): { readonly tenants: number[]; readonly rooms: number[] }
  readonly size: number
}

export function openSlots({ concurrency, concurrencyPerTenant }: Settings['events']): Slots {
  const all = new Set<Slot>()
  const perTenant = new Map<number, number>()
  const slow = new Set<number>()
  const roomOf = (tenantId: number): number => {
    const most = slow.has(tenantId) ? Math.min(OF_A_SLOW_ONE, concurrencyPerTenant) : concurrencyPerTenant
    const held = perTenant.get(tenantId) ?? 0
    // Whoever has much under way gets more when there is room for many: a claim for one or two costs as much.
    return held > 0 && most - held < most / 4 ? 0 : most - held
  }
  return {
    hold(tenantId) {
      const slot: Slot = { tenantId, since: Number.POSITIVE_INFINITY }
      all.add(slot)
      perTenant.set(tenantId, (perTenant.get(tenantId) ?? 0) + 1)
      return slot
    },
    begin(slot) {
      slot.since = performance.now()
    },
    free(slot) {
      if (!all.delete(slot)) return
      const left = (perTenant.get(slot.tenantId) ?? 1) - 1
      if (left > 0) perTenant.set(slot.tenantId, left)
      else perTenant.delete(slot.tenantId)
    },
    note(tenantId, durationMs, delivered) {
      if (durationMs < PATIENCE_MS) slow.delete(tenantId)
      else if (!delivered) slow.add(tenantId)
    },
    left() {
      const limit = performance.now() - PATIENCE_MS
      let quick = 0
      for (const { since } of all) if (since > limit) quick++
      return Math.max(0, Math.min(concurrency - quick, concurrency * (1 + MOST_WAITING) - all.size))
    },
    rooms() {
      const tenants = [...new Set([...perTenant.keys(), ...slow])]
      return { tenants, rooms: tenants.map(roomOf) }
    },
    get size() {
      return all.size
    },
  }
}
