// Messages about writes: each is written when its write begins to wait, and again until it shows what became of it.
import type { House } from '../../tenancy/context/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import type { Channel } from '../../writes/notices/index.ts'
import { type Card, cardOf } from './card.ts'
import type { Driver, MessageAddress, Written } from './driver.ts'
import { driverOf, KINDS } from './drivers.ts'
import * as posts from './post-queries.ts'
import { type ChannelRow, clearFault, findChannel, hasChannel, restChannel } from './queries.ts'
import { openConnection } from './secrets.ts'

export type PostRooms = Pick<ActionRooms, 'calls' | 'catalogs'>

/** One call of the other side, and what is read for it. */
const LEASE_SECONDS = 20
const UNREADABLE_SECONDS = 60

/** A notice becomes a message in each channel of the workspace, which is sent afterwards. */
export const postChannel: Channel = {
  isUsedBy: async (db, tenantId) => (await db.one(hasChannel, { tenantId }))?.hasAny === true,
  take: async (tx, { tenantId, action, occasion }) => {
    await tx.run(posts.insertPosts, { tenantId, actionId: action.actionId, occasion })
  },
}

type At = { readonly tenantId: number; readonly postId: string }

/** Writes one message as its write stands now. False where that is somebody else’s to do, or already done. */
export async function writePost(house: House, rooms: PostRooms, { tenantId, postId }: At): Promise<boolean> {
  const { db, log } = house
  const post = await db.one(posts.claimPost, { tenantId, postId, leaseSeconds: LEASE_SECONDS, ...KINDS })
  if (post === undefined) return false
  const { kind, actionId, lease } = post
  const driver = driverOf(kind)
  const held = { tenantId, postId, lease }
  const channel = await db.one(findChannel, { tenantId, kind })
  const card = channel === undefined ? null : await cardOf(house, rooms, { tenantId, actionId })
  // What was decided before anybody was told of it is not told any more.
  if (channel === undefined || card === null || (post.shown === null && card.action.state !== 'pending')) {
    await db.run(posts.dropPost, held)
    return true
  }
  const sending = { house, driver, tenantId, post, channel, card }
  const written = await write(sending)
  if (written.ok === true) {
    await record(sending, written.at)
  } else if (written.ok === 'gone') {
    log.warn({ tenantId, kind, postId, fault: written.fault }, 'A message about a write can no longer be written.')
    await db.run(posts.dropPost, held)
  } else {
    const { fault, pauseSeconds: seconds } = written
    log.warn({ tenantId, kind, fault, seconds }, 'A channel does not take our messages. It is tried again.')
    await db.run(restChannel, { tenantId, kind, fault, seconds })
    await db.run(posts.postponePost, held)
  }
  return true
}

type Sending = { house: House; driver: Driver; tenantId: number; post: posts.PostRow; channel: ChannelRow; card: Card }

async function write({ house, driver, tenantId, post, channel, card }: Sending): Promise<Written> {
  const { kind, place, message, postId, occasion } = post
  const to = openConnection(house, { tenantId, kind }, channel)
  if (to === null) return { ok: false, fault: 'secret_unreadable', pauseSeconds: UNREADABLE_SECONDS }
  const draft = { card, postId, isReminder: occasion > 0 }
  return place === null || message === null || driver.update === undefined
    ? await driver.post(house, to, draft)
    : await driver.update(house, to, draft, { place, message })
}

async function record(
  { house, driver, tenantId, post, channel, card }: Sending,
  at: MessageAddress | null,
): Promise<void> {
  const { postId, lease, kind, occasion, standing: shown } = post
  const [place, message] = [at?.place ?? null, at?.message ?? null]
  // A second message tells how the write ended. One is enough, however often people were reminded.
  const done = card.isFinal || (driver.update === undefined && occasion > 0)
  const recorded = await house.db.one(posts.recordPost, { tenantId, postId, lease, place, message, shown, done })
  if (recorded === undefined) await house.db.run(posts.writeAgain, { tenantId, postId })
  if (channel.fault !== null) await house.db.run(clearFault, { tenantId, kind })
}

/** The messages about a write, at once after a decision that came through one of them. */
export async function writePostsOf(
  house: House,
  rooms: PostRooms,
  { tenantId, actionId }: { readonly tenantId: number; readonly actionId: string },
): Promise<void> {
  for (const { postId } of await house.db.rows(posts.postsOfAction, { tenantId, actionId }))
    await writePost(house, rooms, { tenantId, postId })
}
