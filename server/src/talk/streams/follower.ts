import type { ChatFrame } from '@tether/contract'
import { isUnavailable } from '../../kernel/db/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { openTicker } from '../../tenancy/jobs/index.ts'
import { type Frames, noFrames, wake } from './live.ts'
import { type FrameRow, readFrames } from './queries.ts'
import { openFrames } from './seal.ts'

type Follower = {
  /** The frames of a turn that another instance runs or ran, as they come, until `leave`. All readers here share them. */
  join(tenantId: number, requestId: string): Promise<Frames>
  leave(requestId: string): void
  close(): Promise<void>
}

type Followed = {
  readonly tenantId: number
  readonly requestId: string
  readonly frames: Frames
  /** Resolves with the first look. */
  readonly looked: PromiseWithResolvers<void>
  readers: number
  /** When something was last new, or the database answered again. */
  quietSince: number
  awaySince: number | undefined
}

const TICK_MS = 100
const AWAY_MS = 500
/** An instance says every two seconds that it lives. */
export const SILENT_SECONDS = 10
/** One that could not say so, because the database was away, has so long to say it. */
const QUIET_MS = 5_000
const LONGEST_AWAY_MS = 20_000
const COMPLAIN_EVERY_MS = 60_000

type Parts = Pick<House, 'db' | 'keyring' | 'log'> & { readonly quietMs: number | undefined }

/** Reads what turns of other instances say: all that somebody reads here in one statement, ten times a second. */
export function openFollower({ db, keyring, log, quietMs = QUIET_MS }: Parts): Follower {
  const turns = new Map<string, Followed>()
  const complain = seldom(log, COMPLAIN_EVERY_MS)

  const look = async (): Promise<number | null> => {
    const asked = [...turns.values()].filter(({ frames }) => !frames.over)
    if (asked.length === 0) return null
    try {
      await lookAt({ db, keyring, quietMs }, asked)
      return TICK_MS
    } catch (error) {
      if (!isUnavailable(error)) complain({ error }, 'Frames of turns of other instances cannot be read.')
      for (const one of asked) away(one)
      return AWAY_MS
    }
  }
  const ticker = openTicker(look)
  return {
    async join(tenantId, requestId) {
      const known = turns.get(requestId)
      const turn = known ?? newFollowed(tenantId, requestId)
      turn.readers++
      turns.set(requestId, turn)
      ticker.wake()
      await turn.looked.promise
      return turn.frames
    },
    leave(requestId) {
      const turn = turns.get(requestId)
      if (turn !== undefined && --turn.readers === 0) turns.delete(requestId)
    },
    async close() {
      turns.clear()
      await ticker.close()
    },
  }
}

const newFollowed = (tenantId: number, requestId: string): Followed => ({
  tenantId,
  requestId,
  frames: noFrames(),
  looked: Promise.withResolvers<void>(),
  readers: 0,
  quietSince: performance.now(),
  awaySince: undefined,
})

type Looking = Pick<House, 'db' | 'keyring'> & { readonly quietMs: number }

async function lookAt({ db, keyring, quietMs }: Looking, asked: readonly Followed[]): Promise<void> {
  const read = asked.map(({ tenantId, requestId, frames }) => ({ tenantId, requestId, after: frames.all.length }))
  const byTurn = Map.groupBy(await db.rows(readFrames, { read: JSON.stringify(read) }), (row) => row.requestId)
  const now = performance.now()
  for (const turn of asked) {
    const rows = byTurn.get(turn.requestId) ?? []
    if (turn.awaySince !== undefined) [turn.awaySince, turn.quietSince] = [undefined, now]
    if (take(keyring, turn, rows)) turn.quietSince = now
    else if (now - turn.quietSince > quietMs && isSilent(rows)) lose(turn, LOST)
    turn.looked.resolve()
  }
}

/** Nothing is known of it where there is not even its head. */
const isSilent = (rows: readonly FrameRow[]): boolean =>
  rows.every(({ silentSeconds }) => silentSeconds === null || silentSeconds > SILENT_SECONDS)

/** True if there was something new. A row that came twice, or in other parts, adds only what is missing. */
function take(keyring: House['keyring'], turn: Followed, rows: readonly FrameRow[]): boolean {
  const { tenantId, requestId, frames } = turn
  const before = frames.all.length
  for (const { n, data, over } of rows) {
    const held = data === null ? [] : openFrames(keyring, { tenantId, requestId, n }, data)
    if (held === null) {
      lose(turn, LOST)
      return true
    }
    const first = data === null ? n - 1 : n - held.length
    if (n === 0 || first > frames.all.length) continue
    frames.all.push(...held.slice(frames.all.length - first))
    if (over) frames.over = true
  }
  const isNew = frames.over || frames.all.length > before
  if (isNew) wake(frames)
  return isNew
}

type Ending = Extract<ChatFrame, { type: 'error' }>

const LOST: Ending = {
  type: 'error',
  code: 'TURN_LOST',
  message: 'The instance that ran this turn is gone, and the rest of its answer with it. Ask again.',
}
const AWAY: Ending = {
  type: 'error',
  code: 'DATABASE_UNAVAILABLE',
  message: 'The database does not answer. Try again in a moment.',
}

function lose({ frames }: Followed, ending: Ending): void {
  frames.all.push(JSON.stringify(ending))
  frames.over = true
  frames.lost = true
  wake(frames)
}

function away(turn: Followed): void {
  turn.awaySince ??= performance.now()
  if (performance.now() - turn.awaySince < LONGEST_AWAY_MS) return
  lose(turn, AWAY)
  turn.looked.resolve()
}
