import { randomUUID } from 'node:crypto'
import { LISTEN_MOST, type ListenAnswer, type ListenAnswers, type Listened, type ListenRequest } from '@tether/contract'
import { PRESENT_SECONDS } from './queries.ts'

/** More than a listener takes at once, so that the next lot waits while it works. */
export const MOST_OPEN = 64
export const MOST_BYTES_AT_ONCE = 512 * 1024
const PRESENT_MS = PRESENT_SECONDS * 1000

/** What the service POSTs to a workspace's server. */
export type Delivered = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Relayed =
  | { readonly kind: 'answered'; readonly answer: ListenAnswer }
  /** It was given to nobody. */
  | { readonly kind: 'nobody' | 'full' | 'left' }
  /** It was given to the listener, and its answer cannot come any longer. */
  | { readonly kind: 'cut' }

type Open = Delivered & { readonly answered: (relayed: Relayed) => void; given: boolean }

type Line = {
  readonly epoch: string
  listener: string
  last: number
  readonly open: Map<number, Open>
  /** Those of this process who wait for something to come. */
  readonly waiting: Set<() => void>
  presentUntil: number
}

export type Listeners = {
  take(tenantId: number, asked: ListenRequest, signal: AbortSignal): Promise<Listened>
  /** Says how many of the answers somebody still waited for. */
  answer(tenantId: number, said: ListenAnswers): number | Promise<number>
  /** Hands one request to the workspace's listener, and waits for its answer for as long as the sender does. */
  deliver(tenantId: number, delivered: Delivered, signal: AbortSignal): Promise<Relayed>
  /** The process is being taken out, and still serves: whoever waits goes on at another instance. */
  drain(): void
  /** Whoever waits for something to come is answered at once, and from then on nobody waits. */
  close(): void
}

/**
 * The lines between the workspaces and their listeners, where one process has the database to itself. Whatever waits here is somebody's
 * request that is still open, and who sends it knows what to do when it breaks off.
 */
export function openOwnListeners(now: () => number = () => performance.now()): Listeners {
  const lines = new Map<number, Line>()
  let closed = false
  const isPresent = (line: Line): boolean => line.waiting.size > 0 || now() < line.presentUntil
  const seen = (line: Line) => {
    line.presentUntil = now() + PRESENT_MS
  }

  /** The line of whoever asks, or null where another listener has taken over. Whoever comes anew takes over. */
  function lineOf(tenantId: number, { listener, epoch = null }: ListenRequest): Line | null {
    const known = lines.get(tenantId)
    if (known === undefined) {
      for (const [other, line] of lines) if (!isPresent(line) && line.open.size === 0) lines.delete(other)
      const line = newLine(listener)
      lines.set(tenantId, line)
      return line
    }
    if (known.listener !== listener) {
      if (epoch === known.epoch || (epoch !== null && isPresent(known))) return null
      known.listener = listener
      wakeAll(known)
    }
    return known
  }

  return {
    async take(tenantId, asked, signal) {
      const line = closed ? null : lineOf(tenantId, asked)
      // A process that stops takes nobody's place: the listener asks again, and finds the next one.
      if (line === null) return { epoch: asked.epoch ?? '', displaced: !closed, requests: [] }
      seen(line)
      const taken = await takeFrom(line, asked, signal)
      seen(line)
      return taken
    },
    answer(tenantId, { listener, epoch, answers }) {
      const line = lines.get(tenantId)
      if (line === undefined || line.epoch !== epoch || line.listener !== listener) return 0
      seen(line)
      const awaited = answers.filter(({ number }) => line.open.has(number))
      for (const answer of awaited) line.open.get(answer.number)?.answered({ kind: 'answered', answer })
      return awaited.length
    },
    async deliver(tenantId, delivered, signal) {
      const line = lines.get(tenantId)
      if (closed || line === undefined || !isPresent(line)) return { kind: 'nobody' }
      return line.open.size < MOST_OPEN ? await deliverOn(line, delivered, signal) : { kind: 'full' }
    },
    // There is no other instance.
    drain: () => undefined,
    close() {
      closed = true
      for (const line of lines.values()) {
        wakeAll(line)
        for (const { given, answered } of line.open.values()) answered({ kind: given ? 'cut' : 'nobody' })
      }
    },
  }
}

const newLine = (listener: string): Line => ({
  epoch: randomUUID(),
  listener,
  last: 0,
  open: new Map(),
  waiting: new Set(),
  presentUntil: 0,
})

function wakeAll({ waiting }: Line): void {
  for (const wake of [...waiting]) wake()
}

async function takeFrom(line: Line, asked: ListenRequest, signal: AbortSignal): Promise<Listened> {
  const received = asked.epoch === line.epoch ? (asked.received ?? 0) : 0
  const waitMs = (asked.waitSeconds ?? 0) * 1000
  let requests = after(line, received)
  if (requests.length === 0 && waitMs > 0) {
    await somethingNew(line, waitMs, signal)
    if (line.listener === asked.listener && !signal.aborted) requests = after(line, received)
  }
  return { epoch: line.epoch, displaced: line.listener !== asked.listener, requests }
}

async function deliverOn(line: Line, delivered: Delivered, signal: AbortSignal): Promise<Relayed> {
  line.last += 1
  const number = line.last
  const { promise, resolve } = Promise.withResolvers<Relayed>()
  line.open.set(number, { ...delivered, answered: resolve, given: false })
  wakeAll(line)
  const left = () => resolve({ kind: 'left' })
  signal.addEventListener('abort', left, { once: true })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', left)
    line.open.delete(number)
  }
}

/** What came after that number and still waits, as much as one answer holds. */
function after({ open }: Line, received: number): Listened['requests'] {
  const found: Listened['requests'] = []
  let bytes = 0
  for (const [number, waits] of open) {
    if (number <= received) continue
    bytes += Buffer.byteLength(waits.body)
    if (found.length > 0 && (found.length >= LISTEN_MOST || bytes > MOST_BYTES_AT_ONCE)) break
    waits.given = true
    found.push({ number, headers: { ...waits.headers }, body: waits.body })
  }
  return found
}

async function somethingNew({ waiting }: Line, waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const timer = setTimeout(wake, waitMs)
  signal.addEventListener('abort', wake, { once: true })
  waiting.add(wake)
  await promise
  waiting.delete(wake)
  signal.removeEventListener('abort', wake)
  clearTimeout(timer)
}
