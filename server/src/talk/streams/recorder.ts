import { isUnavailable } from '../../kernel/db/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { batchesOf, openTicker } from '../../tenancy/jobs/index.ts'
import type { Frames } from './live.ts'
import { beatTurns, hearAsked, TO_STOP, type Told, tellFrames } from './queries.ts'
import { type Head, sealFrames, sealHead } from './seal.ts'

/** One turn that this instance runs. */
export type Turn = {
  readonly tenantId: number
  readonly requestId: string
  readonly head: Head
  readonly frames: Frames
  readonly stop: AbortController
}

type Recorder = {
  /** Tells the other instances of this turn from the next moment on, until it is over. */
  record(turn: Turn): void
  close(): Promise<void>
}

type Recording = Turn & {
  /** How many frames are there already; undefined where the others know nothing of the turn. */
  told: number | undefined
  /** Whether somebody reads it at another instance. */
  isFollowed: boolean
  overAt: number | undefined
}

type Recordings = {
  readonly turns: Map<string, Recording>
  /** When what nobody follows was last told, and what others ask last heard. */
  toldAt: number
  heardAt: number
  /** When that is due again, and to say that this instance lives. */
  hearAt: number
  beatAt: number
}

const TICK_MS = 100
/** As often what is told that nobody reads elsewhere yet. An instance that is killed loses so much of it. */
const UNFOLLOWED_MS = 500
const HEAR_MS = 300
/** What was asked before the last hearing, and committed after it. */
const LATE_MS = 10_000
const BEAT_MS = 2_000
const AWAY_MS = 1_000
/** A turn that is over and cannot be told of, because its workspace is gone, is not tried for longer. */
const LEFT_UNTOLD_MS = 120_000
const COMPLAIN_EVERY_MS = 60_000

type Parts = Pick<House, 'db' | 'keyring' | 'log' | 'settings'> & { readonly slotSeconds: number }

/**
 * Writes what the turns of this instance say, all of them in one statement: their beginning at once, their end within a tenth of a
 * second, and what is between twice a second, until somebody reads it at another instance and asks for it at once. So a turn that nobody reads
 * there costs next to nothing. What others ask is heard three times a second. While the database is away the frames wait here, where
 * they are kept anyway.
 */
export function openRecorder(parts: Parts): Recorder {
  const { log } = parts
  const recordings: Recordings = { turns: new Map(), toldAt: 0, heardAt: 0, hearAt: 0, beatAt: 0 }
  const { turns } = recordings
  const complain = seldom(log, COMPLAIN_EVERY_MS)

  const tick = async (): Promise<number | null> => {
    if (turns.size === 0) return null
    try {
      await hearOf(parts, recordings)
      await tellOf(parts, recordings)
    } catch (error) {
      if (!isUnavailable(error))
        complain({ error }, 'Frames of turns cannot be kept, so that other instances cannot read them.')
      // What was there may be gone with the database that was away, and that is found out first.
      recordings.hearAt = recordings.beatAt = 0
      return AWAY_MS
    }
    return turns.size === 0 ? null : TICK_MS
  }
  const ticker = openTicker(tick)
  return {
    record(turn) {
      turns.set(turn.requestId, { ...turn, told: undefined, isFollowed: false, overAt: undefined })
      // Whoever has its name may ask any instance for it, also when this one is killed the moment after.
      if (turn.head.isKept) ticker.hurry()
      // Nobody asks for the others but to stop them, and one that is over by then is told in one piece.
      else ticker.wake(TICK_MS)
    },
    close: () => ticker.close(),
  }
}

/** Hears what others ask of the turns that they know, and says from time to time that this instance lives. */
async function hearOf({ db, settings }: Parts, recordings: Recordings): Promise<void> {
  const now = performance.now()
  if (now < recordings.hearAt) return
  const { turns, heardAt } = recordings
  const beats = now >= recordings.beatAt
  const known = [...turns.values()].filter(({ told }) => told !== undefined)
  for (const { tenantIds: tenants, rows } of batchesOf(known, settings)) {
    const seconds = (now - heardAt + LATE_MS) / 1000
    for (const { requestId, n } of await db.rows(hearAsked, { tenants, seconds })) hear(turns.get(requestId), n)
    if (beats) await beat(db, tenants, rows)
  }
  recordings.heardAt = now
  recordings.hearAt = now + HEAR_MS
  if (beats) recordings.beatAt = now + BEAT_MS
}

async function beat(db: House['db'], tenants: readonly number[], turns: readonly Recording[]): Promise<void> {
  const tenantIds = turns.map(({ tenantId }) => tenantId)
  const requestIds = turns.map(({ requestId }) => requestId)
  const still = new Set((await db.rows(beatTurns, { tenants, tenantIds, requestIds })).map((row) => row.requestId))
  // It is told of anew.
  for (const turn of turns) if (!still.has(turn.requestId)) turn.told = undefined
}

function hear(turn: Recording | undefined, n: number): void {
  if (n === TO_STOP) turn?.stop.abort()
  else if (turn !== undefined) turn.isFollowed = true
}

type Row = {
  readonly tenantId: number
  readonly turn: Recording
  readonly n: number
  readonly data: string | null
  readonly over: boolean
}

async function tellOf({ db, keyring, settings, slotSeconds }: Parts, recordings: Recordings): Promise<void> {
  const { turns } = recordings
  const now = performance.now()
  const tellsAll = now - recordings.toldAt >= UNFOLLOWED_MS
  const rows: Row[] = []
  for (const turn of turns.values()) {
    if (turn.frames.over) turn.overAt ??= now
    // Nobody can read it again, and nobody has heard of it.
    if (turn.frames.over && turn.told === undefined && !turn.head.isKept) turns.delete(turn.requestId)
    else if (tellsAll || turn.isFollowed || turn.frames.over || turn.told === undefined)
      rows.push(...rowsOf(keyring, turn))
  }
  for (const batch of batchesOf(rows, settings)) {
    const told = { ...columnsOf(batch.rows), tenants: batch.tenantIds, slotSeconds }
    const kept = new Set((await db.rows(tellFrames, told)).map(({ tenantId }) => tenantId))
    for (const { turn, n, over } of batch.rows) {
      if (!kept.has(turn.tenantId)) continue
      if (over) turns.delete(turn.requestId)
      else turn.told = n
    }
  }
  if (tellsAll) recordings.toldAt = now
  for (const { requestId, overAt } of turns.values())
    if (overAt !== undefined && now - overAt > LEFT_UNTOLD_MS) turns.delete(requestId)
}

const columnsOf = (rows: readonly Row[]): Omit<Told, 'tenants' | 'slotSeconds'> => ({
  tenantIds: rows.map(({ tenantId }) => tenantId),
  requestIds: rows.map(({ turn }) => turn.requestId),
  ns: rows.map(({ n }) => n),
  data: rows.map(({ data }) => data ?? '').join(','),
  over: rows.map(({ over }) => over),
})

/** What the others do not know yet. A row is sealed to its place, and its number says which frames it holds. */
function rowsOf(keyring: House['keyring'], turn: Recording): Row[] {
  const { head, frames, told } = turn
  const row = { tenantId: turn.tenantId, turn, data: null, over: false }
  const rows: Row[] = []
  if (told === undefined) rows.push({ ...row, n: 0, data: sealHead(keyring, turn, head) })
  const { over } = frames
  const n = frames.all.length
  const coming = head.isKept ? frames.all.slice(told ?? 0) : []
  if (coming.length > 0) rows.push({ ...row, n, data: sealFrames(keyring, { ...turn, n }, coming), over })
  else if (over) rows.push({ ...row, n: n + 1, over })
  return rows
}
