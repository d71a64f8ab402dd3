const OF_MONEY = /price|amount|value|cost/i

/** Parses JSON and keeps a price as it was written: 19.90 stays 19.90. Undefined for what is not JSON. */
export function withSource(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && OF_MONEY.test(key) ? (context?.source ?? value) : value,
    )
  } catch {
    // Also for what is nested too deep for the parser.
    return undefined
  }
}
