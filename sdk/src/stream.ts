// One turn, frame by frame, over as many connections as that takes.
import { backoff, type Line, pause } from './line.ts'
import type { Schemas } from './operations.ts'
import { exchange } from './request.ts'
import { readEvents } from './server-events.ts'
import { errorOf, TetherError } from './tether-error.ts'

export type Frame = Exclude<Schemas['ChatFrame'], { type: 'error' }>
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

type Turn = { requestId?: string; lastId?: string; ended?: boolean }

/** Reads on where a connection broke off, and stops the turn if its reader leaves. An `error` frame is thrown. */
export async function* stream(
  line: Line,
  question: Question,
  talking: Talking = {},
): AsyncGenerator<Frame, void, undefined> {
  const turn: Turn = {}
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
  const silence = watch(signal)
  try {
    const { response, body } = await exchange(line, OPERATION, {
      headers: lastId === undefined ? (headers ?? {}) : { ...headers, 'Last-Event-ID': lastId },
      body: requestId === undefined ? { ...question, resume: true } : { requestId },
      signal: silence.signal,
    })
    if (!response.ok || !(body instanceof ReadableStream)) throw errorOf(OPERATION, response, body)
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
    silence.end()
  }
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

function watch(outer: AbortSignal | undefined): { signal: AbortSignal; heard: () => void; end: () => void } {
  const control = new AbortController()
  const abort = () => control.abort()
  let timeout: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timeout)
    outer?.removeEventListener('abort', abort)
    control.abort()
  }
  const heard = () => {
    clearTimeout(timeout)
    timeout = setTimeout(abort, SILENCE_MS)
  }
  if (outer?.aborted === true) abort()
  outer?.addEventListener('abort', abort, { once: true })
  return { signal: control.signal, heard, end }
}
