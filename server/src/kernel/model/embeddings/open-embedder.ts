import type { Embedder, Space } from './port.ts'

/** The part of `settings.ai` that is about embeddings. */
type EmbeddingSettings = {
  readonly kind: 'openai-compatible' | 'openai' | 'google'
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly dimensions: number | undefined
}

/** One request for the vectors of many texts. Whoever waits for a question's vector gives up sooner. */
const LIMITS = { totalMs: 60_000, silenceMs: 60_000 }

/** Null if no model is named: then documents are found by their words alone. */
export function spaceOf({ model, dimensions }: Pick<EmbeddingSettings, 'model' | 'dimensions'>): Space | null {
  return model === undefined ? null : { model, dimensions: dimensions ?? 0 }
}

/** Loads what speaks to the provider with the first text. */
export function openEmbedder({ kind, baseUrl, apiKey }: EmbeddingSettings, now: () => number): Embedder {
  let opened: Promise<Embedder> | undefined
  const open = async (): Promise<Embedder> => {
    if (kind === 'openai-compatible') {
      if (baseUrl === undefined)
        throw new Error('AI:Embeddings:BaseUrl is missing. Set it to the address of the provider.')
      const { openCompatibleEmbedder } = await import('./openai-compatible.ts')
      return openCompatibleEmbedder({ ...LIMITS, baseUrl, apiKey, now })
    }
    if (apiKey === undefined) throw new Error('AI:Embeddings:ApiKey is missing. Set it to a key of the provider.')
    const { openMakersEmbedder } = await import('./ai-sdk.ts')
    return openMakersEmbedder({ ...LIMITS, kind, baseUrl, apiKey, now })
  }
  return {
    async embed(request, signal) {
      opened ??= open()
      return await (await opened).embed(request, signal)
    },
    close: async () => (await opened)?.close(),
  }
}
