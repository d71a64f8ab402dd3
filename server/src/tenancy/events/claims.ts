import type { House } from '../context/index.ts'
import type { Claimed } from './attempt.ts'
import { claimDue } from './queue-queries.ts'
import { shiftOf } from './shift.ts'
import type { Slots } from './slots.ts'

type Options = {
  readonly claim: string
  readonly leaseMs: number
  readonly slots: Slots
  /** `claimedAt` is when we asked for the claim, by the monotonic clock. */
  readonly launch: (rows: readonly Claimed[], claimedAt: number) => void
  readonly onPutOff: () => void
}

/** How many events were picked, claimed or put off, and of which tenant the last. */
type Picked = { readonly picked: number; readonly lastTenant: number | null }

/** Claims what is due of these tenants, in their order, and launches it. */
export function openClaims(
  { db, clock, settings }: Pick<House, 'db' | 'clock' | 'settings'>,
  { claim, leaseMs, slots, launch, onPutOff }: Options,
): (tenantIds: readonly number[], limit: number) => Promise<Picked> {
  const { dividedByTenant } = settings.database

  async function claimOf(tenantIds: readonly number[], limit: number): Promise<Picked> {
    const claimedAt = performance.now()
    const rows = await db.rows(claimDue, {
      shiftSeconds: shiftOf(clock),
      tenantIds,
      rooms: tenantIds.map(slots.room),
      limit,
      claim,
      leaseSeconds: leaseMs / 1000,
    })
    const claimed = rows.filter(isClaimed)
    launch(claimed, claimedAt)
    const { picked = 0, lastTenant = null } = rows[0] ?? {}
    if (picked > claimed.length) onPutOff()
    return { picked, lastTenant }
  }

  return async (tenantIds, limit) => {
    // Divided tables do not let one statement lock the rows of several tenants.
    const groups = dividedByTenant ? tenantIds.map((tenantId) => [tenantId]) : [tenantIds]
    let all: Picked = { picked: 0, lastTenant: null }
    for (const group of groups) {
      if (group.length === 0 || all.picked >= limit) break
      const one = await claimOf(group, limit - all.picked)
      all = { picked: all.picked + one.picked, lastTenant: one.lastTenant ?? all.lastTenant }
    }
    return all
  }
}

const isClaimed = (row: { readonly outboxId: number | null }): row is Claimed => row.outboxId !== null
