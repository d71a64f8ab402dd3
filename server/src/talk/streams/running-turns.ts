import type { ServerEvent } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Frames, follow, news, noFrames, wake } from './live.ts'
import type { Asked, Tape } from './tape.ts'

/** Plays one turn until the signal ends it, and yields its frames. */
type Play = (signal: AbortSignal) => AsyncIterable<string>

type Started = Asked & {
  readonly play: Play
  /** Aborts when the reader disconnects. */
  readonly reader: AbortSignal
  /** True if the turn continues without its reader and can be read again. */
  readonly resume: boolean
}

export type RunningTurns = {
  start(turn: Started): AsyncIterable<ServerEvent>
  /** Yields the frames after this one of the same caller's turn, whichever instance runs it; undefined if there is no such turn. */
  read(asked: Asked, after: number, reader: AbortSignal): Promise<AsyncIterable<ServerEvent> | undefined>
  /** Returns true if the turn was running, or undefined if the caller has no such turn. */
  stop(asked: Asked): Promise<boolean | undefined>
  /** Lets the readers of other instances' turns go, so that they read on elsewhere. */
  letGo(): void
  /** Stops every turn and waits until they have ended. */
  close(): Promise<void>
  /** Starts work that outlives its turn. `close` waits for it. */
  afterwards(work: (signal: AbortSignal) => Promise<void>): void
  readonly running: number
}

type Live = {
  readonly tenantId: number
  readonly caller: string
  readonly stop: AbortController
  readonly frames: Frames
  /** True if we keep the frames for a reader that lost the connection. */
  readonly isKept: boolean
  /** When we may forget the frames, by the clock. We never do while the turn runs. */
  until: number
}

type TurnTable = Pick<House, 'settings' | 'clock'> & {
  readonly tape: Tape
  readonly turns: Map<string, Live>
  running: number
}

export function openRunningTurns(
  { settings, clock, metrics }: Pick<House, 'settings' | 'clock' | 'metrics'>,
  tape: Tape,
): RunningTurns {
  const table: TurnTable = { settings, clock, tape, turns: new Map(), running: 0 }
  const { turns } = table
  const work = new Set<Promise<void>>()
  const closing = new AbortController()
  const leaving = new AbortController()
  metrics.gauge('tether_turns_running', 'Running chat turns', () => table.running)

  const keepTrack = (promise: Promise<void>) => {
    const tracked = promise.catch(() => {}).finally(() => work.delete(tracked))
    work.add(tracked)
  }

  return {
    start(turn) {
      forget(table)
      const live = newLive(turn, turns.size < settings.ai.chat.maxResumableTurns)
      turns.set(turn.requestId, live)
      if (closing.signal.aborted) live.stop.abort()
      const { tenantId, requestId, caller } = turn
      const { frames, stop, isKept } = live
      tape.record({ tenantId, requestId, head: { caller, isKept }, frames, stop })
      if (!isKept) return direct(table, live, turn)
      keepTrack(pump(table, live, turn.play))
      return follow(frames, 0, turn.reader)
    },
    async read(asked, after, reader) {
      const live = findOwn(table, asked)
      if (live === undefined) return await readElsewhere(tape, asked, after, AbortSignal.any([reader, leaving.signal]))
      if (!live.isKept) return undefined
      // Nobody can have read a frame that was never sent, so a reader that names one gets the whole turn.
      return follow(live.frames, after > live.frames.all.length ? 0 : after, reader)
    },
    async stop(asked) {
      const live = findOwn(table, asked)
      if (live === undefined) return await stopElsewhere(tape, asked)
      const wasRunning = !live.frames.over
      live.stop.abort()
      return wasRunning
    },
    letGo: () => leaving.abort(),
    afterwards: (task) => keepTrack(task(closing.signal)),
    async close() {
      leaving.abort()
      closing.abort()
      for (const { stop } of turns.values()) stop.abort()
      await Promise.all(work)
      await tape.close()
    },
    get running() {
      return table.running
    },
  }
}

const newLive = ({ tenantId, caller, resume }: Started, hasRoom: boolean): Live => ({
  tenantId,
  caller,
  stop: new AbortController(),
  frames: noFrames(),
  isKept: resume && hasRoom,
  until: Number.POSITIVE_INFINITY,
})

function forget({ turns, clock }: TurnTable): void {
  for (const [id, { frames, until }] of turns) if (frames.over && until <= clock.now()) turns.delete(id)
}

function findOwn(table: TurnTable, { tenantId, requestId, caller }: Asked): Live | undefined {
  forget(table)
  const live = table.turns.get(requestId)
  return live?.tenantId === tenantId && live.caller === caller ? live : undefined
}

const turnLimit = ({ settings }: TurnTable): AbortSignal => AbortSignal.timeout(settings.ai.chat.turnSeconds * 1000)

/** Plays a turn that ends with its reader. */
async function* direct(
  table: TurnTable,
  { stop, frames }: Live,
  { requestId, play, reader }: Started,
): AsyncGenerator<ServerEvent> {
  let id = 0
  table.running++
  try {
    const signal = AbortSignal.any([reader, stop.signal, turnLimit(table)])
    for await (const data of play(signal)) yield { id: String(++id), data }
  } finally {
    table.running--
    frames.over = true
    table.turns.delete(requestId)
  }
}

/** Plays a turn to its end, whether or not anybody reads it. */
async function pump(table: TurnTable, live: Live, play: Play): Promise<void> {
  const { frames, stop } = live
  const keptMs = table.settings.ai.chat.resumeSeconds * 1000
  table.running++
  try {
    for await (const data of play(AbortSignal.any([stop.signal, turnLimit(table)]))) {
      frames.all.push(data)
      wake(frames)
    }
  } finally {
    table.running--
    frames.over = true
    live.until = table.clock.now() + keptMs
    wake(frames)
    setTimeout(() => forget(table), keptMs + 50).unref()
  }
}

async function readElsewhere(
  tape: Tape,
  asked: Asked,
  after: number,
  reader: AbortSignal,
): Promise<AsyncIterable<ServerEvent> | undefined> {
  const found = await tape.find(asked)
  if (found?.isKept !== true) return undefined
  if (found.isRunning) await tape.askToTell(asked)
  return (async function* () {
    const frames = await tape.join(asked)
    try {
      // A reader may have read more than the others were told so far: what is missing comes in a moment, or the turn is lost with it.
      while (after > frames.all.length && !frames.over && !reader.aborted) await news(frames, reader)
      yield* follow(frames, placeIn(frames, after), reader)
    } finally {
      tape.leave(asked)
    }
  })()
}

/** Of a turn that was lost, whoever has read all there is still reads that it is. */
function placeIn({ all, lost }: Frames, after: number): number {
  if (lost) return Math.min(after, all.length - 1)
  return after > all.length ? 0 : after
}

async function stopElsewhere(tape: Tape, asked: Asked): Promise<boolean | undefined> {
  const found = await tape.find(asked)
  if (found === undefined) return undefined
  if (found.isRunning) await tape.askToStop(asked)
  else if (!found.isKept) return undefined
  return found.isRunning
}
