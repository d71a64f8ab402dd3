// Talks to whatever answers as the Embeddings of OpenAI do. The operator sets the address, so it may be on a private network.
// We follow no redirects, check TLS, and send the key only in its header.
import { Agent, type Dispatcher } from 'undici'
import { type Limits, openWatch, type Watch } from '../deadlines.ts'
import { connectionFailure, errorWords, failureOf, type Speaker } from '../failures.ts'
import { ModelFailure } from '../port.ts'
import type { Embedded, Embedder, EmbeddingRequest } from './port.ts'
import { checkedVectors } from './vectors.ts'

export type EmbeddingsOptions = Limits & {
  /** The address in front of `/embeddings`. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  now(): number
}

const CONNECT_MS = 10_000
const MOST_BYTES = 67_108_864

export function openCompatibleEmbedder(options: EmbeddingsOptions): Embedder {
  const { baseUrl, apiKey, now } = options
  // Explicit, because an environment variable can turn the default off.
  const connect = { timeout: CONNECT_MS, rejectUnauthorized: true }
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect })
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/embeddings`)
  const speaker: Speaker = { at: url.origin, apiKey, now, section: 'AI:Embeddings' }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  return {
    async embed(request, caller) {
      const watch = openWatch(caller, options)
      let body: Dispatcher.ResponseData['body'] | undefined
      try {
        const response = await watch.during(
          agent.request({
            origin: url.origin,
            path: `${url.pathname}${url.search}`,
            method: 'POST',
            headers,
            body: requestBody(request),
            signal: watch.signal,
          }),
        )
        body = response.body
        // A reader that stops destroys the body, which then emits an error that nobody waits for.
        body.on('error', () => {})
        const answer = parsed(await wholeText(body, watch))
        if (response.statusCode !== 200) {
          const retryAfter = [response.headers['retry-after']].flat()[0]
          throw failureOf({ status: response.statusCode, words: errorWords(answer), retryAfter }, speaker)
        }
        return readAnswer(answer, request)
      } catch (error) {
        throw (
          watch.reason() ??
          (error instanceof ModelFailure ? error : connectionFailure(error, body !== undefined, speaker))
        )
      } finally {
        watch.close()
        body?.destroy()
      }
    },
    close: () => agent.destroy(),
  }
}

const requestBody = ({ model, dimensions, texts }: EmbeddingRequest): string =>
  JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions > 0 ? { dimensions } : {}) })

async function wholeText(body: Dispatcher.ResponseData['body'], watch: Watch): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  const chunks = body[Symbol.asyncIterator]()
  for (let next = await watch.during(chunks.next()); next.done !== true; next = await watch.during(chunks.next())) {
    const piece: Buffer = next.value
    pieces.push(piece)
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new ModelFailure('broken', `The vectors have more than ${MOST_BYTES} bytes.`)
  }
  return Buffer.concat(pieces).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Sent = { readonly index?: unknown; readonly embedding?: unknown }

/** The vectors come with the places of their texts, and not always in their order. */
function readAnswer(answer: unknown, { texts, dimensions }: EmbeddingRequest): Embedded {
  const { data, usage } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
    data?: unknown
    usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null
  }
  const sent: readonly Sent[] = Array.isArray(data) ? data.filter((one) => typeof one === 'object' && one !== null) : []
  const placed = sent.toSorted((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0))
  const vectors = checkedVectors(
    placed.map(({ embedding }) => embedding),
    { count: texts.length, dimensions },
  )
  const tokens = usage?.prompt_tokens ?? usage?.total_tokens
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null }
}
