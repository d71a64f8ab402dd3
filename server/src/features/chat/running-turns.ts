import type { ServerEvent } from '../../foundation/http/index.ts'
import type { House, TenantAsking } from '../../ground/context/index.ts'
import { type Owner, ownerOf } from './sessions/owner.ts'

/** Frames of one turn, given the signal that ends it. */
export type Play = (signal: AbortSignal) => AsyncIterable<string>

type Started = {
  readonly asking: TenantAsking
  readonly play: Play
  /** Aborts when the reader goes away. */
  readonly reader: AbortSignal
  /** Goes on without its reader, and can be read again. */
  readonly resume: boolean
}

export type RunningTurns = {
  start(turn: Started): AsyncIterable<ServerEvent>
  /** The frames after this one, of a turn of the same caller; undefined where there is none to read. */
  read(
    asking: TenantAsking,
    requestId: string,
    after: number,
    reader: AbortSignal,
  ): AsyncIterable<ServerEvent> | undefined
  /** Whether it was running; undefined where the caller has no such turn. */
  stop(asking: TenantAsking, requestId: string): boolean | undefined
  /** Stops every turn and waits for their ends. */
  close(): Promise<void>
  /** Work that outlives its turn, waited for at the end. */
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
  /** Its frames are kept for whoever lost the line. */
  readonly isKept: boolean
  over: boolean
  /** When its frames are let go of, by the clock; while it runs they are not. */
  until: number
}

type Kept = Pick<House, 'settings' | 'clock'> & { readonly turns: Map<string, Live>; running: number }

export function openRunningTurns({
  settings,
  clock,
  metrics,
}: Pick<House, 'settings' | 'clock' | 'metrics'>): RunningTurns {
  const kept: Kept = { settings, clock, turns: new Map(), running: 0 }
  const { turns } = kept
  const work = new Set<Promise<void>>()
  const closing = new AbortController()
  metrics.gauge('tether_turns_running', 'Chat turns that are under way', () => kept.running)

  const keepTrack = (promise: Promise<void>) => {
    const tracked = promise.catch(() => {}).finally(() => work.delete(tracked))
    work.add(tracked)
  }

  return {
    start(turn) {
      letGo(kept)
      const live = newLive(turn, turns.size < settings.ai.chat.maxResumableTurns)
      turns.set(turn.asking.requestId, live)
      if (closing.signal.aborted) live.stop.abort()
      if (!live.isKept) return direct(kept, live, turn)
      keepTrack(pump(kept, live, turn.play))
      return follow(live, 0, turn.reader)
    },
    read(asking, requestId, after, reader) {
      const live = findOwn(kept, asking, requestId)
      if (live?.isKept !== true) return undefined
      // A frame that was never sent cannot have been the last one read: whoever names one is told the whole turn.
      return follow(live, after > live.frames.length ? 0 : after, reader)
    },
    stop(asking, requestId) {
      const live = findOwn(kept, asking, requestId)
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
      return kept.running
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

function letGo({ turns, clock }: Kept): void {
  for (const [id, { over, until }] of turns) if (over && until <= clock.now()) turns.delete(id)
}

/** A turn is its caller's alone: the same tenant, kind of key and owner. */
function findOwn(kept: Kept, asking: TenantAsking, requestId: string): Live | undefined {
  letGo(kept)
  const live = kept.turns.get(requestId)
  const owner = ownerOf(asking)
  const isOwn =
    live?.tenantId === asking.tenantId &&
    live.kind === asking.kind &&
    live.owner.kind === owner.kind &&
    live.owner.id === owner.id
  return isOwn ? live : undefined
}

const limitOf = ({ settings }: Kept): AbortSignal => AbortSignal.timeout(settings.ai.chat.turnSeconds * 1000)

/** Ends with its reader. */
async function* direct(kept: Kept, live: Live, { asking, play, reader }: Started): AsyncGenerator<ServerEvent> {
  let id = 0
  kept.running++
  try {
    const signal = AbortSignal.any([reader, live.stop.signal, limitOf(kept)])
    for await (const data of play(signal)) yield { id: String(++id), data }
  } finally {
    kept.running--
    kept.turns.delete(asking.requestId)
  }
}

/** Plays to the end whoever reads. */
async function pump(kept: Kept, live: Live, play: Play): Promise<void> {
  const keptMs = kept.settings.ai.chat.resumeSeconds * 1000
  kept.running++
  try {
    for await (const data of play(AbortSignal.any([live.stop.signal, limitOf(kept)]))) {
      live.frames.push(data)
      wake(live)
    }
  } finally {
    kept.running--
    live.over = true
    live.until = kept.clock.now() + keptMs
    wake(live)
    setTimeout(() => letGo(kept), keptMs + 50).unref()
  }
}

function wake({ waiting }: Live): void {
  for (const tell of waiting) tell()
  waiting.clear()
}

/** What has come and what comes, until the turn is over or this reader leaves. */
async function* follow(live: Live, after: number, reader: AbortSignal): AsyncGenerator<ServerEvent> {
  for (let index = after; ; ) {
    if (reader.aborted) return
    const data = live.frames[index]
    if (data !== undefined) yield { id: String(++index), data }
    else if (live.over) return
    else await next(live, reader)
  }
}

async function next({ waiting }: Live, reader: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.add(resolve)
  reader.addEventListener('abort', () => resolve(), { once: true })
  await promise
  waiting.delete(resolve)
}
