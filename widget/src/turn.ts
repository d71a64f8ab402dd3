import { type Failure, failure, failureOf } from './failure.ts'
import { readEvents } from './sse.ts'
import type { Post } from './ui.ts'
import { type Frame, readJson } from './wire.ts'

/** What is known of a turn that runs; enough to hear its end on another page of the same visit. */
export type Turn = { prompt: string; requestId?: string | undefined; lastId?: string | undefined }

/** No cookie and no address of the page leaves with a request. */
export const send = (url: string, key: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  fetch(url, {
    ...init,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })

/** Asks as whoever is signed in at that moment; a token that has run out is asked for once more. */
export async function ask(
  url: string,
  key: string,
  token: (expired: boolean) => Promise<string | null | undefined>,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  // A key of another kind is a secret that must not travel from a page, whatever stands in the attribute.
  if (!key.startsWith('tpk_')) throw failure('secret_key', 400)
  for (let expired = false; ; expired = true) {
    const customer = await token(expired)
    const response = await send(
      url,
      key,
      { method: 'POST', body: JSON.stringify(body), signal },
      customer ? { ...headers, 'x-service-customer-token': customer } : headers,
    )
    if (response.ok) return response
    const refused = await failureOf(response)
    if (expired || refused.message !== 'invalid_customer_token') throw refused
  }
}

// The service says something every 15 s, were it only a comment.
const SILENCE = 40_000
const SUSPICIOUS = 18_000
// Each wait is twice as long as the one before: together about as long as the service keeps a turn to be heard again.
const ATTEMPTS = 9

/** One turn, from its first frame to its last, across however many connections that takes. */
export async function follow(
  post: Post,
  turn: Turn,
  body: unknown,
  on: (frame?: Frame) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const heard = (frame: Frame) => {
      attempt = 1
      on(frame)
    }
    let cause = failure('cut')
    try {
      if (await readOnce(post, turn, body, signal, heard)) return
    } catch (error) {
      cause = error as Failure
    }
    // Before the service has named the turn, asking again could start a second one: that is the visitor's to say.
    const final = cause.status && cause.status !== 429 && cause.status < 500
    if (final || signal.aborted || !turn.requestId || attempt >= ATTEMPTS) throw cause
    on()
    await pause(2 ** attempt * (200 + 100 * Math.random()))
    signal.throwIfAborted()
  }
}

/** Reads one connection; true when the turn ended on it. */
async function readOnce(
  post: Post,
  turn: Turn,
  body: unknown,
  signal: AbortSignal,
  on: (frame: Frame) => void,
): Promise<boolean> {
  const line = watchLine(signal)
  try {
    const { requestId, lastId } = turn
    const response = await post(
      '/v1/chat/stream',
      requestId ? { requestId } : body,
      lastId ? { 'last-event-id': lastId } : {},
      line.signal,
    )
    for await (const { id, data } of readEvents(response.body as ReadableStream<Uint8Array>, line.alive)) {
      const frame = readJson(data) as Frame
      if (frame.type === 'start') turn.requestId = frame.requestId
      on(frame)
      // Only what was shown counts as read.
      if (id) turn.lastId = id
      if (frame.type === 'complete') return true
    }
    return false
  } finally {
    line.close()
  }
}

/** Hangs up on a line that has gone silent: a telephone that slept keeps connections that are dead. */
function watchLine(outer: AbortSignal) {
  const control = new AbortController()
  const { signal } = control
  // A reader that stops early lets go of its connection, its clock and its listeners.
  const close = () => {
    clearTimeout(timer)
    control.abort()
  }
  let heard = 0
  let timer: ReturnType<typeof setTimeout>
  const alive = () => {
    heard = Date.now()
    clearTimeout(timer)
    timer = setTimeout(close, SILENCE)
  }
  const doubt = () => {
    if (!document.hidden && Date.now() - heard > SUSPICIOUS) close()
  }
  outer.addEventListener('abort', close, { signal })
  document.addEventListener('visibilitychange', doubt, { signal })
  addEventListener('online', doubt, { signal })
  alive()
  return { signal, alive, close }
}

/** Waits, and no longer than until the network is back. */
const pause = (ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    addEventListener('online', resolve, { once: true })
  })
