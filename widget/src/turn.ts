import { type Failure, failure, failureOf } from './failure.ts'
import { readEvents } from './sse.ts'
import type { Post } from './ui.ts'
import { type Frame, readJson } from './wire.ts'

/** What we know about a running turn, enough to read the rest of it on another page of the same visit. */
export type Turn = { prompt: string; requestId?: string | undefined; lastId?: string | undefined }

/** Sends a request without cookies and without the page's address. */
export const send = (url: string, key: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  fetch(url, {
    ...init,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })

/** Sends a request as whoever is signed in at that moment, and asks once for a new token if the first has expired. */
export async function ask(
  url: string,
  key: string,
  token: (expired: boolean) => Promise<string | null | undefined>,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  // The key of a sandbox is its visitor's own. Any other kind is a secret, and must never be sent from a page.
  if (!/^t(pk|sb)_/.test(key)) throw failure('secret_key', 400)
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

// The service sends something every 15 s, if only a comment.
const SILENCE = 40_000
const SUSPICIOUS = 18_000
// Each wait is twice as long as the one before. Together they last about as long as the service keeps a turn.
const ATTEMPTS = 9

/** Reads one turn from its first frame to its last, over as many connections as that takes. */
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
    // Until the service has named the turn, another request could start a second one, so the visitor must decide.
    const final = cause.status && cause.status !== 429 && cause.status < 500
    if (final || signal.aborted || !turn.requestId || attempt >= ATTEMPTS) throw cause
    on()
    await pause(2 ** attempt * (200 + 100 * Math.random()))
    signal.throwIfAborted()
  }
}

/** Reads one connection, and returns true if the turn ended on it. */
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
      // Only a frame that was shown counts as read.
      if (id) turn.lastId = id
      if (frame.type === 'complete') return true
    }
    return false
  } finally {
    line.close()
  }
}

/** Closes a connection that has gone silent. A phone that slept keeps dead connections. */
function watchLine(outer: AbortSignal) {
  const control = new AbortController()
  const { signal } = control
  // A reader that stops early releases its connection, its timer and its listeners.
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

/** Waits, but only until the network is back. */
const pause = (ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    addEventListener('online', resolve, { once: true })
  })
