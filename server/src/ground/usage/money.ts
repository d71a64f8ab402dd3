/** Millionths of a US dollar for a million tokens. */
export type Price = { readonly inputMicros: number; readonly outputMicros: number }
export type Tokens = { readonly inputTokens: number; readonly outputTokens: number }

const PLACES = 12

/** In US dollars, exactly: a price in millionths for a million tokens has twelve places. */
export function costText({ inputTokens, outputTokens }: Tokens, { inputMicros, outputMicros }: Price): string {
  const cost = BigInt(inputTokens) * BigInt(inputMicros) + BigInt(outputTokens) * BigInt(outputMicros)
  const digits = cost.toString().padStart(PLACES + 1, '0')
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

export type Periods = { readonly day: string; readonly month: string }

/** The UTC day and month of an instant, as the counters are named. */
export const periodsOf = (now: number): Periods => {
  const day = new Date(now).toISOString().slice(0, 10)
  return { day, month: day.slice(0, 7) }
}
