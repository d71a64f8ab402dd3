// Decides what was clicked: by the verbs of the inbox, for the person who clicked, about what the message showed.
import type { ChannelKind, ConfirmStatus } from '@tether/contract'
import { personAsking, withLentSession } from '../../tenancy/access/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { findTenant, languageOf } from '../../tenancy/tenants/index.ts'
import { type ActionRooms, type ActionRow, confirm, findAction, reject } from '../../writes/actions/index.ts'
import { peopleOfAddress } from '../../writes/approvals/index.ts'
import { cardOf } from './card.ts'
import * as clicks from './click-queries.ts'
import type { ClickDriver, Connection, MemberAddress } from './driver.ts'
import { adoptMessage, findPost, writeAgain } from './post-queries.ts'
import { writePostsOf } from './posts.ts'
import { findChannel, restChannel } from './queries.ts'
import { tryConnection } from './secrets.ts'
import { type NotHeard, WORDS } from './words.ts'

/** A click that nobody could decide so often is told that it decided nothing. */
export const MOST_ATTEMPTS = 6
/** Its precondition is read, it is sent, and its effect is read back. */
const CALLS_OF_CONFIRM = 3
const BEYOND_CALLS_SECONDS = 20

export const leaseSeconds = ({ settings }: Pick<House, 'settings'>): number =>
  CALLS_OF_CONFIRM * settings.toolTransport.timeoutSeconds + BEYOND_CALLS_SECONDS

/** What came of a click. */
type Heard =
  | {
      readonly kind: 'decided'
      readonly status: ConfirmStatus
      readonly message: string | null
      readonly actionId: string
    }
  | { readonly kind: 'not_heard'; readonly why: NotHeard; readonly address: string; readonly actionId: string | null }
  | { readonly kind: 'later'; readonly fault: string; readonly seconds: number }

/** The channel that the click came from. */
type From = { readonly driver: ClickDriver; readonly to: Connection }

/** Decides one click that this process holds, and says what came of it. */
export async function decideClick(
  house: House,
  rooms: ActionRooms,
  driver: ClickDriver,
  { tenantId, click }: { readonly tenantId: number; readonly click: clicks.ClickRow },
): Promise<void> {
  const { db } = house
  const { kind } = driver
  const channel = await db.one(findChannel, { tenantId, kind })
  const to = channel === undefined ? null : tryConnection(house, { tenantId, kind }, channel)
  // Without a channel its clicks are gone, and this one with them. What does not open may open later.
  if (to === null) return
  const from = { driver, to }
  const last = click.attempts >= MOST_ATTEMPTS
  const heard = await hear(house, rooms, from, click)
  if (heard.kind === 'later' && !last) {
    const { seconds, fault } = heard
    await db.run(restChannel, { tenantId, kind, fault, seconds: 0 })
    await db.run(clicks.postponeClick, { tenantId, clickId: click.clickId, lease: click.lease, seconds })
    return
  }
  const final: Exclude<Heard, { kind: 'later' }> =
    heard.kind === 'later' ? { kind: 'not_heard', why: 'unreachable', address: '', actionId: null } : heard
  const outcome = final.kind === 'decided' ? final.status : final.why
  await db.one(clicks.settleClick, { tenantId, clickId: click.clickId, lease: click.lease, outcome })
  house.log.info({ tenantId, kind, verb: click.verb, outcome }, 'A click was decided.')
  // The write stands as before, but its message may still offer to approve what nobody can approve any longer.
  if (outcome === 'GuardForbidden') await db.run(writeAgain, { tenantId, postId: click.postId })
  if (final.actionId !== null) await rewrite(house, rooms, from, click, final.actionId)
  await tell(house, from, click, final)
}

async function hear(house: House, rooms: ActionRooms, from: From, click: clicks.ClickRow): Promise<Heard> {
  const { tenantId } = from.to
  const { kind } = from.driver
  const post = await house.db.one(findPost, { tenantId, kind, postId: click.postId })
  const action = post === undefined ? undefined : await house.db.one(findAction, { tenantId, actionId: post.actionId })
  // A button that was copied into another channel is none of ours.
  if (post === undefined || action === undefined || (post.place ?? click.place) !== click.place)
    return { kind: 'not_heard', why: 'unknown_message', address: '', actionId: null }
  const { actionId } = action
  const { postId, place, message } = click
  if (post.message === null) await house.db.run(adoptMessage, { tenantId, postId, place, message })
  const linked = await findClicker(house, from, click)
  if (linked.ok === null) return { kind: 'later', fault: linked.fault, seconds: linked.pauseSeconds }
  if (!linked.ok) return { kind: 'not_heard', why: linked.why, address: linked.address, actionId: null }
  const stale = staleness(action, click)
  if (stale !== null) return { kind: 'not_heard', why: stale, address: '', actionId }
  const at = { tenantId, personId: linked.personId, seconds: leaseSeconds(house) }
  const heard = await withLentSession(house, at, async (session): Promise<Heard | null> => {
    const asking = await personAsking(house, session, {
      requestId: `${kind} ${click.clickId.slice(0, 12)}`,
      address: '',
    })
    return asking === null ? null : await decide({ ...house, asking }, rooms, { kind, click, actionId })
  })
  return heard ?? { kind: 'not_heard', why: 'inactive', address: '', actionId }
}

type Clicker =
  | { readonly ok: true; readonly personId: number }
  /** `address` is what the member is told. */
  | { readonly ok: false; readonly why: NotHeard; readonly address: string }
  | Extract<MemberAddress, { ok: null }>

/** The one active person who has the address of the member, and had it when the button was pressed. */
async function findClicker(house: House, { driver, to }: From, click: clicks.ClickRow): Promise<Clicker> {
  const found = await driver.clicks.findAddress(house, to, click)
  if (found.ok === null) return found
  if (!found.ok) return { ...found, address: '' }
  const { address } = found
  const not = (why: NotHeard) => ({ ok: false, why, address }) as const
  const [person, ...others] = await peopleOfAddress(house, to.tenantId, address)
  if (person === undefined) return not('unlinked')
  if (others.length > 0) return not('shared_address')
  if (person.emailSince > click.receivedAt) return not('unlinked')
  return person.active ? { ok: true, personId: person.id } : not('inactive')
}

/** The message showed something that will not run; the click decides nothing, neither yes nor no. */
function staleness({ payloadHash, replacedBy }: ActionRow, click: clicks.ClickRow): 'stale' | 'amended' | null {
  if (payloadHash !== click.payloadHash) return 'stale'
  return replacedBy === null ? null : 'amended'
}

type Decided = { readonly kind: ChannelKind; readonly click: clicks.ClickRow; readonly actionId: string }

async function decide(ctx: Context, rooms: ActionRooms, { kind, click, actionId }: Decided): Promise<Heard> {
  const { conclusion } =
    click.verb === 'reject'
      ? await reject(ctx, { actionId, reason: null, source: kind })
      : await confirm(ctx, rooms, {
          actionId,
          // What asks for an acknowledgement is confirmed in the inbox, where it can be given.
          acknowledgeHighRisk: false,
          // A process may end after it has decided and before it says so: the click that is taken up again runs nothing.
          confirmKey: `${kind} ${click.clickId}`,
          payloadHash: click.payloadHash,
          source: kind,
        })
  return { kind: 'decided', status: conclusion.status, message: conclusion.message, actionId }
}

/** Every message about the write; and the one that was clicked, where it was sent twice and another of the two is known. */
async function rewrite(
  house: House,
  rooms: ActionRooms,
  { driver, to }: From,
  click: clicks.ClickRow,
  actionId: string,
): Promise<void> {
  const { tenantId } = to
  await writePostsOf(house, rooms, { tenantId, actionId })
  const post = await house.db.one(findPost, { tenantId, kind: driver.kind, postId: click.postId })
  if (post === undefined || post.message === click.message) return
  const card = await cardOf(house, rooms, { tenantId, actionId })
  if (card !== null) await driver.update?.(house, to, { card, postId: click.postId, isReminder: false }, click)
}

/** What the message itself says now. A no is what came of a click that said no; whoever said yes hears of it. */
const SEEN = {
  confirm: new Set<ConfirmStatus>(['Executed', 'Replayed', 'AwaitingApprovers']),
  reject: new Set<ConfirmStatus>(['Rejected']),
}

async function tell(
  house: House,
  { driver, to }: From,
  click: clicks.ClickRow,
  heard: Exclude<Heard, { kind: 'later' }>,
): Promise<void> {
  if (heard.kind === 'decided' && SEEN[click.verb].has(heard.status)) return
  const words = WORDS[languageOf((await findTenant(house, to.tenantId))?.language)]
  const text =
    heard.kind === 'decided'
      ? words.said[heard.status]
      : words.notHeard[heard.why]({ address: heard.address, name: driver.name })
  const fault = await driver.clicks.tell(house, to, click, text)
  if (fault !== null) {
    const { kind } = driver
    house.log.warn({ tenantId: to.tenantId, kind, fault }, 'The member who clicked could not be told the result.')
  }
}
