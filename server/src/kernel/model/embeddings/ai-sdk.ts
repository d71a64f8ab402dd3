// The makers' own packages, behind one adapter. Their errors may hold the texts, so we throw a failure of our own instead.
import { APICallError } from '@ai-sdk/provider'
import { HOME, loadEmbedding } from '../ai-sdk/providers.ts'
import { type Limits, openWatch } from '../deadlines.ts'
import { connectionFailure, failureOf, type Speaker } from '../failures.ts'
import { ModelFailure } from '../port.ts'
import type { Embedder } from './port.ts'
import { checkedVectors } from './vectors.ts'

export type EmbeddingMaker = 'openai' | 'google'

export type MakerOptions = Limits & {
  readonly kind: EmbeddingMaker
  readonly apiKey: string
  /** Undefined means the maker's own address. */
  readonly baseUrl: string | undefined
  now(): number
}

export function openMakersEmbedder(options: MakerOptions): Embedder {
  const { kind, baseUrl = HOME[options.kind], apiKey, now } = options
  const speaker: Speaker = { at: new URL(baseUrl).origin, apiKey, now, section: 'AI:Embeddings' }
  let loading: ReturnType<typeof loadEmbedding> | undefined
  return {
    async embed({ model, dimensions, texts, of }, caller) {
      const watch = openWatch(caller, options)
      try {
        loading ??= loadEmbedding(options)
        const { embedding } = await loading
        const { embeddings, usage } = await watch.during(
          embedding(model).doEmbed({
            values: [...texts],
            abortSignal: watch.signal,
            ...(dimensions > 0 ? { dimensions } : {}),
            ...(kind === 'google'
              ? {
                  providerOptions: {
                    google: { taskType: of === 'question' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' },
                  },
                }
              : {}),
          }),
        )
        return {
          vectors: checkedVectors(embeddings, { count: texts.length, dimensions }),
          tokens: usage?.tokens ?? null,
        }
      } catch (error) {
        throw watch.reason() ?? translated(error, speaker)
      } finally {
        watch.close()
      }
    },
    close: async () => (await loading)?.close(),
  }
}

function translated(error: unknown, speaker: Speaker): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (!APICallError.isInstance(error)) return connectionFailure(error, false, speaker)
  const { statusCode, responseHeaders, message } = error
  if (statusCode === undefined) return connectionFailure(error.cause ?? error, false, speaker)
  if (statusCode === 200) return connectionFailure(error, true, speaker)
  return failureOf({ status: statusCode, words: message, retryAfter: responseHeaders?.['retry-after'] }, speaker)
}
