// What a round costs, in whole numbers: a price in millionths of a dollar for a million tokens, times tokens, is a cost in
// millionths of a millionth of a dollar. Nothing is rounded until somebody asks for less exact units.
import type { ModelUsage } from './port.ts'

/** Millionths of a US dollar for a million tokens. */
export type Price = { readonly inputMicros: number; readonly outputMicros: number }

/** By the name of the model in lower case. */
export type Prices = ReadonlyMap<string, Price>

/** Millionths of a millionth of a US dollar. */
export type Cost = bigint

const OFFLINE = 'offline'
const FREE: Price = { inputMicros: 0, outputMicros: 0 }

/** The settings refuse a model without a price, so one that has none here was never named there. */
export function priceOf(prices: Prices, model: string): Price {
  const price = model === OFFLINE ? FREE : prices.get(model.toLowerCase())
  if (price !== undefined) return price
  throw new Error(
    `There is no price for the model ${model}: set AI:Prices:${model}:InputPerMillion and AI:Prices:${model}:OutputPerMillion.`,
  )
}

export const costOf = ({ inputTokens, outputTokens }: ModelUsage, { inputMicros, outputMicros }: Price): Cost =>
  BigInt(inputTokens) * BigInt(inputMicros) + BigInt(outputTokens) * BigInt(outputMicros)

const PLACES = 12

/** For a column of type numeric: `0.000001050000`, exactly. */
export function usdText(cost: Cost): string {
  const digits = (cost < 0n ? -cost : cost).toString().padStart(PLACES + 1, '0')
  return `${cost < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}
