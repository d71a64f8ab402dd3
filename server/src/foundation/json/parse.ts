// Parses JSON from outside. Unlike JSON.parse, it keeps a number that a double would change as written, bounds depth
// and size before anything recurses over the value, and never quotes the text (which may be a secret) in an error. If a
// name occurs twice in an object, the last one wins, as in JSON.parse. That is safe only if everyone downstream reads
// what we write, so forward `stringifyJson(value)`, never the original text.
import { numberFrom } from './exact-number.ts'
import type { Json } from './json-value.ts'

export type JsonLimits = {
  /** How deep arrays and objects may nest. */
  maxDepth: number
  /** The longest text, in UTF-16 units. */
  maxLength: number
}

export const defaultJsonLimits: JsonLimits = { maxDepth: 128, maxLength: 32 * 1024 * 1024 }

/** Nobody's amount has a thousand digits, and arithmetic on long numbers is not free. */
const longestNumber = 1_000

export type JsonFaultReason = 'syntax' | 'encoding' | 'too_deep' | 'too_large' | 'number_too_long'

export class JsonFault extends Error {
  readonly reason: JsonFaultReason
  constructor(reason: JsonFaultReason, message: string) {
    super(message)
    this.name = 'JsonFault'
    this.reason = reason
  }
}

export function parseJson(text: string, limits: JsonLimits = defaultJsonLimits): Json {
  if (text.length > limits.maxLength) {
    throw new JsonFault('too_large', `The JSON is longer than ${limits.maxLength} characters. Send less at once.`)
  }
  const { depth, longNumbers } = scan(text)
  if (depth > limits.maxDepth) {
    throw new JsonFault('too_deep', `The JSON is nested more than ${limits.maxDepth} levels deep. Flatten it.`)
  }
  try {
    // The cast is true because JSON.parse returns JSON, and the reviver only turns numbers into ExactNumber.
    return (longNumbers ? JSON.parse(text, keepExact) : JSON.parse(text)) as Json
  } catch (error) {
    throw error instanceof JsonFault ? error : syntaxFault(error)
  }
}

/** Decodes strict UTF-8: a broken sequence is a fault, never a replacement character. It skips a byte order mark. */
export function parseJsonBytes(bytes: Uint8Array, limits: JsonLimits = defaultJsonLimits): Json {
  return parseJson(decodeUtf8(bytes), limits)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonFault('encoding', 'The JSON is not valid UTF-8. Encode it as UTF-8.')
  }
}

function keepExact(_name: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  if (context.source.length > longestNumber) {
    throw new JsonFault(
      'number_too_long',
      `A number in the JSON has more than ${longestNumber} characters. Send it as a string.`,
    )
  }
  return numberFrom(context.source, value)
}

function syntaxFault(error: unknown): JsonFault {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  const where = position === undefined ? '' : ` (the error is at character ${position})`
  return new JsonFault('syntax', `The text is not valid JSON${where}. Send one JSON value.`)
}

const quote = 34
const backslash = 92

/**
 * Scans the text outside its strings once, to find how deep it nests and whether a number might not fit a double.
 * Fifteen digits without an exponent always fit; anything else takes the slow path, which decides for each number.
 */
function scan(text: string): { depth: number; longNumbers: boolean } {
  let depth = 0
  let deepest = 0
  let longNumbers = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      at = endOfString(text, at)
    } else if (unit === 91 || unit === 123) {
      depth++
      if (depth > deepest) deepest = depth
    } else if (unit === 93 || unit === 125) {
      depth--
    } else if (isDigit(unit)) {
      const end = endOfDigits(text, at)
      if (end - at > 15 || text[end] === 'e' || text[end] === 'E') longNumbers = true
      at = end - 1
    }
  }
  return { depth: deepest, longNumbers }
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57
const dot = 46

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === dot) at++
  return at
}

function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
}
