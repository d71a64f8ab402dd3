// A hundred workspaces, one of which has a receiver that never answers, and a backlog. How long do the others wait?
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { announceEach, notify } from './announce.ts'
import { openProofApp, openTenant } from './house.ts'
import { openReceiver } from './receiver.ts'

const OTHERS = 99
const BACKLOG = 400
const EACH = 4

const forget = unlisted<unknown, { tenantId: number }>(
  'proof.forget_backlog',
  'delete from outbox where tenant_id = $tenantId::int',
)

export type Figures = { aloneMs: number; withDeadMs: number; ratio: number; hanging: number; events: number }

/** The 95th percentile of the others, with and without the dead one, in turns: the median over the rounds. */
export async function deadReceiver(db: Database, rounds: number): Promise<Figures> {
  const [alive, dead] = [await openReceiver(), await openReceiver(() => 'hang')]
  // As long as it is by default: the dead one is tried, and hangs, the whole time.
  const app = openProofApp(db, {})
  const others: number[] = []
  const measured: Record<'alone' | 'withDead', number[]> = { alone: [], withDead: [] }
  try {
    for (let at = 0; at < OTHERS; at++) others.push(await openTenant(app, alive.url))
    const deadTenant = await openTenant(app, dead.url)
    app.startWork()
    await round(db, others, alive, 'warm')
    for (let turn = 0; turn < rounds; turn++) {
      measured.alone.push(await round(db, others, alive, `alone${turn}`))
      await db.run(announceEach, { tenantIds: [deadTenant], each: BACKLOG, name: `dead${turn}` })
      measured.withDead.push(await round(db, others, alive, `dead${turn}`))
      await db.run(forget, { tenantId: deadTenant })
    }
  } finally {
    await dead.close()
    await app.close()
    await alive.close()
  }
  const [aloneMs, withDeadMs] = [median(measured.alone), median(measured.withDead)]
  const ratio = Math.round((withDeadMs / aloneMs) * 100) / 100
  return { aloneMs, withDeadMs, ratio, hanging: dead.arrivals.length, events: OTHERS * EACH * rounds * 2 }
}

async function round(
  db: Database,
  tenants: readonly number[],
  receiver: { readonly arrivals: readonly { readonly at: number }[] },
  name: string,
): Promise<number> {
  const before = receiver.arrivals.length
  const started = performance.now()
  await db.run(announceEach, { tenantIds: [...tenants], each: EACH, name })
  await db.rows(notify)
  const expected = tenants.length * EACH
  while (receiver.arrivals.length - before < expected) {
    if (performance.now() - started > 30_000) throw new Error(`${name}: the others wait`)
    await pause(5)
  }
  const waits = receiver.arrivals.slice(before).map(({ at }) => at - started)
  return Math.round([...waits].sort((a, b) => a - b)[Math.floor(expected * 0.95)] ?? 0)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
