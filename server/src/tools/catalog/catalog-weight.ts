import { type Json, measureJson } from '../../kernel/json/index.ts'

/** What a value takes at most, once calls have been checked against the schema that it may be a part of. */
const BYTES_OF_VALUE = 160
const BYTES_OF_CHARACTER = 2
const WHOLE = { maxDepth: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY }

/**
 * About how many bytes of memory a catalog takes. The number of its values decides: a megabyte of `{}` takes a hundred
 * times what one description of a megabyte does.
 */
export function weightOf(text: string, value: Json): number {
  const measured = measureJson(value, WHOLE)
  return (measured.ok ? measured.values : text.length) * BYTES_OF_VALUE + text.length * BYTES_OF_CHARACTER
}
