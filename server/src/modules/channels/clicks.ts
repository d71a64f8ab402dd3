// Decides what was clicked: by the verbs of the inbox, for the person who clicked, about what the message showed.
import type { ConfirmStatus } from '@tether/contract'
import { personAsking, withLentSession } from '../../tenancy/access/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { findTenant, languageOf } from '../../tenancy/tenants/index.ts'
import { type ActionRooms, confirm, findAction, reject } from '../../writes/actions/index.ts'
import { peopleOfAddress } from '../../writes/approvals/index.ts'
import { cardOf } from './card.ts'
import * as clicks from './click-queries.ts'
import type { ClickDriver, Connection } from './driver.ts'
import { adoptMessage, findPost, writeAgain } from './post-queries.ts'
import { writePostsOf } from './posts.ts'
import { findChannel, restChannel } from './queries.ts'
import { openConnection } from './secrets.ts'
import { type NotHeard, WORDS } from './words.ts'

/** A click that nobody could decide so often is told that it decided nothing. */
export const MOST_ATTEMPTS = 6
/** Its precondition is read, it is sent, and its effect is read back. */
const CALLS_OF_CONFIRM = 3
const BEYOND_CALLS_SECONDS = 20

export const leaseSeconds = ({ settings }: Pick<House, 'settings'>): number =>
  CALLS_OF_CONFIRM * settings.toolTransport.timeoutSeconds + BEYOND_CALLS_SECONDS

/** What came of a click. */
type Final =
  | { readonly kind: 'decided'; readonly status: ConfirmStatus; readonly actionId: string }
  | { readonly kind: 'not_heard'; readonly why: NotHeard; readonly address: string; readonly actionId: string | null }
type Heard = Final | { readonly kind: 'later'; readonly fault: string; readonly seconds: number }

/** One click, and the channel that it came from. */
type Clicking = {
  readonly house: House
  readonly rooms: ActionRooms
  readonly driver: ClickDriver
  readonly to: Connection
  readonly click: clicks.ClickRow
}

const notHeard = (why: NotHeard, { address = '', actionId = null as string | null } = {}): Final => ({
  kind: 'not_heard',
  why,
  address,
  actionId,
})

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
  const to = channel === undefined ? null : openConnection(house, { tenantId, kind }, channel)
  // Without a channel its clicks are gone, and this one with them. What does not open may open later.
  if (to === null) return
  const clicking = { house, rooms, driver, to, click }
  const heard = await hear(clicking)
  if (heard.kind === 'later' && click.attempts < MOST_ATTEMPTS) {
    const { seconds, fault } = heard
    await db.run(restChannel, { tenantId, kind, fault, seconds: 0 })
    await db.run(clicks.postponeClick, { tenantId, clickId: click.clickId, lease: click.lease, seconds })
    return
  }
  const final = heard.kind === 'later' ? notHeard('unreachable') : heard
  const outcome = final.kind === 'decided' ? final.status : final.why
  await db.run(clicks.settleClick, { tenantId, clickId: click.clickId, lease: click.lease, outcome })
  house.log.info({ tenantId, kind, verb: click.verb, outcome }, 'A click was decided.')
  // The write stands as before, but its message may still offer to approve what nobody can approve any longer.
  if (outcome === 'GuardForbidden') await db.run(writeAgain, { tenantId, postId: click.postId })
  if (final.actionId !== null) await rewrite(clicking, final.actionId)
  await tell(clicking, final)
}

async function hear(clicking: Clicking): Promise<Heard> {
  const { house, driver, to, click } = clicking
  const { tenantId } = to
  const { kind } = driver
  const { postId, place, message } = click
  const post = await house.db.one(findPost, { tenantId, kind, postId })
  const action = post === undefined ? undefined : await house.db.one(findAction, { tenantId, actionId: post.actionId })
  // A button that was copied into another channel is none of ours.
  if (post === undefined || action === undefined || (post.place ?? place) !== place) return notHeard('unknown_message')
  const { actionId } = action
  if (post.message === null) await house.db.run(adoptMessage, { tenantId, postId, place, message })
  const clicker = await findClicker(clicking)
  if (clicker.kind !== 'person') return clicker
  // The message showed a write that will not run. The click decides nothing, neither yes nor no.
  if (action.payloadHash !== click.payloadHash) return notHeard('stale', { actionId })
  if (action.replacedBy !== null) return notHeard('amended', { actionId })
  const at = { tenantId, personId: clicker.personId, seconds: leaseSeconds(house) }
  const heard = await withLentSession(house, at, async (session) => {
    const requestId = `${kind} ${click.clickId.slice(0, 12)}`
    const asking = await personAsking(house, session, { requestId, address: '' })
    return asking === null ? null : await decide({ ...house, asking }, clicking, actionId)
  })
  return heard ?? notHeard('inactive', { actionId })
}

type Person = { readonly kind: 'person'; readonly personId: number }

/** The one active person who has the address of the member, and had it when the button was pressed. */
async function findClicker({ house, driver, to, click }: Clicking): Promise<Heard | Person> {
  const found = await driver.clicks.findAddress(house, to, click)
  if (found.ok === null) return { kind: 'later', fault: found.fault, seconds: found.pauseSeconds }
  if (!found.ok) return notHeard(found.why)
  const { address } = found
  const [person, ...others] = await peopleOfAddress(house, to.tenantId, address)
  if (others.length > 0) return notHeard('shared_address', { address })
  if (person === undefined || person.emailSince > click.receivedAt) return notHeard('unlinked', { address })
  return person.active ? { kind: 'person', personId: person.id } : notHeard('inactive', { address })
}

async function decide(ctx: Context, { rooms, driver, click }: Clicking, actionId: string): Promise<Final> {
  const source = driver.kind
  const { conclusion } =
    click.verb === 'reject'
      ? await reject(ctx, { actionId, reason: null, source })
      : await confirm(ctx, rooms, {
          actionId,
          // What asks for an acknowledgement is confirmed in the inbox, where it can be given.
          acknowledgeHighRisk: false,
          // A process may end after it has decided and before it says so: the click that is taken up again runs nothing.
          confirmKey: `${source} ${click.clickId}`,
          payloadHash: click.payloadHash,
          source,
        })
  return { kind: 'decided', status: conclusion.status, actionId }
}

/** Every message about the write; and the one that was clicked, where it was sent twice and another of the two is known. */
async function rewrite({ house, rooms, driver, to, click }: Clicking, actionId: string): Promise<void> {
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

async function tell({ house, driver, to, click }: Clicking, heard: Final): Promise<void> {
  if (heard.kind === 'decided' && SEEN[click.verb].has(heard.status)) return
  const words = WORDS[languageOf((await findTenant(house, to.tenantId))?.language)]
  const { kind, name } = driver
  const text =
    heard.kind === 'decided' ? words.said[heard.status] : words.notHeard[heard.why]({ address: heard.address, name })
  const fault = await driver.clicks.tell(house, to, click, text)
  if (fault !== null)
    house.log.warn({ tenantId: to.tenantId, kind, fault }, 'The member who clicked could not be told the result.')
}
