// The parts of this room that live as long as the process: clicks that are being decided, and the work that is found again.
import type { ChannelKind } from '@tether/contract'
import type { House } from '../../tenancy/context/index.ts'
import { type Duty, forgetOld, type OldRows, type Sweep, sweep } from '../../tenancy/jobs/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import * as clicks from './click-queries.ts'
import { decideClick, leaseSeconds, MOST_ATTEMPTS } from './clicks.ts'
import { findClickDriver } from './driver.ts'
import { DRIVERS, KINDS } from './drivers.ts'
import * as posts from './post-queries.ts'
import { writePost } from './posts.ts'

export type Channels = {
  /** Writes a click down and begins to decide it. False where it came before. */
  take(tenantId: number, kind: ChannelKind, clicked: clicks.Clicked): Promise<boolean>
  readonly duties: readonly Duty[]
  /** Waits for the clicks that are being decided. */
  settled(): Promise<void>
}

const BATCH = 100
const LOOK_MS = 2_000
const LOOK_LEFT_MS = 5_000
const HOUR_MS = 3_600_000
/** The other side may take its time for each, and nobody else’s messages and clicks wait for more than these. */
const MOST_OF_TENANT = 4

export function openChannels(house: House, rooms: ActionRooms): Channels {
  const { db, log } = house
  const driver = findClickDriver(DRIVERS)
  const running = new Set<Promise<void>>()
  const settle = async (tenantId: number, click: clicks.ClickRow): Promise<void> => {
    try {
      if (driver !== undefined) await decideClick(house, rooms, driver, { tenantId, click })
    } catch (error) {
      log.error({ tenantId, error }, 'A click could not be decided. It is tried again when its lease ends.')
      const { clickId, lease, attempts } = click
      if (attempts >= MOST_ATTEMPTS) await db.run(clicks.settleClick, { tenantId, clickId, lease, outcome: 'failed' })
    }
  }
  return {
    async take(tenantId, kind, clicked) {
      const click = await db.one(clicks.insertClick, { tenantId, kind, ...clicked, leaseSeconds: leaseSeconds(house) })
      if (click === undefined) return false
      const work = settle(tenantId, click)
      running.add(work)
      void work.finally(() => running.delete(work))
      return true
    },
    duties: dutiesOf(house, rooms, settle),
    async settled() {
      await Promise.all(running)
    },
  }
}

type Settle = (tenantId: number, click: clicks.ClickRow) => Promise<void>

function dutiesOf(house: House, rooms: ActionRooms, settle: Settle): readonly Duty[] {
  const { db } = house
  const duty = (everyMs: number, swept: Sweep, more: Pick<Duty, 'wokenBy'> = {}): Duty => ({
    name: swept.name,
    everyMs,
    ...more,
    work: (signal) => sweep(house, swept, signal),
  })
  // One at a time: the lease of one must not run out while it waits for another.
  const singly = { batch: BATCH, together: 1, mostOfTenant: MOST_OF_TENANT }
  const due: Sweep = {
    ...singly,
    name: 'channels.posts',
    look: (what) => db.rows(posts.listDue, { ...what, ...KINDS }),
    take: async ({ tenantId, ids: [postId = ''] }) => ({
      taken: (await writePost(house, rooms, { tenantId, postId })) ? 1 : 0,
    }),
  }
  const left: Sweep = {
    ...singly,
    name: 'channels.clicks',
    look: (what) => db.rows(clicks.listLeft, what),
    async take({ tenantId, ids: [clickId = ''] }) {
      const click = await db.one(clicks.claimClick, { tenantId, clickId, leaseSeconds: leaseSeconds(house) })
      if (click !== undefined) await settle(tenantId, click)
      return { taken: click === undefined ? 0 : 1 }
    },
  }
  const forget = (old: OldRows): Duty => ({
    name: old.name,
    everyMs: HOUR_MS,
    work: (signal) => forgetOld(house, old, signal),
  })
  return [
    duty(LOOK_MS, due, { wokenBy: posts.POSTS_BELL }),
    duty(LOOK_LEFT_MS, left),
    forget(posts.oldPosts),
    forget(clicks.oldClicks),
  ]
}
