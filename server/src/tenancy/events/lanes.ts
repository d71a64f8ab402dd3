import type { House } from '../context/index.ts'
import { openSigner } from '../tenants/index.ts'
import { attempt, type Claimed, giveBack } from './attempt.ts'
import type { Settlement } from './queue-queries.ts'
import type { Settler } from './settler.ts'
import type { Slot, Slots } from './slots.ts'

/** Sends claimed events: lanes in parallel, and within each lane one after the other. */
type Lanes = {
  /** `claimedAt` is when we asked for the claim, by the monotonic clock. */
  launch(rows: readonly Claimed[], claimedAt: number): void
  /** Gives back what has not been sent yet. */
  stop(): void
  idle(): Promise<void>
}

type LanesHouse = House & {
  readonly random: () => number
  readonly slots: Slots
  readonly settler: Settler
  readonly leaseMs: number
}
type InFlight = { readonly row: Claimed; readonly slot: Slot }

export function openLanes(parts: LanesHouse): Lanes {
  const { clock, settings, log, metrics, slots, settler, leaseMs } = parts
  const sending = { ...parts, sign: openSigner(parts) }
  // A send that starts later might still run when the lease has ended and others send the same event.
  const lastStartMs = leaseMs - settings.events.answerSeconds * 1000 - 1000
  const lanes = new Set<Promise<void>>()
  const figures = { delivered: 0, failed: 0 }
  let stopping = false
  metrics.gauge('tether_events_delivered', 'Attempts of this process that were delivered', () => figures.delivered)
  metrics.gauge('tether_events_not_delivered', 'Attempts of this process that were not delivered', () => figures.failed)

  async function sendOne(row: Claimed, slot: Slot): Promise<Settlement> {
    slots.begin(slot)
    const settlement = await attempt(sending, row)
    if (settlement.tried) {
      slots.note(row.tenantId, settlement.durationMs, settlement.delivered)
      figures[settlement.delivered ? 'delivered' : 'failed']++
    }
    return settlement
  }

  /** The first event that is not delivered holds back the rest. */
  async function run(rows: readonly InFlight[], claimedAt: number): Promise<void> {
    let hold: number | null = null
    for (const { row, slot } of rows) {
      const isLate = performance.now() - claimedAt > lastStartMs
      const wait: number | null = hold ?? (stopping || isLate ? 0 : null)
      const settlement: Settlement =
        wait === null ? await sendOne(row, slot) : giveBack(row, wait, new Date(clock.now()).toISOString())
      // An event that failed for good frees the next only once that is stored. After a crash before, it would be sent
      // after the next.
      if (!settlement.delivered) hold ??= settlement.waitSeconds ?? 0
      settler.add(settlement, () => slots.free(slot))
    }
  }

  return {
    launch(rows, claimedAt) {
      for (const lane of byLane(rows)) {
        const held = lane.map((row) => ({ row, slot: slots.hold(row.tenantId) }))
        const running = run(held, claimedAt)
          .catch((error: unknown) => {
            log.error({ error }, 'Sending events failed on our side. They are sent again when their lease ends.')
            for (const { slot } of held) slots.free(slot)
          })
          .finally(() => lanes.delete(running))
        lanes.add(running)
      }
    },
    stop() {
      stopping = true
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes)
    },
  }
}

/**
 * Groups events by lane, in the order of the outbox, which is the order in which they happened. An event without a lane
 * is alone.
 */
function byLane(rows: readonly Claimed[]): Iterable<Claimed[]> {
  const lanes = new Map<string, Claimed[]>()
  for (const row of rows) {
    const name = `${row.tenantId} ${row.lane ?? `# ${row.outboxId}`}`
    const lane = lanes.get(name)
    if (lane === undefined) lanes.set(name, [row])
    else lane.push(row)
  }
  return lanes.values()
}
