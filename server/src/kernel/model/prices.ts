// The cost of a round is a whole number: a price in millionths of a dollar per million tokens, times tokens, is a cost
// in millionths of a millionth of a dollar. Nothing is rounded until somebody asks for a coarser unit.
import type { ModelUsage } from './port.ts'

/** In millionths of a US dollar per million tokens. */
export type Price = { readonly inputMicros: number; readonly outputMicros: number }

/** The keys are names of models in lower case. A model that only makes vectors has no price for what it says. */
export type Prices = ReadonlyMap<string, { readonly inputMicros: number; readonly outputMicros: number | null }>

/** In millionths of a millionth of a US dollar. */
type Cost = bigint

const OFFLINE = 'offline'
const FREE: Price = { inputMicros: 0, outputMicros: 0 }

/** The settings refuse a model without a price, so a model that has none here is not one of theirs. */
export function priceOf(prices: Prices, model: string): Price {
  const price = model === OFFLINE ? FREE : prices.get(model.toLowerCase())
  if (price !== undefined) return { inputMicros: price.inputMicros, outputMicros: price.outputMicros ?? 0 }
  throw new Error(
    `There is no price for the model ${model}. Set AI:Prices:${model}:InputPerMillion and AI:Prices:${model}:OutputPerMillion.`,
  )
}

export const costOf = ({ inputTokens, outputTokens }: ModelUsage, { inputMicros, outputMicros }: Price): Cost =>
  BigInt(inputTokens) * BigInt(inputMicros) + BigInt(outputTokens) * BigInt(outputMicros)

const DECIMALS = 12

/** An exact value for a column of type numeric, such as `0.000001050000`. */
export function usdText(cost: Cost): string {
  const digits = (cost < 0n ? -cost : cost).toString().padStart(DECIMALS + 1, '0')
  return `${cost < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
