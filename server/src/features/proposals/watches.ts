import type { Language, WatchFrame } from '@tether/contract'
import { isUnavailable } from '../../foundation/db/index.ts'
import { refuse, type ServerEvent } from '../../foundation/http/index.ts'
import { keyLives } from '../../ground/access/index.ts'
import type { Context, House } from '../../ground/context/index.ts'
import { decisionOn } from './decisions.ts'
import { type EarlierProposal, EVER, proposalsOf } from './proposals-of.ts'

export type Watch = {
  /** A conversation that the caller has proved to be theirs. */
  readonly sessionId: string
  readonly language: Language
  /** The last frame that was read. */
  readonly after: number
  /** Aborts when the reader disconnects. */
  readonly reader: AbortSignal
}

/** The readers that wait for news of their conversation. A watch is no turn: no model runs, and nothing is spent. */
export type Watches = {
  start(ctx: Context, watch: Watch): AsyncIterable<ServerEvent>
  /** Ends every watch, so that its reader asks again elsewhere. */
  close(): void
}

// Each look is one statement over the few proposals of one conversation, found by its index.
const LOOK_MS = 1000
/** So often a watch with no news looks whether its key still lives. */
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
      return (async function* () {
        try {
          yield* news(ctx, watch, AbortSignal.any([watch.reader, closing.signal]))
        } finally {
          release(conversation)
          release(tenant)
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
  const told = new Map<string, string>()
  let last = watch.after
  yield {}
  let keySeen = clock.now()
  while (!over.aborted) {
    if (clock.now() - keySeen >= KEY_MS) {
      if (!(await stillMay(ctx))) break
      keySeen = clock.now()
    }
    for (const { id, proposal } of numbered(await look(ctx, watch.sessionId))) {
      const { actionId, state } = proposal
      const isOld = told.get(actionId) === state || (id !== null && id <= watch.after)
      const decision = decisionOn(proposal, watch.language)
      if (decision === undefined || isOld) continue
      // Whoever's key was revoked meanwhile is told nothing more.
      if (!(await stillMay(ctx))) return yield END
      told.set(actionId, state)
      last = Math.max(last, id ?? 0)
      yield { id: String(last), data: JSON.stringify({ type: 'decision', ...decision } satisfies WatchFrame) }
    }
    const left = endsAt - clock.now()
    if (left <= 0) break
    await clock.wait(Math.min(LOOK_MS, left), over).catch(() => {})
  }
  yield END
}

/** Where the database is away there is no news, and the next look may find some. */
const look = (ctx: Context, sessionId: string): Promise<readonly EarlierProposal[]> =>
  unlessAway(proposalsOf(ctx, sessionId, EVER), [])

const stillMay = (ctx: Context): Promise<boolean> => unlessAway(keyLives(ctx, ctx.asking), true)

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
