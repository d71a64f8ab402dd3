import { isUnavailable } from '../../foundation/db/index.ts'
import { seldom } from '../../foundation/log/index.ts'
import type { House } from '../../ground/context/index.ts'
import { type Batch, batchesOf } from '../../ground/jobs/index.ts'
import type { Frames } from './live.ts'
import { type ToldRow, tellFrames } from './queries.ts'
import { type Head, sealFrames, sealHead } from './seal.ts'
import { openTicker } from './ticker.ts'

/** One turn that this instance runs. */
export type Told = {
  readonly tenantId: number
  readonly requestId: string
  readonly head: Head
  readonly frames: Frames
  readonly stop: AbortController
}

export type Recorder = {
  /** Tells the other instances of this turn until it is over. */
  record(turn: Told): void
  close(): Promise<void>
}

type Recording = Told & {
  /** How many frames are there already; undefined where the others know nothing of the turn. */
  told: number | undefined
  beatAt: number
  overAt: number | undefined
}

const TICK_MS = 100
const BEAT_MS = 2_000
const AWAY_MS = 1_000
/** A turn that is over and cannot be told of, because its workspace is gone, is not tried for longer. */
const LEFT_UNTOLD_MS = 120_000
const COMPLAIN_EVERY_MS = 60_000

type Parts = Pick<House, 'db' | 'keyring' | 'log' | 'settings'> & { readonly slotSeconds: number }

/**
 * Writes what the turns of this instance say, all of them in one statement and ten times a second, so that a turn that nobody
 * reads elsewhere costs next to nothing. The same statement brings back which of them somebody asks to stop. While the database is
 * away the frames wait here, where they are kept anyway.
 */
export function openRecorder(parts: Parts): Recorder {
  const { log } = parts
  const turns = new Map<string, Recording>()
  const complain = seldom(log, COMPLAIN_EVERY_MS)

  const tick = async (): Promise<number | null> => {
    if (turns.size === 0) return null
    try {
      await tellOf(parts, turns)
    } catch (error) {
      if (!isUnavailable(error))
        complain({ error }, 'Frames of turns cannot be kept, so that other instances cannot read them.')
      // What was there may be gone with the database that was away, and that is found out first.
      for (const turn of turns.values()) turn.beatAt = 0
      return AWAY_MS
    }
    return turns.size === 0 ? null : TICK_MS
  }
  const ticker = openTicker(tick)
  return {
    record(turn) {
      turns.set(turn.requestId, { ...turn, told: undefined, beatAt: 0, overAt: undefined })
      ticker.wake()
    },
    close: () => ticker.close(),
  }
}

async function tellOf(parts: Parts, turns: Map<string, Recording>): Promise<void> {
  const now = performance.now()
  const said = [...turns.values()].flatMap((turn) => rowsOf(parts.keyring, turn, now))
  for (const batch of batchesOf(said, parts.settings)) await tellBatch(parts, turns, { ...batch, now })
}

type Said = Batch<ToldRow> & { readonly now: number }

async function tellBatch(
  { db, slotSeconds }: Parts,
  turns: Map<string, Recording>,
  { tenantIds, rows: said, now }: Said,
): Promise<void> {
  const writing = said.filter(({ n, beat }) => n !== null || beat)
  const saying = [...new Set(writing.map(({ tenantId }) => tenantId))]
  const rows = await db.rows(tellFrames, { tenantIds, saying, told: JSON.stringify(said), slotSeconds })
  const answers = new Set(rows.map(({ what, requestId, n }) => `${what} ${requestId} ${n}`))
  for (const row of said) {
    const turn = turns.get(row.requestId)
    if (turn === undefined) continue
    if (answers.has(`stop ${row.requestId} -1`)) turn.stop.abort()
    if (row.beat && !answers.has(`known ${row.requestId} 0`)) turn.told = undefined
    else if (row.n !== null && answers.has(`kept ${row.requestId} ${row.n}`)) heard(turns, turn, row)
    if (turn.overAt !== undefined && now - turn.overAt > LEFT_UNTOLD_MS) turns.delete(turn.requestId)
  }
}

function heard(turns: Map<string, Recording>, turn: Recording, { n, over }: ToldRow): void {
  if (over) turns.delete(turn.requestId)
  else turn.told = n ?? undefined
}

/** What the others do not know yet. A row is sealed to its place, and its number says which frames it holds. */
function rowsOf(keyring: House['keyring'], turn: Recording, now: number): ToldRow[] {
  const { tenantId, requestId, head, frames, told } = turn
  const row = { tenantId, requestId, data: null, over: false, beat: false }
  const rows: ToldRow[] = []
  if (told === undefined) rows.push({ ...row, n: 0, data: sealHead(keyring, row, head) })
  const { over } = frames
  const n = frames.all.length
  if (over) turn.overAt ??= now
  const coming = head.isKept ? frames.all.slice(told ?? 0) : []
  if (coming.length > 0) rows.push({ ...row, n, data: sealFrames(keyring, { ...row, n }, coming), over })
  else if (over) rows.push({ ...row, n: n + 1, over })
  const beat = told !== undefined && now - turn.beatAt >= BEAT_MS
  if (beat || told === undefined) turn.beatAt = now
  if (beat || rows.length === 0) rows.push({ ...row, n: null, beat })
  return rows
}
