// One connection to the service: an address, a key, and how long to wait.
import { TetherError } from './tether-error.ts'

export type ClientOptions = {
  /** The address of the service, without a path: `https://assistant.example`. */
  readonly url: string
  /** Any kind of key. A secret key stays on your server. Only what needs none, such as signing up, goes without. */
  readonly key?: string | undefined
  /** Sent with each request, such as `X-Service-Scope-Id`. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** How long one request may take. The default is 120. */
  readonly timeoutSeconds?: number
  /** How often a request is sent again that may be. The default is 3. */
  readonly retries?: number
  /** The longest wait before it is sent again: what `Retry-After` asks beyond that is yours to decide. The default is 30. */
  readonly longestWaitSeconds?: number
  /** Another `fetch`. */
  readonly fetch?: typeof fetch
  /** What reads and writes bodies instead of `JSON`, where numbers have more digits than JavaScript keeps. */
  readonly json?: JsonText
}

export type JsonText = { parse(text: string): unknown; stringify(value: unknown): string }

export type Sending = {
  readonly operation: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export type Line = {
  readonly retries: number
  readonly longestWaitMs: number
  readonly json: JsonText
  /** One attempt. Throws where there is no answer, or one that leads elsewhere. */
  send(sending: Sending): Promise<Response>
}

export function openLine(options: ClientOptions): Line {
  const { url, key, headers = {}, timeoutSeconds = 120, retries = 3, longestWaitSeconds = 30, json = JSON } = options
  const address = url.replace(/\/+$/, '')
  if (!/^https?:\/\/[^/]+$/.test(address))
    throw new TypeError('"url" must be the address of the service, without a path.')
  if (key !== undefined && !/^t[a-z]{2}_\S+$/.test(key))
    throw new TypeError('"key" must be a key of the service, such as "tth_…".')
  return {
    retries,
    longestWaitMs: longestWaitSeconds * 1000,
    json,
    async send({ operation, path, headers: more, body, signal }) {
      const ask = options.fetch ?? fetch
      const time = timer(timeoutSeconds * 1000, signal)
      try {
        const response = await ask(address + path, {
          method: operation.slice(0, operation.indexOf(' ')),
          headers: named({
            'X-Api-Key': key,
            'Content-Type': body === undefined ? undefined : 'application/json',
            ...headers,
            ...more,
          }),
          ...(body === undefined ? {} : { body: json.stringify(body) }),
          // A redirect would carry the key to wherever it leads.
          redirect: 'manual',
          signal: time.signal,
        })
        if (response.status < 300 || response.status >= 400) return await whole(response, time)
        throw new TetherError(`${address} redirects elsewhere. Use the address of the service itself.`, {
          code: 'unexpected_answer',
          operation,
          status: response.status,
        })
      } catch (cause) {
        time.stop()
        if (cause instanceof TetherError) throw cause
        signal?.throwIfAborted()
        const code = time.signal.aborted ? 'timeout' : 'connection_lost'
        const why = code === 'timeout' ? `No answer came within ${timeoutSeconds} s` : 'The connection failed'
        throw new TetherError(`${why} (${operation}).`, { code, operation, cause })
      }
    },
  }
}

/** The body is read within the time of the request; the frames of a stream have no end that could be waited for. */
async function whole(response: Response, time: Timer): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    time.hold()
    return response
  }
  const body = response.status === 204 || response.status === 304 ? null : await response.arrayBuffer()
  time.stop()
  return new Response(body, response)
}

const named = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined))

type Timer = { readonly signal: AbortSignal; hold(): void; stop(): void }

/** Ends with its time or with the caller's own signal. (Node 18 has no `AbortSignal.any`.) */
function timer(ms: number, outer: AbortSignal | undefined): Timer {
  const control = new AbortController()
  const abort = () => control.abort()
  const timeout = setTimeout(abort, ms)
  if (outer?.aborted === true) abort()
  outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: control.signal,
    hold: () => clearTimeout(timeout),
    stop() {
      clearTimeout(timeout)
      outer?.removeEventListener('abort', abort)
    },
  }
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  let end: (() => void) | undefined
  await new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, ms)
    end = () => {
      clearTimeout(timeout)
      resolve()
    }
    signal?.addEventListener('abort', end, { once: true })
  })
  if (end !== undefined) signal?.removeEventListener('abort', end)
  signal?.throwIfAborted()
}

/** Doubles with each attempt, and is never the same for two callers. */
export const backoff = (attempt: number): number => 2 ** attempt * (200 + 200 * Math.random())
