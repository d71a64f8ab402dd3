// Reads numbers and codes. The words beside them tell which argument they belong to.

import { BudgetSpent, checkPattern, member, patternMatches, type WorkBudget } from '../../kernel/json/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import { type FoundValue, ISO, type PatternWork, type ReadingContext, TIME } from './found-value.ts'
import { isStreet, kindOf, ownTerms, type Property, propertiesOf } from './properties.ts'
import { QUOTES } from './sentence.ts'
import { meet, termsIn } from './words.ts'

const NUMBER = /(?<![\p{L}\p{N}#.,-])\d{1,9}(?:[.,]\d{1,4})?(?![\p{L}\p{N}]|[-.,:]\d|-\p{L}*\d)/gu

const COUNTS = /^(limit|count|top|max|size|page_size)$/
const LAST = /(last|latest|first|top|newest|ბოლო|პირველი)\s*$/iu

export function readNumber(property: Property, context: ReadingContext): FoundValue | undefined {
  const { source } = context
  const found = numbersIn(property, context)
  const bound = found.filter(({ index }) => isBound(property.name, source.slice(0, index)))
  const counted = COUNTS.test(property.name) ? found.filter(({ index }) => LAST.test(source.slice(0, index))) : []
  const alone = property.required && found.length === 1 ? found : []
  return numeric([beside(found, ownTerms(property), source), bound, counted, alone].find((some) => some.length > 0))
}

const numeric = (found: readonly Spot[] = []): FoundValue | undefined => {
  const span = found[0]?.span
  return span === undefined ? undefined : { value: Number(span.replace(',', '.')), span }
}

const numbersIn = (property: Property, { source, taken }: ReadingContext): Spot[] =>
  [...source.matchAll(NUMBER)]
    .map(({ 0: span, index }) => ({ span, index }))
    .filter(({ span }) => !taken.has(span) && fitsNumber(property, Number(span.replace(',', '.'))))

const MOST = /\b(?:under|below|up to|at most|less than|cheaper than|no more than)\s*$/iu
const LEAST = /\b(?:over|above|at least|more than)\s*$/iu
const BOUNDS =
  /\b(?:under|below|up to|at most|less than|cheaper than|no more than|over|above|at least|more than)\s+([\d.,]*\d)/giu

/** Removes limits that are already taken, with the words around them. */
export const withoutBounds = (source: string, taken: ReadonlySet<string>): string =>
  source.replace(BOUNDS, (all, amount) => (taken.has(amount) ? ' ' : all))

/** "Under 30" belongs to a `max_` argument, and "at least 30" to a `min_` one. */
const isBound = (name: string, before: string): boolean =>
  (/^max_/.test(name) && MOST.test(before)) || (/^min_/.test(name) && LEAST.test(before))

const NEAR = 24
/** The words beside a number or a code, up to the next digit. */
const before = (source: string, at: number): string =>
  source
    .slice(Math.max(0, at - NEAR), at)
    .split(/\d/)
    .at(-1) ?? ''
const behind = (source: string, end: number): string => source.slice(end, end + NEAR).split(/\d/)[0] ?? ''

type Spot = { readonly span: string; readonly index: number }

/** Returns the spots beside the property's own words, preferring those after the word to those before it. */
function beside<Some extends Spot>(spots: readonly Some[], about: ReadonlySet<string>, source: string): Some[] {
  const named = spots.filter(({ index }) => meet(termsIn(before(source, index)), about))
  if (named.length > 0) return named
  return spots.filter(({ span, index }) => meet(termsIn(behind(source, index + span.length)), about))
}

function fitsNumber({ type, schema }: Property, value: number): boolean {
  const [least, most] = [member(schema, 'minimum'), member(schema, 'maximum')]
  if (type === 'integer' && !Number.isInteger(value)) return false
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most)
}

const CODE = /#?[\p{L}\p{N}](?:[\p{L}\p{N}_-]|(?<=\d):(?=\d))*/gu

/** A pattern without both anchors matches many words, so we then accept only one with a digit as a code. */
export function patternTest(pattern: string, work: PatternWork): (candidate: string) => boolean {
  if (!checkPattern(pattern).ok) return () => false
  const known = work.verdicts.get(pattern) ?? new Map<string, boolean>()
  work.verdicts.set(pattern, known)
  const isBound = pattern.startsWith('^') && pattern.endsWith('$')
  return (candidate) => {
    if (!isBound && !/\d/.test(candidate)) return false
    const fits = known.get(candidate) ?? (work.left > 0 && matchesWithin(pattern, candidate, work))
    known.set(candidate, fits)
    return fits
  }
}

function matchesWithin(pattern: string, candidate: string, budget: WorkBudget): boolean {
  try {
    return patternMatches(pattern, candidate, budget)
  } catch (error) {
    if (error instanceof BudgetSpent) return false
    throw error
  }
}

/** True for a word with a digit that is not a date, a time or a small number. */
const isCode = (candidate: string): boolean =>
  /\d/.test(candidate) && !ISO.test(candidate) && !TIME.test(candidate) && !/^\d{1,2}$/.test(candidate)

type Candidate = { readonly bare: string; readonly span: string; readonly index: number }

/** In `A-1001-ზე` the ending belongs to the language, not to the code. */
const codesIn = (source: string): Candidate[] =>
  [...source.matchAll(CODE)].map(({ 0: span, index }) => {
    const bare = span
      .replace(/^#/, '')
      .replace(/(?<=\d)-?\p{Script=Georgian}+$/u, '')
      .replace(/[-_]+$/, '')
    return { bare, span, index }
  })

/** Tries the code as written, then in capitals, because the pattern's author means A-1001 by `a-1001`. */
export function readCode(
  { source, taken }: Pick<ReadingContext, 'source' | 'taken'>,
  isOne: (candidate: string) => boolean,
): FoundValue | undefined {
  for (const { bare, span } of codesIn(source)) {
    if (taken.has(bare)) continue
    const value = [bare, span, bare.toUpperCase()].find(isOne)
    if (value !== undefined) return { value, span: bare }
  }
  return undefined
}

/** Reads the code beside the property's own word: "loan L-2041", "ჯავშანი 551". */
export function readNearest(property: Property, { source, taken }: ReadingContext): FoundValue | undefined {
  const codes = codesIn(source).filter(({ bare }) => /\d/.test(bare) && !taken.has(bare) && !ISO.test(bare))
  const [found] = beside(codes, ownTerms(property), source)
  return found === undefined ? undefined : { value: found.bare, span: found.bare }
}

/**
 * Reads the code directly after the property's own word: "meter 100200300". Where the value is quoted, the code is only a part of it.
 */
function named(property: Property, context: ReadingContext): FoundValue | undefined {
  const own = termsIn(property.name.replaceAll('_', ' '))
  const said = unquoted(context)
  const found = codesIn(said).find(
    ({ bare, index }) => isCode(bare) && !context.taken.has(bare) && meet(termsIn(lastWord(said.slice(0, index))), own),
  )
  return wholeFigure(property, context, found === undefined ? undefined : { value: found.bare, span: found.bare })
}

const unquoted = ({ source }: ReadingContext): string => source.replace(QUOTES, ' ')

/** Of "row 2, seats 3-4" no figure is the value: the other one, which no other argument takes, may be a part of it. */
export function wholeFigure(
  { name: called }: Property,
  context: ReadingContext,
  found: FoundValue | undefined,
): FoundValue | undefined {
  if (found === undefined) return undefined
  const said = unquoted(context)
  const others = propertiesOf(context.tool.parameters).filter(({ name }) => name !== called)
  const isElse = ({ bare, index }: Candidate) => {
    const word = termsIn(lastWord(said.slice(0, index)))
    return others.some((one) => meet(word, ownTerms(one)) || (kindOf(one) === 'number' && /^\d+$/.test(bare)))
  }
  const free = codesIn(said).filter(({ bare }) => /\d/.test(bare) && !context.taken.has(bare) && !ISO.test(bare))
  return free.every((one) => one.bare === found.span || isElse(one)) ? found : undefined
}

const lastWord = (text: string): string => wordsIn(text.slice(-NEAR)).at(-1) ?? ''

/** Reads a figure beside the property's own word. Such a figure counts before one that only fits. */
export function besideItsWord(property: Property, context: ReadingContext): FoundValue | undefined {
  const kind = kindOf(property)
  if (kind === 'code') return readNearest(property, context)
  if (kind === 'free') return isStreet(property) ? undefined : named(property, context)
  if (kind !== 'number') return undefined
  return numeric(beside(numbersIn(property, context), ownTerms(property), context.source))
}

/** Reads a code without a pattern, if the text has only one. */
export function readOnlyCode({ source, taken }: ReadingContext): FoundValue | undefined {
  const found = codesIn(source).filter(({ bare }) => isCode(bare) && !taken.has(bare))
  return found.length > 1 ? undefined : readCode({ source, taken }, isCode)
}
