// One workspace has a very long queue. How long does another one's event wait behind it?
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/kernel/db/index.ts'
import { announceEach, notify } from './announce.ts'
import { openProofApp, openTenant } from './house.ts'
import { openReceiver } from './receiver.ts'

/** Events of the other one, one after the other, while the crowd is sent. */
const ASKED = 20

export type Figures = {
  readonly queued: number
  /** Of the crowd, by the end: it was being sent the whole time. */
  readonly sent: number
  readonly medianMs: number
  readonly longestMs: number
}

export async function crowd(db: Database, queued: number): Promise<Figures> {
  const [theirs, ours] = [await openReceiver(), await openReceiver()]
  const app = openProofApp(db, {})
  try {
    const [crowded, other] = [await openTenant(app, theirs.url), await openTenant(app, ours.url)]
    await db.run(announceEach, { tenantIds: [crowded], each: queued, name: 'crowd' })
    app.startWork()
    const waits: number[] = []
    for (let at = 0; at < ASKED; at++) {
      const started = performance.now()
      await db.run(announceEach, { tenantIds: [other], each: 1, name: `other${at}` })
      await db.rows(notify)
      while (ours.arrivals.length <= at) {
        if (performance.now() - started > 30_000) throw new Error(`the other one waits behind ${queued}`)
        await pause(2)
      }
      waits.push(Math.round(performance.now() - started))
    }
    waits.sort((a, b) => a - b)
    const figures = { queued, sent: theirs.arrivals.length }
    return { ...figures, medianMs: waits[ASKED / 2] ?? 0, longestMs: waits.at(-1) ?? 0 }
  } finally {
    await app.close()
    await theirs.close()
    await ours.close()
  }
}
