// Reads one argument from the visitor's words by its kind: a member of a list, a number, a date, quoted text, a name.
import { member } from '../../kernel/json/index.ts'
import { romanised, stemOf, wordsIn } from '../../kernel/text/index.ts'
import { type FoundValue, ISO, type ReadingContext, TIME } from './found-value.ts'
import { examplesOf, isPlace, isThingOf, kindOf, ownTerms, type Property } from './properties.ts'
import { patternTest, readCode, readNearest, readNumber, readOnlyCode, wholeFigure } from './read-figure.ts'
import { readName } from './read-name.ts'
import { meet, NEGATION, termsIn } from './words.ts'

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
      return readReason(source) ?? quoted(source, context.taken)
    case 'free':
      return (
        (isPlace(property) ? quotedPlace(context) : quoted(source, context.taken)) ??
        readSpelt(examplesOf(property), source) ??
        readLabelled(property, source) ??
        (isThingOf(property, context.tool)
          ? wholeFigure(property, context, readNearest(property, context) ?? readOnlyCode(context))
          : undefined) ??
        readName(property, context)
      )
    default:
      return quoted(source, context.taken)
  }
}

const NAME_START = 4

/** Those that the source names by their own words, in either alphabet, and in which of its words it does. */
function speltIn(values: readonly string[], source: string): { readonly value: string; readonly span: string }[] {
  const words = wordsIn(source).map((said) => ({ said, stem: stemOf(said), latin: romanised(stemOf(said)) }))
  const isSaid = (own: string) => (one: (typeof words)[number]) =>
    one.said === own || one.stem === own || one.stem === stemOf(own) || isSpelt(own, one.latin)
  return values.flatMap((value) => {
    const own = wordsIn(value.replaceAll('_', ' '))
    const said = own.map((word) => words.find(isSaid(word))?.said)
    // "Row 2, seats 3-4" holds the words of the example "row 4", and means another one.
    if (own.some((word) => /\d/.test(word)) && !source.toLowerCase().includes(value.toLowerCase())) return []
    return own.length > 0 && said.every((one) => one !== undefined) ? { value, span: said.join(' ') } : []
  })
}

const isSpelt = (word: string, start: string): boolean =>
  start.length >= NAME_START && word.startsWith(start) && word.length - start.length <= 2

/** An example that the business gives is a value of its own spelling. */
function readSpelt(examples: readonly string[], source: string): FoundValue | undefined {
  const [found, other] = speltIn(examples, source)
  return other === undefined ? found : undefined
}

const LABELLED = /([\p{L}_]{2,40})\s*[:=]\s*([\p{L}\p{N}][^,;:.!?=\n]{0,80})/gu

/** "City: Kutaisi". */
function readLabelled(property: Property, source: string): FoundValue | undefined {
  const own = ownTerms(property)
  const value = [...source.matchAll(LABELLED)].find(([, label = '']) => meet(termsIn(label), own))?.[2]?.trim()
  return value === undefined ? undefined : { value, span: value }
}

/** Looks for the choice's own words first, then for the idea behind them in either language. */
function readChoice({ choices }: Property, source: string): FoundValue | undefined {
  const asked = termsIn(source)
  const named = speltIn(choices, source)
  // "It has not arrived" means the other choice.
  const meant = NEGATION.test(source) ? [] : choices.filter((one) => meet(termsIn(one.replaceAll('_', ' ')), asked))
  if (named.length === 1) return named[0]
  const [value, other] = meant
  return value === undefined || other !== undefined ? undefined : { value }
}

const QUOTED = /["“”„«]([^"“”„«»]{1,500})["“”»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{1,200})['’](?![\p{L}\p{N}])/gu
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/
const PHONE = /\+?\d[\d ()-]{6,18}\d/g
const DOTTED = /\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/
const BECAUSE = /\b(?:because(?: of)?|since|reason:?)\s+(.{3,300})|(?:რადგან|იმიტომ,? რომ|მიზეზი:?)\s+(.{3,300})/iu

type Quote = { readonly value: string; readonly before: string }

const quotesIn = (source: string): Quote[] =>
  [...source.matchAll(QUOTED)]
    .map(({ 1: double, 2: single, index }) => ({
      value: (double ?? single ?? '').trim(),
      before: source.slice(0, index),
    }))
    .filter(({ value }) => value !== '')

const asValue = (value: string | undefined): FoundValue | undefined =>
  value === undefined ? undefined : { value, span: value }

export const quoted = (source: string, taken: ReadonlySet<string> = new Set()): FoundValue | undefined =>
  asValue(quotesIn(source).find(({ value }) => !taken.has(value))?.value)

/** "Does “Green Basket” deliver?" names no town. */
const quotedPlace = ({ source, taken }: ReadingContext): FoundValue | undefined =>
  asValue(quotesIn(source).find(({ value, before }) => !taken.has(value) && PLACING.test(before))?.value)
const PLACING = /\b(?:in|at|near|for|from|to)\s*$/iu

/** The quotation that the argument's own word introduces: album 'Chief'. It counts before one that only is there. */
export function quotedBesideItsWord(property: Property, { source, taken }: ReadingContext): FoundValue | undefined {
  if (!IN_OWN_WORDS.has(kindOf(property))) return undefined
  const own = ownTerms(property)
  const beside = quotesIn(source).find(
    ({ value, before }) => !taken.has(value) && meet(termsIn(lastWords(before)), own),
  )
  return asValue(beside?.value)
}

const IN_OWN_WORDS = new Set(['free', 'reason', 'search', 'other'])
const NEAR_WORDS = 2
const lastWords = (text: string): string => wordsIn(text.slice(-64)).slice(-NEAR_WORDS).join(' ')

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
