const OF_MONEY = /price|amount|value|cost/i
/** A price that JavaScript would write in another way. */
const WRITTEN_OTHERWISE =
  /(?:price|amount|value|cost)[^"]{0,20}"\s{0,4}:\s{0,4}(?:\d{1,20}\.\d{0,20}0(?!\d)|\d{1,20}[.\d]{0,20}e|\d{16})/i

/** Parses JSON and keeps a price as it was written: 19.90 stays 19.90. Undefined for what is not JSON. */
export function withSource(text: string): unknown {
  try {
    // Looking at each value costs more than the parsing, and few documents need it.
    if (!WRITTEN_OTHERWISE.test(text)) return JSON.parse(text)
    return JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && OF_MONEY.test(key) ? (context?.source ?? value) : value,
    )
  } catch {
    // Also for what is nested too deep for the parser.
    return undefined
  }
}
