// Parses JSON from outside. Unlike JSON.parse, it keeps a number that a double would change as written, bounds depth
// and size before anything recurses over the value, and never quotes the text (which may be a secret) in an error. If a
// name occurs twice in an object, the last one wins, as in JSON.parse. That is safe only if everyone downstream reads
// what we write, so forward `stringifyJson(value)`, never the original text.
import { numberFrom } from './exact-number.ts'
import type { Json } from './json-value.ts'
import { marked, restored } from './kept-numbers.ts'
import type { ExactNumber } from './raw-json.ts'

export type JsonLimits = {
  /** How deep arrays and objects may nest. */
  maxDepth: number
  /** The longest text, in UTF-16 units. */
  maxLength: number
  /** The most values, because a short one takes as much memory as a long one. */
  maxValues: number
}

const defaultJsonLimits: JsonLimits = { maxDepth: 128, maxLength: 32 * 1024 * 1024, maxValues: 500_000 }

/** Nobody's amount has a thousand digits, and arithmetic on long numbers is not free. */
const longestNumber = 1_000
/** The most numbers that a double might change, because each of them takes the slow path. */
const mostLongNumbers = 50_000

export type JsonFaultReason =
  | 'syntax'
  | 'encoding'
  | 'unstorable'
  | 'too_deep'
  | 'too_large'
  | 'too_many'
  | 'number_too_long'

export class JsonFault extends Error {
  readonly reason: JsonFaultReason
  constructor(reason: JsonFaultReason, message: string) {
    super(message)
    this.name = 'JsonFault'
    this.reason = reason
  }
}

export function parseJson(text: string, limits: Partial<JsonLimits> = {}): Json {
  const { maxDepth, maxLength, maxValues } = { ...defaultJsonLimits, ...limits }
  if (text.length > maxLength) {
    throw new JsonFault('too_large', `The JSON is longer than ${maxLength} characters. Send less at once.`)
  }
  const longNumbers = scan(text, { maxDepth, maxValues })
  const kept = longNumbers.flatMap((span) => keptNumber(text, span))
  return kept.length === 0 ? parsed(text) : parsedKeeping(text, kept)
}

function parsed(text: string): Json {
  try {
    // The cast is true because JSON.parse returns JSON.
    return JSON.parse(text) as Json
  } catch (error) {
    throw syntaxFault(error)
  }
}

/** A number that a double would change, and its place in the text. */
type Kept = { readonly span: Span; readonly number: ExactNumber }

function parsedKeeping(text: string, kept: readonly Kept[]): Json {
  const numbers = kept.map(({ number }) => number)
  const spans = kept.map(({ span }) => span)
  let value: Json
  try {
    value = JSON.parse(marked(text, spans)) as Json
  } catch {
    // The original text has the same error, and its message names the right place.
    return parsed(text)
  }
  if (spans.some(([start, end]) => end - start > longestNumber)) {
    const most = `more than ${longestNumber} characters`
    throw new JsonFault('number_too_long', `A number in the JSON has ${most}. Send it as a string.`)
  }
  return restored(value, numbers)
}

const literal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Keeps nothing if a double is the same number, or if no number may stand here, which JSON.parse reports. */
function keptNumber(text: string, span: Span): [] | [Kept] {
  const [start, end] = span
  const source = text.slice(start, end)
  if (!literal.test(source) || isName(text, end)) return []
  if (source.length > longestNumber) return [{ span, number: JSON.rawJSON('0') }]
  const number = numberFrom(source, Number(source))
  return typeof number === 'number' ? [] : [{ span, number }]
}

function isName(text: string, end: number): boolean {
  let at = end
  while (isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === colon
}

/** Decodes strict UTF-8: a broken sequence is a fault, never a replacement character. It skips a byte order mark. */
export function parseJsonBytes(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): Json {
  return parseJson(decodeUtf8(bytes), limits)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonFault('encoding', 'The JSON is not valid UTF-8. Encode it as UTF-8.')
  }
}

function syntaxFault(error: unknown): JsonFault {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  const where = position === undefined ? '' : ` (the error is at character ${position})`
  return new JsonFault('syntax', `The text is not valid JSON${where}. Send one JSON value.`)
}

const quote = 34
const backslash = 92

const comma = 44
const colon = 58
const isBlank = (unit: number): boolean => unit === 32 || unit === 9 || unit === 10 || unit === 13
const isOpening = (unit: number): boolean => unit === 91 || unit === 123
const isClosing = (unit: number): boolean => unit === 93 || unit === 125

type Span = readonly [start: number, end: number]

/**
 * Scans the text outside its strings once. It refuses text that nests too deep or has too many values, and finds the
 * numbers that might not fit a double. Fifteen digits without an exponent always fit.
 */
function scan(text: string, { maxDepth, maxValues }: Pick<JsonLimits, 'maxDepth' | 'maxValues'>): Span[] {
  let depth = 0
  let values = 1
  const longNumbers: Span[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      at = endOfString(text, at)
    } else if (unit === comma) {
      values++
      if (values > maxValues) throw tooMany(`${maxValues} values`)
    } else if (isOpening(unit)) {
      depth++
      values++
      if (depth > maxDepth) throw tooDeep(maxDepth)
      if (values > maxValues) throw tooMany(`${maxValues} values`)
    } else if (isClosing(unit)) {
      depth--
    } else if (isDigit(unit)) {
      const end = endOfDigits(text, at)
      const isLong = end - at > 15 || text[end] === 'e' || text[end] === 'E'
      const after = isLong ? endOfNumber(text, end) : end
      if (isLong) longNumbers.push([text[at - 1] === '-' ? at - 1 : at, after])
      if (longNumbers.length > mostLongNumbers)
        throw tooMany(`${mostLongNumbers} numbers with an exponent or more than 15 digits`)
      at = after - 1
    }
  }
  return longNumbers
}

const tooDeep = (most: number) =>
  new JsonFault('too_deep', `The JSON is nested more than ${most} levels deep. Flatten it.`)
const tooMany = (what: string) => new JsonFault('too_many', `The JSON holds more than ${what}. Send less at once.`)

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57
const dot = 46

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === dot) at++
  return at
}

/** Includes the exponent, and any characters that make it no number. */
function endOfNumber(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at)) || '.eE+-'.includes(text[at] ?? ' ')) at++
  return at
}

/** Where the string that begins here ends; the end of the text where it does not. */
export function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
}
