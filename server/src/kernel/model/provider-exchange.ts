// Requests to a provider that speaks as OpenAI does, over undici itself. The operator sets the address, so it may be on a
// private network. We follow no redirects, check TLS, and send the key only in its header.
import { Agent, type Dispatcher } from 'undici'
import { type Limits, openWatch, type Watch } from './deadlines.ts'
import { connectionFailure, errorWords, failureOf, type Speaker } from './failures.ts'
import { ModelFailure } from './port.ts'

export type ProviderOptions = Limits & {
  /** The address in front of the path. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  now(): number
}

type Endpoint = { readonly path: string; readonly accept: string; readonly section: Speaker['section'] }
type Response = Dispatcher.ResponseData

/** One request and its answer. The caller closes it, and throws `failure` instead of an error that it meets. */
export type Exchange = {
  readonly watch: Watch
  post(body: string): Promise<Response>
  failure(error: unknown): unknown
  close(): void
}

const CONNECT_MS = 10_000

export function openProvider(options: ProviderOptions, { path, accept, section }: Endpoint) {
  const { baseUrl, apiKey, now } = options
  // Explicit, because an environment variable can turn the default off.
  const connect = { timeout: CONNECT_MS, rejectUnauthorized: true }
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect })
  const { origin, pathname, search } = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`)
  const speaker: Speaker = { at: origin, apiKey, now, section }
  const headers = {
    'content-type': 'application/json',
    accept,
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }

  function begin(caller: AbortSignal): Exchange {
    const watch = openWatch(caller, options)
    let body: Response['body'] | undefined
    return {
      watch,
      async post(text) {
        const at = { origin, path: pathname + search, method: 'POST' } as const
        const response = await watch.during(agent.request({ ...at, headers, body: text, signal: watch.signal }))
        body = response.body
        // A reader that stops destroys the body, which then emits an error that nobody waits for.
        body.on('error', () => {})
        return response
      },
      failure: (error) =>
        watch.reason() ??
        (error instanceof ModelFailure ? error : connectionFailure(error, body !== undefined, speaker)),
      close() {
        watch.close()
        body?.destroy()
      },
    }
  }
  return { speaker, begin, close: () => agent.destroy() }
}

/** Reads a body up to the piece that exceeds `most` bytes. */
export async function readBody(body: Response['body'], watch: Watch, most: number) {
  const pieces: Buffer[] = []
  let bytes = 0
  const chunks = body[Symbol.asyncIterator]()
  for (let next = await watch.during(chunks.next()); next.done !== true; next = await watch.during(chunks.next())) {
    const piece: Buffer = next.value
    pieces.push(piece)
    bytes += piece.length
    if (bytes > most) break
  }
  return { text: Buffer.concat(pieces).toString(), isCut: bytes > most }
}

export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a provider refused, from the answer that says so. */
export const refusalOf = ({ statusCode: status, headers }: Response, text: string, speaker: Speaker): ModelFailure =>
  failureOf({ status, words: errorWords(parsedOrText(text)), retryAfter: [headers['retry-after']].flat()[0] }, speaker)
