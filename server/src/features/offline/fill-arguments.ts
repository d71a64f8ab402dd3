// Takes arguments from the visitor's words and nowhere else: a member of a list, a code that fits its pattern, a
// number, a date, quoted text, the remaining words of a search. It guesses nothing; we ask for what is missing.
import {
  BudgetSpent,
  checkPattern,
  isObject,
  type Json,
  type JsonObject,
  member,
  patternMatches,
  type WorkBudget,
} from '../../foundation/json/index.ts'
import type { OfferedTool } from '../../foundation/model/index.ts'
import { READ_VERBS } from './lexicon.ts'
import { isContent, meet, NEGATION, romanised, stemOf, termsIn, termsOfWord, wordsIn } from './words.ts'

/** The question, and the earlier messages from which values may come. */
export type Question = { readonly text: string; readonly earlier: readonly string[] }

export type Property = {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly choices: readonly string[]
  readonly required: boolean
  readonly schema: JsonObject
}

export type Filled = {
  readonly values: Readonly<Record<string, Json>>
  /** The names of arguments that the visitor stated explicitly, without those of a search. */
  readonly given: readonly string[]
  readonly missing: readonly Property[]
  /** True if a code from the question is among the arguments. */
  readonly usesThing: boolean
}

export function propertiesOf(parameters: unknown): Property[] {
  if (!isObject(parameters)) return []
  const properties = member(parameters, 'properties')
  const required = member(parameters, 'required')
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return []
    const type = [member(schema, 'type')].flat().find((one) => typeof one === 'string' && one !== 'null')
    const choices = member(schema, 'enum')
    const description = member(schema, 'description')
    return {
      name,
      type: typeof type === 'string' ? type : 'string',
      description: typeof description === 'string' ? description : '',
      choices: Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [],
      required: Array.isArray(required) && required.includes(name),
      schema,
    }
  })
}

export function fillArguments(tool: OfferedTool, { text, earlier }: Question): Filled {
  const properties = propertiesOf(tool.parameters)
  const values: Record<string, Json> = {}
  const taken = new Set<string>()
  let usesThing = false
  for (const source of [text, ...earlier]) {
    for (const property of properties) {
      // Earlier messages only fill what is still needed.
      if (property.name in values || (source !== text && !property.required)) continue
      const found = readValue(property, { source, taken, tool })
      if (found === undefined) continue
      values[property.name] = found.value
      if (found.span === undefined) continue
      taken.add(found.span)
      usesThing ||= property.required && /\d/.test(found.span)
    }
  }
  const given = Object.keys(values).filter((name) => !SEARCHES.test(name))
  const missing = properties.filter(({ name, required }) => required && !(name in values))
  return { values, given, missing, usesThing }
}

type FoundValue = { readonly value: Json; readonly span?: string }
type ReadingContext = {
  readonly source: string
  readonly taken: ReadonlySet<string>
  readonly tool: OfferedTool
}

function readValue(property: Property, context: ReadingContext): FoundValue | undefined {
  if (property.choices.length > 0) return readChoice(property, context)
  if (property.type === 'integer' || property.type === 'number') return readNumber(property, context)
  return property.type === 'string' ? readText(property, context) : undefined
}

const NAME_START = 4

/** Looks for the choice's own words first, then for the idea behind them in either language. */
function readChoice({ choices }: Property, { source }: ReadingContext): FoundValue | undefined {
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
  return found.length === 1 && found[0] !== undefined ? { value: found[0] } : undefined
}

const NUMBER = /(?<![\p{L}\p{N}#.,-])\d{1,9}(?:[.,]\d{1,4})?(?![\p{L}\p{N}]|[-.,]\d)/gu

const COUNTS = /^(limit|count|top|max|size|page_size)$/
const LAST = /(last|latest|first|top|newest|ბოლო|პირველი)\s*$/iu

function readNumber(property: Property, { source, taken }: ReadingContext): FoundValue | undefined {
  const about = new Set([...termsIn(property.name.replaceAll('_', ' ')), ...termsIn(property.description)])
  const found = [...source.matchAll(NUMBER)].filter(
    ([span]) => !taken.has(span) && fitsNumber(property, Number(span.replace(',', '.'))),
  )
  // Of several numbers, we take the one next to the property's own word.
  const near = found.filter(({ 0: span, index }) => {
    const around = `${source.slice(Math.max(0, index - 24), index)} ${source.slice(index + span.length, index + span.length + 24)}`
    return meet(termsIn(around), about)
  })
  const counted = COUNTS.test(property.name) ? found.filter(({ index }) => LAST.test(source.slice(0, index))) : []
  const alone = property.required && found.length === 1 ? found : []
  const [best] = [near, counted, alone].find((some) => some.length > 0) ?? []
  return best === undefined ? undefined : { value: Number(best[0].replace(',', '.')), span: best[0] }
}

function fitsNumber({ type, schema }: Property, value: number): boolean {
  const [least, most] = [member(schema, 'minimum'), member(schema, 'maximum')]
  if (type === 'integer' && !Number.isInteger(value)) return false
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most)
}

const QUOTED = /["“”„«]([^"“”„«»]{1,500})["“”»]/u
const CODE = /#?[\p{L}\p{N}][\p{L}\p{N}_-]*/gu
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/
const PHONE = /\+?\d[\d ()-]{6,18}\d/g
const BECAUSE = /\b(?:because(?: of)?|since|reason:?)\s+(.{3,300})|(?:რადგან|იმიტომ,? რომ|მიზეზი:?)\s+(.{3,300})/iu

const SEARCHES = /^(q|query|search|text|term|keywords?|phrase|question)$/
const CODES = /(^|_)(id|ids|number|no|code|sku|order|reference|ref|tracking|invoice|coupon|voucher)$/
const REASONS = /reason|note|comment|message/

function readText(property: Property, context: ReadingContext): FoundValue | undefined {
  const { name, schema } = property
  const { source } = context
  const format = member(schema, 'format')
  const pattern = member(schema, 'pattern')
  if (typeof pattern === 'string') return readCode(context, patternTest(pattern))
  if (format === 'email' || /e?mail$/.test(name)) return matched(EMAIL, source)
  if (format === 'date' || /(^|_)(date|day)$/.test(name)) return readDate(source)
  if (/phone|mobile/.test(name)) return readPhone(source)
  if (SEARCHES.test(name)) return readSearch(context)
  if (CODES.test(name)) return readCode(context, (candidate) => /\d/.test(candidate))
  if (REASONS.test(name)) {
    const [, english, georgian] = BECAUSE.exec(source) ?? []
    const reason = (english ?? georgian)?.trim()
    if (reason !== undefined) return { value: reason }
  }
  const quoted = QUOTED.exec(source)?.[1]?.trim()
  return quoted === undefined || quoted === '' ? undefined : { value: quoted }
}

/** Needs at least seven digits, and must not be a date. */
function readPhone(source: string): FoundValue | undefined {
  const spans = [...source.matchAll(PHONE)].map(([span]) => span.trim())
  const found = spans.find((span) => span.replace(/\D/g, '').length >= 7 && !ISO.test(span))
  return found === undefined ? undefined : { value: found, span: found }
}

const matched = (expression: RegExp, source: string): FoundValue | undefined => {
  const span = expression.exec(source)?.[0]
  return span === undefined ? undefined : { value: span, span }
}

const WORK = 200_000

/** A pattern without both anchors matches many words, so we then accept only one with a digit as a code. */
function patternTest(pattern: string): (candidate: string) => boolean {
  if (!checkPattern(pattern).ok) return () => false
  const isBound = pattern.startsWith('^') && pattern.endsWith('$')
  const budget = { left: WORK }
  return (candidate) =>
    (isBound || /\d/.test(candidate)) && budget.left > 0 && matchesWithin(pattern, candidate, budget)
}

function matchesWithin(pattern: string, candidate: string, budget: WorkBudget): boolean {
  try {
    return patternMatches(pattern, candidate, budget)
  } catch (error) {
    if (error instanceof BudgetSpent) return false
    throw error
  }
}

/** Tries the code as written, then in capitals, because the pattern's author means A-1001 by `a-1001`. */
function readCode({ source, taken }: ReadingContext, isOne: (candidate: string) => boolean): FoundValue | undefined {
  for (const [span] of source.matchAll(CODE)) {
    // In `A-1001-ზე` the ending belongs to the language, not to the code.
    const bare = span
      .replace(/^#/, '')
      .replace(/(?<=\d)-?\p{Script=Georgian}+$/u, '')
      .replace(/[-_]+$/, '')
    if (taken.has(bare)) continue
    const value = [bare, span, bare.toUpperCase()].find(isOne)
    if (value !== undefined) return { value, span: bare }
  }
  return undefined
}

const ISO = /\b(\d{4})-(\d{2})-(\d{2})\b/
const DOTTED = /\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/

function readDate(source: string): FoundValue | undefined {
  const iso = ISO.exec(source)
  if (iso) return { value: iso[0], span: iso[0] }
  const [span, day = '', month = '', year = ''] = DOTTED.exec(source) ?? []
  if (span === undefined || Number(month) > 12 || Number(day) > 31) return undefined
  return { value: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, span }
}

/** True for a tool that takes search words. */
export const isSearch = (tool: OfferedTool): boolean =>
  propertiesOf(tool.parameters).some(({ name, required }) => required && SEARCHES.test(name))

/** Takes quoted text, otherwise the words that carry meaning and do not only name the tool. */
function readSearch({ source, tool }: ReadingContext): FoundValue | undefined {
  const quoted = QUOTED.exec(source)?.[1]?.trim()
  if (quoted !== undefined && quoted !== '') return { value: quoted }
  const naming = new Set(tool.name.split('_').flatMap(termsOfWord).concat('#catalog', '#stock', '#price'))
  const left = wordsIn(source).filter(
    (word) => isContent(word) && !READ_VERBS.has(word) && !meet(termsOfWord(word), naming),
  )
  return left.length === 0 ? undefined : { value: left.slice(0, 12).join(' ') }
}
