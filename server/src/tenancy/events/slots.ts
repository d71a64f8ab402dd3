import type { Settings } from '../../kernel/settings/index.ts'

/** After this, a send only waits, and no longer counts against the process's concurrency. */
const PATIENCE_MS = 1_000
/** The limit for a workspace with a slow receiver. */
const OF_A_SLOW_ONE = 4
/** The most sends that only wait, as a multiple of the others. */
const MOST_WAITING = 4

export type Slot = { readonly tenantId: number; since: number }

/** Tracks what this process has claimed, and how much more it may claim, in total and for each tenant. */
export type Slots = {
  /** Takes a slot for a claimed event. */
  hold(tenantId: number): Slot
  /** Marks the start of its sending. */
  begin(slot: Slot): void
  /** Frees the slot of a settled event. */
  free(slot: Slot): void
  /** Records how long a tenant's receiver took. A slow one gets fewer slots until it is fast again. */
  note(tenantId: number, durationMs: number, delivered: boolean): void
  /** How many more events may be claimed. */
  left(): number
  /** How many more events this tenant may have. */
  room(tenantId: number): number
  readonly size: number
}

export function openSlots({ concurrency, concurrencyPerTenant }: Settings['events']): Slots {
  const all = new Set<Slot>()
  const perTenant = new Map<number, number>()
  const slow = new Set<number>()
  const roomOf = (tenantId: number): number => {
    const most = slow.has(tenantId) ? Math.min(OF_A_SLOW_ONE, concurrencyPerTenant) : concurrencyPerTenant
    const held = perTenant.get(tenantId) ?? 0
    // A tenant with many running sends gets more only when there is room for many, because a claim for one or two costs
    // as much.
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
    room: roomOf,
    get size() {
      return all.size
    },
  }
}
