import { ModelFailure } from '../port.ts'
import { openProvider, type ProviderOptions, parsedOrText, readBody, refusalOf } from '../provider-exchange.ts'
import type { Embedded, Embedder, EmbeddingRequest } from './port.ts'
import { checkedVectors } from './vectors.ts'

const MOST_BYTES = 67_108_864

export function openCompatibleEmbedder(options: ProviderOptions): Embedder {
  const at = { path: '/embeddings', accept: 'application/json', section: 'AI:Embeddings' } as const
  const { speaker, begin, close } = openProvider(options, at)
  return {
    async embed(request, caller) {
      const exchange = begin(caller)
      try {
        const response = await exchange.post(requestBody(request))
        const { text, isCut } = await readBody(response.body, exchange.watch, MOST_BYTES)
        if (isCut) throw new ModelFailure('broken', `The vectors have more than ${MOST_BYTES} bytes.`)
        if (response.statusCode !== 200) throw refusalOf(response, text, speaker)
        return readAnswer(parsedOrText(text), request)
      } catch (error) {
        throw exchange.failure(error)
      } finally {
        exchange.close()
      }
    },
    close,
  }
}

const requestBody = ({ model, dimensions, texts }: EmbeddingRequest): string =>
  JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions > 0 ? { dimensions } : {}) })

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
