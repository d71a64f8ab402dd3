import { type JsonObject, measureJson, stringifyJson } from '../../kernel/json/index.ts'

/**
 * Whether the arguments of a call or an action are small enough to be sent and kept: at most `most` bytes as JSON in
 * UTF-8, as they are sent and stored. What is far too large is not written out to learn it, because a check may copy one
 * argument into many.
 */
export function argumentsFit(given: JsonObject, most: number): boolean {
  const measured = measureJson(given, { maxDepth: Number.POSITIVE_INFINITY, maxSize: most })
  return measured.ok && Buffer.byteLength(stringifyJson(given)) <= most
}

/** What follows a refusal of them. */
export const argumentsTooLarge = (most: number): string =>
  `The arguments are larger than ${most} bytes. Send less, or a reference to what you keep.`
