// One request over HTTP, sent again within bounds where that cannot do anything twice.
import type { Surroundings } from './surroundings.ts'

export type Asked = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether it may be sent again though it may have been carried out. */
  readonly mayRepeat: boolean
}
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** No answer came. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

const MOST_ATTEMPTS = 4
const TIMEOUT_MS = 60_000
/** A job is paid by the minute, so a longer wait is for whoever runs it again. */
const LONGEST_WAIT_MS = 60_000
const MOST_BYTES = 64 * 1024 * 1024

export type Line = (asked: Asked) => Promise<Answer>

export function openLine({ fetch, wait }: Pick<Surroundings, 'fetch' | 'wait'>): Line {
  return async (asked) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await sent(fetch, asked).catch((error: unknown) => {
        if (!asked.mayRepeat || attempt === MOST_ATTEMPTS) throw error
        return null
      })
      const pause = answer === null ? backoff(attempt) : pauseAfter(answer, asked, attempt)
      if (answer !== null && (pause === null || attempt === MOST_ATTEMPTS)) return answer
      await wait(pause ?? 0)
    }
  }
}

async function sent(ask: typeof fetch, { method, url, headers, body }: Asked): Promise<Answer> {
  try {
    const response = await ask(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would carry the key to wherever it leads.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, headers: response.headers, text: await read(response) }
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const why = isLate ? `No answer came within ${TIMEOUT_MS / 1000} s` : 'The connection failed'
    throw new Unanswered(`${why} (${method} ${new URL(url).origin}).`, { cause })
  }
}

async function read(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new Error('The answer is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** How long to wait before it is sent again, or null if it is not. */
function pauseAfter({ status, headers }: Answer, { mayRepeat }: Asked, attempt: number): number | null {
  // GitHub says so with 403, too. Whatever was limited has not been done, whatever it was.
  const isSpent = headers.get('x-ratelimit-remaining') === '0'
  const isLimited = status === 429 || (status === 403 && (isSpent || headers.has('retry-after')))
  if (!isLimited && !(mayRepeat && status >= 500)) return null
  const pause = asksToWait(headers, isSpent) ?? (isLimited ? LONGEST_WAIT_MS : backoff(attempt))
  return pause <= LONGEST_WAIT_MS ? Math.max(0, pause) : null
}

function asksToWait(headers: Headers, isSpent: boolean): number | null {
  const after = headers.get('retry-after')
  if (after !== null) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
    return Number.isNaN(ms) ? null : ms
  }
  const reset = headers.get('x-ratelimit-reset')
  return isSpent && reset !== null && /^\d+$/.test(reset) ? Number(reset) * 1000 - Date.now() : null
}

const backoff = (attempt: number): number => 2 ** attempt * (250 + 250 * Math.random())
