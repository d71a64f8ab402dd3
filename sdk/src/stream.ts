// One turn, frame by frame, over as many connections as that takes.
import { backoff, type Line, pause } from './line.ts'
import type { Schemas } from './operations.ts'
import { exchange } from './request.ts'
import { readEvents } from './server-events.ts'
import { errorOf, TetherError } from './tether-error.ts'

export type Frame = Exclude<Schemas['ChatFrame'], { type: 'error' }>
/** The `data:` of one event of a watch: `{ sessionId, watch: true }`. */
export type WatchFrame = Schemas['WatchFrame']
export type Talking = {
  /** Such as `X-Service-Customer-Token` or `X-Service-User-Id`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly signal?: AbortSignal | undefined
}
export type Question = Omit<Schemas['ChatRequest'], 'session_id'>

const OPERATION = 'POST /v1/chat/stream'
/** The service sends something every 15 s, if only a comment. */
const SILENCE_MS = 40_000
/** Each wait is twice as long as the one before: together about as long as the service keeps a turn. */
const ATTEMPTS = 8

type Turn = { requestId?: string | undefined; lastId?: string; ended?: boolean }

/** Reads on where a connection broke off, and stops the turn if its reader leaves. An `error` frame is thrown. */
export async function* stream(
  line: Line,
  question: Question,
  talking: Talking = {},
): AsyncGenerator<Frame, void, undefined> {
  const turn: Turn = {}
  talking.signal?.throwIfAborted()
  try {
    for (let attempt = 0; ; ) {
      try {
        for await (const frame of connection(line, turn, question, talking)) {
          attempt = 0
          yield frame
        }
        if (turn.ended === true) return
        throw new TetherError('The stream broke off.', { code: 'connection_lost', operation: OPERATION })
      } catch (error) {
        // Before the service has named the turn, asking again might begin a second one.
        if (turn.requestId === undefined || !mayGoOn(error) || ++attempt > ATTEMPTS) throw error
        await pause(backoff(attempt), talking.signal)
      }
    }
  } finally {
    if (turn.ended !== true && turn.requestId !== undefined) await stop(line, turn.requestId, talking)
  }
}

async function* connection(
  line: Line,
  turn: Turn,
  question: Question,
  { headers, signal }: Talking,
): AsyncGenerator<Frame, void, undefined> {
  const { requestId, lastId } = turn
  const silence = watch()
  const leave = () => {
    if (turn.requestId !== undefined) silence.end()
  }
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const asking = exchange(line, OPERATION, {
      headers: lastId === undefined ? (headers ?? {}) : { ...headers, 'Last-Event-ID': lastId },
      body: requestId === undefined ? { ...question, resume: true } : { requestId },
      signal: silence.signal,
    })
    const { response, body } = await unlessLeft(asking, signal, (late) => stopNamed(line, turn, late, { headers }))
    if (!response.ok || !(body instanceof ReadableStream)) throw errorOf(OPERATION, response, body)
    // A turn has the id of the request that began it, also before its first frame says so.
    turn.requestId ??= response.headers.get('x-request-id') ?? undefined
    for await (const { id, data } of readEvents(body, silence.heard)) {
      const frame = JSON.parse(data) as Schemas['ChatFrame']
      if (frame.type === 'start') turn.requestId = frame.requestId
      if (id !== '') turn.lastId = id
      turn.ended = frame.type === 'complete' || frame.type === 'error'
      if (frame.type === 'error') throw frameError(frame, response)
      yield frame
      if (turn.ended) return
    }
  } catch (cause) {
    if (cause instanceof TetherError) throw cause
    signal?.throwIfAborted()
    throw new TetherError('The stream broke off.', { code: 'connection_lost', operation: OPERATION, cause })
  } finally {
    signal?.removeEventListener('abort', leave)
    // Of a turn that has no name yet, the name is waited for, so that it can be stopped.
    if (turn.requestId !== undefined || signal?.aborted !== true) silence.end()
  }
}

type Exchanged = { readonly response: Response }

/** Whoever leaves does not wait, and what comes afterwards is seen to. */
async function unlessLeft<One extends Exchanged>(
  asking: Promise<One>,
  signal: AbortSignal | undefined,
  late: (one: One) => Promise<void>,
): Promise<One> {
  if (signal === undefined) return await asking
  let leave: (() => void) | undefined
  const left = new Promise<'left'>((resolve) => {
    leave = () => resolve('left')
    signal.addEventListener('abort', leave, { once: true })
  })
  const first = await Promise.race([asking, left])
  if (leave !== undefined) signal.removeEventListener('abort', leave)
  if (first !== 'left') return first
  asking.then(late).catch(() => undefined)
  throw signal.reason
}

async function stopNamed(line: Line, turn: Turn, { response }: Exchanged, talking: Talking): Promise<void> {
  const requestId = turn.requestId ?? response.headers.get('x-request-id')
  await response.body?.cancel()
  if (requestId !== null && response.ok) await stop(line, requestId, talking)
}

const mayGoOn = (error: unknown): boolean =>
  error instanceof TetherError && (error.status === 0 || error.status === 429 || error.status >= 500)

const frameError = (
  { code, message, retryAfterSeconds, errorId }: Extract<Schemas['ChatFrame'], { type: 'error' }>,
  { headers }: Response,
): TetherError =>
  new TetherError(message, {
    code,
    operation: OPERATION,
    status: 200,
    requestId: headers.get('x-request-id'),
    reason: errorId,
    retryAfterSeconds,
  })

/** It would go on without its reader, because it was asked to be readable again. */
async function stop(line: Line, requestId: string, { headers }: Talking): Promise<void> {
  await exchange(line, OPERATION, { headers: headers ?? {}, body: { requestId, stop: true } }).catch(() => undefined)
}

/** Ends a connection that nothing has come over for too long. */
function watch(): { signal: AbortSignal; heard: () => void; end: () => void } {
  const control = new AbortController()
  let timeout: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timeout)
    control.abort()
  }
  const heard = () => {
    clearTimeout(timeout)
    timeout = setTimeout(end, SILENCE_MS)
  }
  return { signal: control.signal, heard, end }
}
