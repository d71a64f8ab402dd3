import type { ServerEvent } from '../../foundation/http/index.ts'
import type { House, TenantAsking } from '../../ground/context/index.ts'
import { type Owner, ownerOf } from './sessions/owner.ts'

/** Plays one turn until the signal ends it, and yields its frames. */
export type Play = (signal: AbortSignal) => AsyncIterable<string>

type Started = {
  readonly asking: TenantAsking
  readonly play: Play
  /** Aborts when the reader disconnects. */
  readonly reader: AbortSignal
  /** True if the turn continues without its reader and can be read again. */
  readonly resume: boolean
}

export type RunningTurns = {
  start(turn: Started): AsyncIterable<ServerEvent>
  /** Yields the frames after this one of the same caller's turn; undefined if there is no such turn. */
  read(
    asking: TenantAsking,
    requestId: string,
    after: number,
    reader: AbortSignal,
  ): AsyncIterable<ServerEvent> | undefined
  /** Returns true if the turn was running, or undefined if the caller has no such turn. */
  stop(asking: TenantAsking, requestId: string): boolean | undefined
  /** Stops every turn and waits until they have ended. */
  close(): Promise<void>
  /** Starts work that outlives its turn. `close` waits for it. */
  afterwards(work: (signal: AbortSignal) => Promise<void>): void
  readonly running: number
}

type Live = {
  readonly tenantId: number
  readonly kind: string
  readonly owner: Owner
  readonly stop: AbortController
  readonly frames: string[]
  readonly waiting: Set<() => void>
  /** True if we keep the frames for a reader that lost the connection. */
  readonly isKept: boolean
  over: boolean
  /** When we may forget the frames, by the clock. We never do while the turn runs. */
  until: number
}

type TurnTable = Pick<House, 'settings' | 'clock'> & { readonly turns: Map<string, Live>; running: number }

export function openRunningTurns({
  settings,
  clock,
  metrics,
}: Pick<House, 'settings' | 'clock' | 'metrics'>): RunningTurns {
  const table: TurnTable = { settings, clock, turns: new Map(), running: 0 }
  const { turns } = table
  const work = new Set<Promise<void>>()
  const closing = new AbortController()
  metrics.gauge('tether_turns_running', 'Running chat turns', () => table.running)

  const keepTrack = (promise: Promise<void>) => {
    const tracked = promise.catch(() => {}).finally(() => work.delete(tracked))
    work.add(tracked)
  }

  return {
    start(turn) {
      letGo(table)
      const live = newLive(turn, turns.size < settings.ai.chat.maxResumableTurns)
      turns.set(turn.asking.requestId, live)
      if (closing.signal.aborted) live.stop.abort()
      if (!live.isKept) return direct(table, live, turn)
      keepTrack(pump(table, live, turn.play))
      return followTurn(live, 0, turn.reader)
    },
    read(asking, requestId, after, reader) {
      const live = findOwn(table, asking, requestId)
      if (live?.isKept !== true) return undefined
      // Nobody can have read a frame that was never sent, so a reader that names one gets the whole turn.
      return followTurn(live, after > live.frames.length ? 0 : after, reader)
    },
    stop(asking, requestId) {
      const live = findOwn(table, asking, requestId)
      if (live === undefined) return undefined
      const wasRunning = !live.over
      live.stop.abort()
      return wasRunning
    },
    afterwards: (task) => keepTrack(task(closing.signal)),
    async close() {
      closing.abort()
      for (const { stop } of turns.values()) stop.abort()
      await Promise.all(work)
    },
    get running() {
      return table.running
    },
  }
}

const newLive = ({ asking, resume }: Started, hasRoom: boolean): Live => ({
  tenantId: asking.tenantId,
  kind: asking.kind,
  owner: ownerOf(asking),
  stop: new AbortController(),
  frames: [],
  waiting: new Set(),
  isKept: resume && hasRoom,
  over: false,
  until: Number.POSITIVE_INFINITY,
})

function letGo({ turns, clock }: TurnTable): void {
  for (const [id, { over, until }] of turns) if (over && until <= clock.now()) turns.delete(id)
}

/** A turn belongs to its caller alone: the same tenant, kind of key and owner. */
function findOwn(table: TurnTable, asking: TenantAsking, requestId: string): Live | undefined {
  letGo(table)
  const live = table.turns.get(requestId)
  const owner = ownerOf(asking)
  const isOwn =
    live?.tenantId === asking.tenantId &&
    live.kind === asking.kind &&
    live.owner.kind === owner.kind &&
    live.owner.id === owner.id
  return isOwn ? live : undefined
}

const turnLimit = ({ settings }: TurnTable): AbortSignal => AbortSignal.timeout(settings.ai.chat.turnSeconds * 1000)

/** Plays a turn that ends with its reader. */
async function* direct(table: TurnTable, live: Live, { asking, play, reader }: Started): AsyncGenerator<ServerEvent> {
  let id = 0
  table.running++
  try {
    const signal = AbortSignal.any([reader, live.stop.signal, turnLimit(table)])
    for await (const data of play(signal)) yield { id: String(++id), data }
  } finally {
    table.running--
    table.turns.delete(asking.requestId)
  }
}

/** Plays a turn to its end, whether or not anybody reads it. */
async function pump(table: TurnTable, live: Live, play: Play): Promise<void> {
  const keptMs = table.settings.ai.chat.resumeSeconds * 1000
  table.running++
  try {
    for await (const data of play(AbortSignal.any([live.stop.signal, turnLimit(table)]))) {
      live.frames.push(data)
      wake(live)
    }
  } finally {
    table.running--
    live.over = true
    live.until = table.clock.now() + keptMs
    wake(live)
    setTimeout(() => letGo(table), keptMs + 50).unref()
  }
}

function wake({ waiting }: Live): void {
  for (const tell of waiting) tell()
  waiting.clear()
}

/** Yields past and coming frames until the turn is over or this reader leaves. */
async function* followTurn(live: Live, after: number, reader: AbortSignal): AsyncGenerator<ServerEvent> {
  for (let index = after; ; ) {
    if (reader.aborted) return
    const data = live.frames[index]
    if (data !== undefined) yield { id: String(++index), data }
    else if (live.over) return
    else await nextFrame(live, reader)
  }
}

async function nextFrame({ waiting }: Live, reader: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.add(resolve)
  reader.addEventListener('abort', () => resolve(), { once: true })
  await promise
  waiting.delete(resolve)
}
