import { randomUUID } from 'node:crypto'
import { inTime } from '../../kernel/clock/index.ts'
import type { House } from '../context/index.ts'
import type { Duty } from '../jobs/index.ts'
import { EVENTS_BELL } from '../outbox/index.ts'
import { openClaims } from './claims.ts'
import { openLanes } from './lanes.ts'
import { countWaiting, readOverdue } from './queries.ts'
import { listTenants, walkTenants } from './queue-queries.ts'
import { openSettler } from './settler.ts'
import { openSlots } from './slots.ts'

const LOOK_EVERY_MS = 1_000
const LOOK_AGAIN_MS = 50
const TENANTS_AT_ONCE = 200
/** A claim for one or two events costs as much as one for many. */
const WORTH_A_CLAIM = 16
/** A lease is longer than the longest send by this much. */
const SPARE_MS = 10_000
const FINISH_MS = 5_000

type PumpParts = House & { readonly ring: (channel: string) => void; readonly random?: () => number }

export type Pump = Duty & {
  /** Resolves when this process has nothing claimed any longer. */
  idle(): Promise<void>
}

/** Sends events: claims what is due, sends it, settles it. A receiver that hangs does not hold up the rest. */
export function openPump(house: PumpParts): Pump {
  const { db, settings, metrics, ring, random = Math.random } = house
  const { concurrency, answerSeconds } = settings.events
  const { dividedByTenant } = settings.database
  const leaseMs = answerSeconds * 1000 + SPARE_MS
  const claim = randomUUID()
  const slots = openSlots(settings.events)
  const settler = openSettler(house, { claim, leaseMs, onSettled: () => ring(EVENTS_BELL) })
  const lanes = openLanes({ ...house, random, slots, settler, leaseMs })
  // Another process may settle what ours waits for, and we do not hear that process's bell.
  const lookAgain = () => void setTimeout(ring, LOOK_AGAIN_MS, EVENTS_BELL).unref()
  const claimOf = openClaims(house, { claim, leaseMs, slots, launch: lanes.launch, onPutOff: lookAgain })
  let stopping = false
  let afterTenant = 0
  let pickedThisRound = 0
  const overdue = async () => (await db.one(readOverdue))?.seconds ?? 0
  const waiting = async () => (await db.one(countWaiting))?.count ?? 0
  metrics.gauge('tether_events_overdue_seconds', 'How long the oldest due event has been waiting', overdue)
  metrics.gauge('tether_events_waiting', 'Events of all processes that are not settled', waiting)
  metrics.gauge('tether_events_in_hand', 'Events that this process has claimed but not settled', () => slots.size)

  async function work(): Promise<number> {
    const limit = slots.left()
    if (stopping || limit < Math.min(WORTH_A_CLAIM, concurrency)) return 0
    const walk = { afterTenant, mostTenants: TENANTS_AT_ONCE }
    const found = await db.rows(dividedByTenant ? listTenants : walkTenants, walk)
    const { picked, lastTenant } = await claimOf(
      found.map(({ tenantId }) => tenantId),
      limit,
    )
    pickedThisRound += picked
    if (picked >= limit || found.length >= TENANTS_AT_ONCE) {
      afterTenant = (picked >= limit ? lastTenant : found.at(-1)?.tenantId) ?? 0
      return Math.max(1, picked)
    }
    // Every tenant had a turn. The work ends with a round in which nobody had anything.
    afterTenant = 0
    const count = pickedThisRound
    pickedThisRound = 0
    return count
  }

  const idle = async (): Promise<void> => {
    await lanes.idle()
    await settler.drain()
  }

  return {
    name: 'events.send',
    everyMs: LOOK_EVERY_MS,
    wokenBy: EVENTS_BELL,
    work,
    idle,
    async finish() {
      stopping = true
      lanes.stop()
      await inTime(FINISH_MS, idle())
      await settler.drain()
    },
  }
}
