// One write as a message shows it, whichever channel the message is for.
import type { Language } from '@tether/contract'
import { cut, isNumber, type Json, member, stringifyJson } from '../../kernel/json/index.ts'
import { withSignsTold } from '../../kernel/text/index.ts'
import { businessAsking } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { findTenant, languageOf } from '../../tenancy/tenants/index.ts'
import type { Action, ActionRooms } from '../../writes/actions/index.ts'
import { type ListedRow, listEvents } from '../../writes/audit/index.ts'
import { argumentLabels, inWordsOf, type Looked, lookAt } from '../../writes/decisions/index.ts'
import { type ChannelWords, WORDS } from './words.ts'

export type Card = ReturnType<typeof drawn>

// What a message has room for. A write that needs more is not approved from one, because whoever approves must have seen all of it.
const MOST_FACTS = 20
const LONGEST_LABEL = 120
const LONGEST_VALUE = 800
/** Of all arguments, as JSON writes them. Slack takes 13,200 characters in a message, and Teams 28 KB. */
const MOST_BYTES = 9_000
const LONGEST_REQUEST = 2_800
const LONGEST_WHY = 500
const LONGEST_TITLE = 140
const LONGEST_LINE = 600
const MOST_TRAIL = 100
const MINUTE = 60_000

type CardRooms = Pick<ActionRooms, 'calls' | 'catalogs'>

/** Null once the workspace is gone. */
export async function cardOf(
  house: House,
  rooms: CardRooms,
  { tenantId, actionId }: { readonly tenantId: number; readonly actionId: string },
): Promise<Card | null> {
  const asking = await businessAsking(house, tenantId, { requestId: '', address: '' })
  if (asking === null) return null
  const ctx = { ...house, asking }
  const looked = await lookAt(ctx, rooms, actionId)
  if (looked === null) return null
  const [tenant, trail] = await Promise.all([
    findTenant(house, tenantId),
    listEvents(ctx, tenantId, { actionId }, { after: 0, limit: MOST_TRAIL }),
  ])
  const language = languageOf(tenant?.language)
  const [called] = await inWordsOf(ctx, rooms.catalogs, language, [looked.action])
  return drawn(house, { ...looked, action: called ?? looked.action }, trail.events, language)
}

function drawn(house: House, looked: Looked, trail: readonly ListedRow[], language: Language) {
  const words = WORDS[language]
  const { action, given, tool, preview } = looked
  const names = Object.keys(given)
  const labels = argumentLabels(tool, names, language)
  const all = names.map(
    (name) => [shown(labels.get(name) ?? name), shown(textOf(member(given, name) ?? null))] as const,
  )
  const exactly = preview === null ? null : withSignsTold(JSON.stringify(preview, null, 2))
  const facts = withRoom(all.map(([label, value]) => [cut(label, LONGEST_LABEL), cut(value, LONGEST_VALUE)] as const))
  const isLong =
    facts.length < all.length ||
    all.some(([label, value]) => label.length > LONGEST_LABEL || value.length > LONGEST_VALUE) ||
    (exactly?.length ?? 0) > LONGEST_REQUEST
  return {
    language,
    words,
    action,
    title: cut(shown(action.title), LONGEST_TITLE),
    facts,
    /** Null where nothing could be sent any longer. */
    exactly: exactly === null ? null : cut(exactly, LONGEST_REQUEST),
    asked: cut(askedBy(words, action, trail), LONGEST_LINE),
    why: action.rationale === null ? null : cut(shown(action.rationale), LONGEST_WHY),
    approvals: cut(approvalsIn(words, looked), LONGEST_LINE),
    /** Why nobody can approve it in a message; null where somebody can. */
    inInbox: whyInInbox(looked, exactly, isLong),
    /** Who ended it; null where nobody did, or it is open. */
    endedBy: action.state === 'pending' ? null : endedBy(trail),
    url: `${house.settings.mail.inboxBaseUrl}?lang=${language}&action=${action.actionId}`,
    minutesLeft: Math.max(0, Math.floor((action.expiresAt.getTime() - house.clock.now()) / MINUTE)),
    /** Nothing more will become of it. */
    isFinal: isFinal(looked),
  }
}

/** What it waits for, or what became of it, in one line. */
export const headingOf = (card: Card, isReminder: boolean): string =>
  card.action.state !== 'pending' ? ended(card) : isReminder ? card.words.stillWaits : card.words.waits

function ended({ words, action, endedBy }: Card): string {
  const { state, replacedBy, errorMessage, verificationStatus } = action
  if (replacedBy !== null) return endedBy === null ? words.amended : `${words.amended} (${words.by(endedBy)})`
  const by = endedBy === null ? '' : ` ${words.by(endedBy)}`
  const why = state === 'rejected' && errorMessage !== null ? `: ${withSignsTold(cut(errorMessage, 500))}` : ''
  const checked = verificationStatus === null ? '' : ` ${words.verification[verificationStatus]}`
  return `${words.state[state]}${by}${why}.${checked}`.replace(/\.\./g, '.')
}

type InInbox = keyof ChannelWords['inInbox']

function whyInInbox({ changed, acknowledge }: Looked, exactly: string | null, isLong: boolean): InInbox | null {
  if (changed !== null && changed.what !== 'request') return 'moved'
  if (exactly === null) return 'gone'
  if (acknowledge !== null) return 'acknowledge'
  return isLong ? 'long' : null
}

type Fact = readonly [label: string, value: string]

/** The first ones, as many as a message has room for. */
function withRoom(all: readonly Fact[]): readonly Fact[] {
  let left = MOST_BYTES
  const beyond = all.findIndex((fact, at) => {
    left -= Buffer.byteLength(JSON.stringify(fact))
    return left < 0 || at === MOST_FACTS
  })
  return beyond < 0 ? all : all.slice(0, beyond)
}

/** A text of nothing but spaces could not be told from none, and half a character is none that a channel takes. */
const shown = (text: string): string => withSignsTold(text.trim() === '' ? JSON.stringify(text) : text.toWellFormed())
const textOf = (value: Json): string =>
  typeof value === 'string' ? value : isNumber(value) ? String(value) : stringifyJson(value)

const nameOf = ({ displayName, userId }: ListedRow): string => displayName ?? `#${userId}`

function askedBy(words: ChannelWords, action: Action, trail: readonly ListedRow[]): string {
  const proposed = trail.find(({ event }) => event === 'proposed')
  const who =
    proposed !== undefined && proposed.userId !== 0
      ? words.askedBy(shown(nameOf(proposed)))
      : action.sessionId !== null
        ? words.askedByVisitor
        : words.askedOverApi
  return action.subject === null ? who : `${who}, ${words.customer(shown(action.subject))}`
}

/** Whoever ended it stands in the line of its end; what was read back afterwards is nobody's. */
function endedBy(trail: readonly ListedRow[]): string | null {
  const ending = trail.findLast(({ event }) =>
    ['executed', 'failed', 'rejected', 'precondition_failed', 'provider_refused', 'approved'].includes(event),
  )
  return ending === undefined || ending.userId === 0 ? null : shown(nameOf(ending))
}

function approvalsIn(words: ChannelWords, { outlook, approvals }: Looked): string {
  const { required, received, roles, givenBy } = outlook
  const counted = approvals.filter(({ id }) => id !== null && givenBy.includes(id))
  const names = counted.map(({ displayName }) => shown(displayName ?? '?')).join(', ')
  const needed = words.approvedBy(received, required, names)
  return roles === null ? needed : `${needed} ${words.roles(shown(roles.join(', ')))}`
}

/** Nothing is read back, or it was. */
function isFinal({ action: { state, verificationStatus }, tool }: Looked): boolean {
  if (state === 'executed') return verificationStatus !== null || tool?.verify == null
  return state === 'failed' || state === 'rejected' || state === 'expired' || state === 'precondition_failed'
}
