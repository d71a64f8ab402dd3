/** US dollars per million tokens. */
export type Price = { readonly inputPerMillion: number; readonly outputPerMillion: number }
export type Tokens = { readonly inputTokens: number; readonly outputTokens: number }

export const costOf = ({ inputTokens, outputTokens }: Tokens, price: Price): number =>
  (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000

export type Periods = { readonly day: string; readonly month: string }

/** The UTC day and month of an instant, as the counters are named. */
export const periodsOf = (now: number): Periods => {
  const day = new Date(now).toISOString().slice(0, 10)
  return { day, month: day.slice(0, 7) }
}
