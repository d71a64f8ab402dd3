import type { Language, WatchFrame } from '@tether/contract'
import { isUnavailable } from '../../kernel/db/index.ts'
import { refuse, type ServerEvent } from '../../kernel/http/index.ts'
import { keyLives } from '../../tenancy/access/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { messagesAfter } from '../conversations/index.ts'
import { decisionOn } from './decisions.ts'
import { type EarlierProposal, NOTHING_TOLD, proposalsOf } from './proposals-of.ts'
import { conversationLives } from './queries.ts'

export type Watch = {
  /** A conversation that the caller has proved to be theirs. */
  readonly sessionId: string
  readonly language: Language
  /** The last frame that was read. */
  readonly after: number
  /** Aborts when the reader disconnects. */
  readonly reader: AbortSignal
}

/** The readers that wait for news of their conversation: what was decided, and what a person wrote. A watch is no turn: no model runs, and nothing is spent. */
export type Watches = {
  start(ctx: Context, watch: Watch): AsyncIterable<ServerEvent>
  /** Ends every watch, so that its reader asks again elsewhere. */
  close(): void
}

// Each look is two statements, over the few proposals of one conversation and over its latest messages, found by their indexes.
const LOOK_MS = 1000
/** So often a watch with no news looks whether its key and its conversation still live. */
const KEY_MS = 2000
const END: ServerEvent = { data: JSON.stringify({ type: 'end' } satisfies WatchFrame) }

export function openWatches({ settings }: Pick<House, 'settings'>): Watches {
  const { maxWatchesPerConversation, maxWatchesPerTenant } = settings.ai.chat
  const open = new Map<string, number>()
  const closing = new AbortController()

  const take = (names: readonly (readonly [string, number])[]): void => {
    if (names.some(([name, most]) => (open.get(name) ?? 0) >= most)) throw tooMany()
    for (const [name] of names) open.set(name, (open.get(name) ?? 0) + 1)
  }
  const release = (name: string): void => {
    const left = (open.get(name) ?? 1) - 1
    if (left === 0) open.delete(name)
    else open.set(name, left)
  }

  return {
    start(ctx, watch) {
      const tenant = `${ctx.asking.tenantId}`
      const conversation = `${tenant} ${watch.sessionId}`
      take([
        [conversation, maxWatchesPerConversation],
        [tenant, maxWatchesPerTenant],
      ])
      let isOpen = true
      const end = () => {
        if (isOpen) for (const name of [conversation, tenant]) release(name)
        isOpen = false
      }
      // A reader who leaves before anything is read starts no generator, and then none ends.
      if (watch.reader.aborted) end()
      else watch.reader.addEventListener('abort', end, { once: true })
      return (async function* () {
        try {
          yield* news(ctx, watch, AbortSignal.any([watch.reader, closing.signal]))
        } finally {
          end()
        }
      })()
    },
    close: () => closing.abort(),
  }
}

const tooMany = () =>
  refuse(
    'rate_limited',
    'Too many windows watch this conversation, or conversations of this workspace. Watch again later; the next turn is told as well.',
    { reason: 'watches' },
    { 'retry-after': '15' },
  )

async function* news(ctx: Context, watch: Watch, over: AbortSignal): AsyncGenerator<ServerEvent> {
  const { clock, settings } = ctx
  const endsAt = clock.now() + settings.ai.chat.watchSeconds * 1000
  const told = openTold(watch)
  yield {}
  let keySeen = clock.now()
  while (!over.aborted) {
    if (clock.now() - keySeen >= KEY_MS) {
      if (!(await stillMay(ctx, watch))) break
      keySeen = clock.now()
    }
    for (const one of await told.news(ctx)) {
      // Whoever's key was revoked meanwhile is told nothing more, and nothing more is told of what was erased.
      if (!(await stillMay(ctx, watch))) return yield END
      yield told.tell(one)
    }
    const left = endsAt - clock.now()
    if (left <= 0) break
    await clock.wait(Math.min(LOOK_MS, left), over).catch(() => {})
  }
  yield END
}

type News = {
  /** When it happened, in microseconds. Null of a write whose outcome is not known. */
  readonly number: number | null
  /** What it is news of, and what it says of that: neither is told twice. */
  readonly of: string
  readonly is: string
  readonly frame: WatchFrame
}

// Two that write at the same moment may commit in the other order.
const OVERLAP = 5_000_000

/** What one watch has told. */
function openTold({ sessionId, language, after }: Watch) {
  const told = new Map<string, string>()
  let last = after
  let heard = after

  const decisions = async (ctx: Context): Promise<News[]> =>
    numbered(await unlessAway(proposalsOf(ctx, sessionId, NOTHING_TOLD), [])).flatMap(({ id, proposal }) => {
      const decision = decisionOn(proposal, language)
      if (decision === undefined) return []
      const { actionId: of, state: is } = proposal
      return { number: id, of, is, frame: { type: 'decision', ...decision } }
    })
  const messages = async (ctx: Context): Promise<News[]> => {
    const found = await unlessAway(messagesAfter(ctx, sessionId, Math.max(after, heard - OVERLAP)), [])
    heard = found.at(-1)?.number ?? heard
    return found.map(({ number, at, ...message }) => {
      const frame: WatchFrame = { type: 'message', ...message, at: at.toISOString() }
      return { number, of: message.id, is: 'written', frame }
    })
  }

  return {
    async news(ctx: Context): Promise<News[]> {
      const all = [...(await decisions(ctx)), ...(await messages(ctx))]
      const isNew = ({ number, of, is }: News) => told.get(of) !== is && (number === null || number > after)
      return all.filter(isNew).toSorted((one, other) => placeOf(one) - placeOf(other))
    },
    tell({ number, of, is, frame }: News): ServerEvent {
      told.set(of, is)
      last = Math.max(last, number ?? 0)
      return { id: String(last), data: JSON.stringify(frame) }
    },
  }
}

const placeOf = ({ number }: News): number => number ?? Number.POSITIVE_INFINITY

const stillMay = async (ctx: Context, { sessionId }: Watch): Promise<boolean> => {
  if (!(await unlessAway(keyLives(ctx, ctx.asking), true))) return false
  const { tenantId } = ctx.asking
  return (await unlessAway(ctx.db.one(conversationLives, { tenantId, sessionId }), undefined))?.lives !== false
}

/** Where the database is away there is no news, and the next look may find some. */
async function unlessAway<Found>(asked: Promise<Found>, otherwise: Found): Promise<Found> {
  try {
    return await asked
  } catch (error) {
    if (isUnavailable(error)) return otherwise
    throw error
  }
}

/**
 * Numbers what was settled by when that was, in microseconds, so that every instance numbers alike; what one statement settled is
 * told apart by ones. A write whose outcome is not known is not settled: it has no number, and whoever reads again is told again.
 */
function numbered(proposals: readonly EarlierProposal[]): { id: number | null; proposal: EarlierProposal }[] {
  let last = 0
  return proposals
    .toSorted((one, other) => at(one) - at(other))
    .map((proposal) => {
      if (proposal.settledAt === null) return { id: null, proposal }
      last = Math.max(proposal.settledAt, last + 1)
      return { id: last, proposal }
    })
}

const at = ({ settledAt }: EarlierProposal): number => settledAt ?? Number.POSITIVE_INFINITY
