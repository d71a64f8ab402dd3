// The makers' own packages. Each is loaded with the first request to it, and never if the settings name another kind.
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { Agent, fetch as fetchOver } from 'undici'
import { ModelFailure } from '../port.ts'

export type ProviderKind = 'openai' | 'anthropic' | 'google'

export type ProviderAddress = {
  readonly kind: ProviderKind
  readonly apiKey: string
  /** Undefined means the maker's own address. */
  readonly baseUrl: string | undefined
}

export type ModelProvider = { model(name: string): LanguageModelV4; close(): Promise<void> }

export const HOME: Readonly<Record<ProviderKind, string>> = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
}

const CONNECT_MS = 10_000
const MOST_BYTES = 67_108_864

export async function loadProvider({ kind, apiKey, baseUrl }: ProviderAddress): Promise<ModelProvider> {
  const { settings, close } = connection(apiKey, baseUrl)
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const provider = createOpenAI(settings)
      // The maker's other interface would keep the conversation on its side.
      return { model: (name) => provider.chat(name), close }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const provider = createAnthropic(settings)
      return { model: (name) => provider(name), close }
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      const provider = createGoogle(settings)
      return { model: (name) => provider(name), close }
    }
  }
}

type EmbeddingProvider = { embedding(name: string): EmbeddingModelV4; close(): Promise<void> }

/** Of those makers that have such models. */
export async function loadEmbedding({
  kind,
  apiKey,
  baseUrl,
}: Omit<ProviderAddress, 'kind'> & { readonly kind: 'openai' | 'google' }): Promise<EmbeddingProvider> {
  const { settings, close } = connection(apiKey, baseUrl)
  if (kind === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const provider = createOpenAI(settings)
    return { embedding: (name) => provider.embedding(name), close }
  }
  const { createGoogle } = await import('@ai-sdk/google')
  const provider = createGoogle(settings)
  return { embedding: (name) => provider.embedding(name), close }
}

function connection(apiKey: string, baseUrl: string | undefined) {
  // Explicit, because an environment variable can turn the default off.
  const connect = { timeout: CONNECT_MS, rejectUnauthorized: true }
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect })
  const settings = { apiKey, fetch: boundedFetch(agent), ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) }
  return { settings, close: () => agent.destroy() }
}

/** Follows no redirect, which would take the key along, and bounds the answer. */
function boundedFetch(agent: Agent): typeof fetch {
  return async (input, init) => {
    const response = await asGlobal(fetchOver)(input, { ...init, ...over(agent), redirect: 'manual' })
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counter()), { status, statusText, headers })
  }
}

// The cast is true because Node's own fetch is undici's; the types differ in name only.
const asGlobal = (fetched: typeof fetchOver): typeof fetch => fetched as unknown as typeof fetch
// The cast is true because undici's own fetch takes it; the global type names the dispatcher of another version.
const over = (agent: Agent): RequestInit => ({ dispatcher: agent }) as unknown as RequestInit

function counter(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) throw new ModelFailure('broken', `The model's answer has more than ${MOST_BYTES} bytes.`)
      controller.enqueue(chunk)
    },
  })
}
