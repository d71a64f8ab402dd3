declare const exactNumber: unique symbol

/** A number kept as written, which JSON.stringify writes back unchanged. It does not survive structuredClone. */
export interface ExactNumber {
  readonly rawJSON: string
  readonly [exactNumber]: true
}

// Node 24 has these, but TypeScript 6 does not declare them yet.
declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
    parse(
      text: string,
      reviver: (this: unknown, name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}
