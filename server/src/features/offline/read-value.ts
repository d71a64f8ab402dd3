// Reads one argument from the visitor's words by its kind: a member of a list, a number, a date, quoted text, a name.
import { member } from '../../foundation/json/index.ts'
import { type FoundValue, ISO, type ReadingContext, TIME } from './found-value.ts'
import { isThingOf, kindOf, type Property } from './properties.ts'
import { patternTest, readCode, readNearest, readNumber, readOnlyCode } from './read-figure.ts'
import { readName } from './read-name.ts'
import { meet, NEGATION, romanised, stemOf, termsIn, wordsIn } from './words.ts'

export function readValue(property: Property, context: ReadingContext): FoundValue | undefined {
  const { source } = context
  switch (kindOf(property)) {
    case 'choice':
      return readChoice(property, source)
    case 'number':
      return readNumber(property, context)
    case 'pattern':
      return readCode(context, patternTest(String(member(property.schema, 'pattern')), context.work))
    case 'email':
      return matched(EMAIL, source)
    case 'date':
      return readDate(source)
    case 'time':
      return matched(TIME, source)
    case 'phone':
      return readPhone(source)
    case 'code':
      return readNearest(property, context) ?? readOnlyCode(context)
    case 'reason':
      return readReason(source) ?? quoted(source)
    case 'free':
      return (
        quoted(source) ??
        (isThingOf(property, context.tool) ? (readNearest(property, context) ?? readOnlyCode(context)) : undefined) ??
        readName(property, context)
      )
    default:
      return quoted(source)
  }
}

const NAME_START = 4

/** Looks for the choice's own words first, then for the idea behind them in either language. */
function readChoice({ choices }: Property, source: string): FoundValue | undefined {
  const words = wordsIn(source)
  const stems = new Set([...words, ...words.map(stemOf)])
  const asked = termsIn(source)
  const spelt = words.map((word) => romanised(stemOf(word))).filter((word) => word.length >= NAME_START)
  const isSpelt = (word: string) => spelt.some((start) => word.startsWith(start) && word.length - start.length <= 2)
  const named = choices.filter((one) =>
    wordsIn(one.replaceAll('_', ' ')).every((word) => stems.has(word) || isSpelt(word)),
  )
  // "It has not arrived" means the other choice.
  const meant = NEGATION.test(source) ? [] : choices.filter((one) => meet(termsIn(one.replaceAll('_', ' ')), asked))
  const found = named.length === 1 ? named : meant
  const [value] = found
  if (value === undefined || found.length > 1) return undefined
  return named.length === 1 ? { value, span: value } : { value }
}

const QUOTED = /["“”„«]([^"“”„«»]{1,500})["“”»]/u
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/
const PHONE = /\+?\d[\d ()-]{6,18}\d/g
const DOTTED = /\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/
const BECAUSE = /\b(?:because(?: of)?|since|reason:?)\s+(.{3,300})|(?:რადგან|იმიტომ,? რომ|მიზეზი:?)\s+(.{3,300})/iu

export function quoted(source: string): FoundValue | undefined {
  const value = QUOTED.exec(source)?.[1]?.trim()
  return value === undefined || value === '' ? undefined : { value, span: value }
}

function readReason(source: string): FoundValue | undefined {
  const [, english, georgian] = BECAUSE.exec(source) ?? []
  const value = (english ?? georgian)?.trim()
  return value === undefined ? undefined : { value }
}

/** Needs at least seven digits, and must not be a date. */
function readPhone(source: string): FoundValue | undefined {
  const spans = [...source.replace(new RegExp(ISO, 'g'), ' , ').matchAll(PHONE)].map(([span]) => span.trim())
  const found = spans.find((span) => span.replace(/\D/g, '').length >= 7)
  return found === undefined ? undefined : { value: found, span: found }
}

const matched = (expression: RegExp, source: string): FoundValue | undefined => {
  const span = expression.exec(source)?.[0]
  return span === undefined ? undefined : { value: span, span }
}

function readDate(source: string): FoundValue | undefined {
  const iso = ISO.exec(source)
  if (iso) return { value: iso[0], span: iso[0] }
  const [span, day = '', month = '', year = ''] = DOTTED.exec(source) ?? []
  if (span === undefined || Number(month) > 12 || Number(day) > 31) return undefined
  return { value: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, span }
}
