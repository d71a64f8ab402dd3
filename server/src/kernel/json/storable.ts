// JSON can carry NUL and lone surrogates as escapes. PostgreSQL stores neither: it would fail, or change the text.
import { storableText } from '../text/index.ts'
import { isObject, type Json } from './json-value.ts'
import { JsonFault, type JsonLimits, parseJson } from './parse.ts'

/** Escapes of NUL and of surrogates. Most texts have none, so they cost one pass of this. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

const BACKSLASH = 92
const LOWER_U = 117
const ESCAPE_LENGTH = 6

/** Parses JSON that a caller sent. Throws a `JsonFault` if it holds, at any depth or in a name, what PostgreSQL cannot store. */
export function parseSentJson(text: string, limits: Partial<JsonLimits> = {}): Json {
  requireStorable(text)
  return parseJson(text, limits)
}

/** Checks JSON text without parsing it. The text itself is well formed, because it was decoded from UTF-8. */
export function requireStorable(text: string): void {
  if (text.includes('\0')) throw holds('a NUL character')
  if (!SUSPECT.test(text)) return
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    if (text.charCodeAt(at + 1) !== LOWER_U) {
      at += 2
      continue
    }
    const unit = escapedUnit(text, at)
    if (unit === 0) throw holds('a NUL character')
    const isPair = isHighSurrogate(unit) && isLowSurrogate(escapedUnit(text, at + ESCAPE_LENGTH))
    if (!isPair && (isHighSurrogate(unit) || isLowSurrogate(unit))) throw holds('half of a surrogate pair')
    at += isPair ? 2 * ESCAPE_LENGTH : ESCAPE_LENGTH
  }
}

const holds = (what: string) => new JsonFault('unstorable', `The JSON contains ${what}. Remove it.`)

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The code unit of a `\uXXXX` escape at this place; NaN if no escape starts here. */
function escapedUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LOWER_U) return Number.NaN
  let unit = 0
  for (let next = at + 2; next < at + ESCAPE_LENGTH; next++) unit = 16 * unit + hexDigit(text.charCodeAt(next))
  return unit
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : Number.NaN
}

// Matches a surrogate pair first, as a whole. It also matches every other escape, so that the second backslash of `\\` does not start a match.
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(0000|[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g

/** JSON text from a model, which may be invalid: each escape that `requireStorable` would refuse becomes that of U+FFFD. */
export const storableJsonText = (text: string): string =>
  SUSPECT.test(text)
    ? text.replace(ESCAPE, (whole, unit: string | undefined) => (unit === undefined ? whole : '\\ufffd'))
    : text

/** Plain data from outside with `storableText` applied to every text and name in it. */
export function storableTexts<Value>(value: Value): Value {
  // The cast is true because each text is replaced by a text, and everything else stays.
  return cleaned(value) as Value
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storableText(name), cleaned(one)]))
}
