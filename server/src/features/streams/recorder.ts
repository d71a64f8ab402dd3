import { isUnavailable } from '../../foundation/db/index.ts'
import { seldom } from '../../foundation/log/index.ts'
import type { House } from '../../ground/context/index.ts'
import { batchesOf } from '../../ground/jobs/index.ts'
import type { Frames } from './live.ts'
import { type Told, tellAndAsk, tellFrames } from './queries.ts'
import { type Head, sealFrames, sealHead } from './seal.ts'
import { openTicker } from './ticker.ts'

/** One turn that this instance runs. */
export type Turn = {
  readonly tenantId: number
  readonly requestId: string
  readonly head: Head
  readonly frames: Frames
  readonly stop: AbortController
}

export type Recorder = {
  /** Tells the other instances of this turn until it is over. */
  record(turn: Turn): void
  close(): Promise<void>
}

type Recording = Turn & {
  /** How many frames are there already; undefined where the others know nothing of the turn. */
  told: number | undefined
  overAt: number | undefined
}

type Recordings = {
  readonly turns: Map<string, Recording>
  /** When it was last asked who should stop, and when it was last said that this instance lives. */
  askedAt: number
  beatAt: number
}

const TICK_MS = 100
const ASK_MS = 300
const BEAT_MS = 2_000
const AWAY_MS = 1_000
/** A turn that is over and cannot be told of, because its workspace is gone, is not tried for longer. */
const LEFT_UNTOLD_MS = 120_000
const COMPLAIN_EVERY_MS = 60_000

type Parts = Pick<House, 'db' | 'keyring' | 'log' | 'settings'> & { readonly slotSeconds: number }

/**
 * Writes what the turns of this instance say, all of them in one statement and ten times a second, so that a turn that nobody
 * reads elsewhere costs next to nothing. Every third time the statement also brings back which of them somebody asks to stop. While
 * the database is away the frames wait here, where they are kept anyway.
 */
export function openRecorder(parts: Parts): Recorder {
  const { log } = parts
  const recordings: Recordings = { turns: new Map(), askedAt: 0, beatAt: 0 }
  const { turns } = recordings
  const complain = seldom(log, COMPLAIN_EVERY_MS)

  const tick = async (): Promise<number | null> => {
    if (turns.size === 0) return null
    try {
      await tellOf(parts, recordings)
    } catch (error) {
      if (!isUnavailable(error))
        complain({ error }, 'Frames of turns cannot be kept, so that other instances cannot read them.')
      // What was there may be gone with the database that was away, and that is found out first.
      recordings.askedAt = recordings.beatAt = Number.NEGATIVE_INFINITY
      return AWAY_MS
    }
    return turns.size === 0 ? null : TICK_MS
  }
  const ticker = openTicker(tick)
  return {
    record(turn) {
      turns.set(turn.requestId, { ...turn, told: undefined, overAt: undefined })
      ticker.wake()
    },
    close: () => ticker.close(),
  }
}

/** One row to keep, or, where `n` is null, a turn that asks. */
type Row = {
  readonly tenantId: number
  readonly turn: Recording
  readonly n: number | null
  readonly data: string | null
  readonly over: boolean
  readonly beat: boolean
}

async function tellOf({ db, keyring, settings, slotSeconds }: Parts, recordings: Recordings): Promise<void> {
  const { turns } = recordings
  const now = performance.now()
  const [asks, beats] = [now - recordings.askedAt >= ASK_MS, now - recordings.beatAt >= BEAT_MS]
  const rows: Row[] = []
  for (const turn of turns.values()) {
    if (turn.frames.over) turn.overAt ??= now
    rows.push(...rowsOf(keyring, turn))
    // It comes last, so that whoever is no longer known is told of anew. A turn that nobody has been told of is not asked about.
    if (asks)
      rows.push({
        tenantId: turn.tenantId,
        turn,
        n: null,
        data: null,
        over: false,
        beat: beats && turn.told !== undefined,
      })
  }
  for (const batch of batchesOf(rows, settings)) {
    const told = { ...columnsOf(batch.rows), slotSeconds }
    const heard = asks ? db.rows(tellAndAsk, { ...told, tenants: batch.tenantIds }) : db.rows(tellFrames, told)
    const answers = new Set((await heard).map(({ what, requestId, n }) => `${what} ${requestId} ${n}`))
    for (const row of batch.rows) hear(turns, row, answers)
  }
  if (rows.length === 0) return
  if (asks) recordings.askedAt = now
  if (asks && beats) recordings.beatAt = now
  for (const { requestId, overAt } of turns.values())
    if (overAt !== undefined && now - overAt > LEFT_UNTOLD_MS) turns.delete(requestId)
}

const distinct = (rows: readonly Row[]): readonly number[] => [...new Set(rows.map(({ tenantId }) => tenantId))]

const columnsOf = (rows: readonly Row[]): Omit<Told, 'slotSeconds'> => ({
  saying: distinct(rows.filter(({ n, beat }) => n !== null || beat)),
  tenantIds: rows.map(({ tenantId }) => tenantId),
  requestIds: rows.map(({ turn }) => turn.requestId),
  ns: rows.map(({ n }) => n),
  data: rows.map(({ data }) => data),
  over: rows.map(({ over }) => over),
  beats: rows.map(({ beat }) => beat),
})

function hear(turns: Map<string, Recording>, { turn, n, over, beat }: Row, answers: ReadonlySet<string>): void {
  const { requestId } = turn
  if (n !== null) {
    if (!answers.has(`kept ${requestId} ${n}`)) return
    if (over) turns.delete(requestId)
    else turn.told = n
    return
  }
  if (answers.has(`stop ${requestId} -1`)) turn.stop.abort()
  if (beat && !answers.has(`known ${requestId} 0`)) turn.told = undefined
}

/** What the others do not know yet. A row is sealed to its place, and its number says which frames it holds. */
function rowsOf(keyring: House['keyring'], turn: Recording): Row[] {
  const { head, frames, told } = turn
  const row = { tenantId: turn.tenantId, turn, data: null, over: false, beat: false }
  const rows: Row[] = []
  if (told === undefined) rows.push({ ...row, n: 0, data: sealHead(keyring, turn, head) })
  const { over } = frames
  const n = frames.all.length
  const coming = head.isKept ? frames.all.slice(told ?? 0) : []
  if (coming.length > 0) rows.push({ ...row, n, data: sealFrames(keyring, { ...turn, n }, coming), over })
  else if (over) rows.push({ ...row, n: n + 1, over })
  return rows
}
