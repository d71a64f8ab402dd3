// Asks the model of the embeddings for vectors, within the budgets, and enters what it cost.

import { type Embedder, type EmbeddingRequest, ModelFailure, type Price } from '../../kernel/model/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Ledger, type Spender, spendingOf } from '../../tenancy/usage/index.ts'

export type EmbeddingParts = {
  readonly house: House
  readonly embedder: Embedder
  readonly ledger: Ledger
}

type Asked = EmbeddingRequest & { readonly requestId: string }

/** Undefined if a budget forbids it, or if nobody knows what it costs. Throws `ModelFailure`. */
export async function embed(
  { house, embedder, ledger }: EmbeddingParts,
  asking: Spender,
  asked: Asked,
  signal: AbortSignal,
): Promise<readonly Float32Array[] | undefined> {
  const price = priceOfVectors(house, asked.model)
  if (price === undefined) return undefined
  const { requestId, of: purpose, ...request } = asked
  const model = { name: asked.model, price }
  const spending = spendingOf({ ...house, asking }, ledger, { requestId, model, purpose })
  const estimate = { inputTokens: asked.texts.reduce((sum, text) => sum + tokensIn(text), 0), outputTokens: 0 }
  const reserved = await spending.reserve(estimate)
  if (!reserved.ok) return undefined
  const settle = (inputTokens: number) =>
    spending.settle({ holdId: reserved.holdId, usage: { inputTokens, outputTokens: 0 } })
  try {
    const { vectors, tokens } = await embedder.embed({ ...request, of: purpose }, signal)
    settle(tokens ?? estimate.inputTokens)
    return vectors
  } catch (error) {
    settle(error instanceof ModelFailure && NOT_BEGUN.includes(error.kind) ? 0 : estimate.inputTokens)
    throw error
  }
}

// The request never reached the provider, or it declined before it began, so nothing was spent.
const NOT_BEGUN: readonly ModelFailure['kind'][] = ['unreachable', 'refused', 'busy']

/** A model of before may have lost its price with the settings that named it. */
const priceOfVectors = ({ settings }: House, model: string): Price | undefined => {
  const price = settings.ai.prices.get(model.toLowerCase())
  return price === undefined ? undefined : { inputMicros: price.inputMicros, outputMicros: 0 }
}

/** Many letters of other scripts are a token each, so this is what a text takes at most, roughly. */
const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)
