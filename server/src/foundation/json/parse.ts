// JSON from outside. Three things that JSON.parse does not do: a number that a double would change stays as written,
// depth and size are bounded before anything recurses over the value, and the fault does not quote the text (which
// may be a secret). A member that stands twice: the last one wins, as in JSON.parse. That is safe as long as everyone
// downstream reads what we write, so forward `stringifyJson(value)`, never the text that came in.
import { numberFrom } from './exact-number.ts'
import type { Json } from './json-value.ts'
import { marked, restored } from './kept-numbers.ts'
import type { ExactNumber } from './raw-json.ts'

export type JsonLimits = {
  /** How many arrays and objects may stand inside one another. */
  maxDepth: number
  /** The length of the text, in UTF-16 units. */
  maxLength: number
  /** How many values may stand in it: one of three characters takes as much memory as one of three hundred. */
  maxValues: number
}

export const defaultJsonLimits: JsonLimits = { maxDepth: 128, maxLength: 32 * 1024 * 1024, maxValues: 500_000 }

/** Nobody's amount has a thousand digits, and arithmetic on one that does is not free. */
const longestNumber = 1_000
/** Of numbers that are looked at one by one, because a double might change them. */
const mostLongNumbers = 50_000

export type JsonFaultReason = 'syntax' | 'encoding' | 'too_deep' | 'too_large' | 'too_many' | 'number_too_long'

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
    throw new JsonFault('too_large', `The JSON is longer than ${maxLength} characters: send less at once.`)
  }
  const longNumbers = scan(text, { maxDepth, maxValues })
  const kept = longNumbers.flatMap((span) => keptNumber(text, span))
  return kept.length === 0 ? parsed(text) : parsedKeeping(text, kept)
}

function parsed(text: string): Json {
  try {
    // JSON.parse answers JSON.
    return JSON.parse(text) as Json
  } catch (error) {
    throw syntaxFault(error)
  }
}

/** A number that a double would change, and where it stands. */
type Kept = { readonly span: Span; readonly number: ExactNumber }

function parsedKeeping(text: string, kept: readonly Kept[]): Json {
  const numbers = kept.map(({ number }) => number)
  const spans = kept.map(({ span }) => span)
  let value: Json
  try {
    value = JSON.parse(marked(text, spans)) as Json
  } catch {
    // The text itself is as wrong; this says where.
    return parsed(text)
  }
  if (spans.some(([start, end]) => end - start > longestNumber)) {
    const most = `more than ${longestNumber} characters`
    throw new JsonFault('number_too_long', `A number in the JSON has ${most}: send it as a string.`)
  }
  return restored(value, numbers)
}

const literal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Nothing where a double says the same, and where no number can stand: then JSON.parse finds what is wrong. */
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

/** UTF-8, strictly: a broken sequence is a fault, never a replacement character. A byte order mark is skipped. */
export function parseJsonBytes(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): Json {
  return parseJson(decode(bytes), limits)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonFault('encoding', 'The JSON is not valid UTF-8: send it encoded as UTF-8.')
  }
}

function syntaxFault(error: unknown): JsonFault {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  const where = position === undefined ? '' : ` (it goes wrong at character ${position})`
  return new JsonFault('syntax', `The text is not valid JSON${where}: send one JSON value.`)
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
 * One pass over the text outside its strings: refuses what nests too deep or holds too many values, and answers which numbers
 * might not fit a double. Fifteen digits without an exponent always fit; the others are decided one by one.
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
  new JsonFault('too_deep', `The JSON is nested more than ${most} levels deep: flatten it.`)
const tooMany = (what: string) => new JsonFault('too_many', `The JSON holds more than ${what}: send less at once.`)

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57
const dot = 46

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === dot) at++
  return at
}

/** With its exponent, and with whatever else runs on: then it is no number. */
function endOfNumber(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at)) || '.eE+-'.includes(text[at] ?? ' ')) at++
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
