// Takes arguments from the visitor's words and nowhere else. It guesses nothing: we ask for what is missing, and read the answer.

import { type Json, setMember } from '../../kernel/json/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import type { FoundValue, PatternWork } from './found-value.ts'
import { isSearched, kindOf, ownTerms, type Property, propertiesOf } from './properties.ts'
import { besideItsWord } from './read-figure.ts'
import { nominative } from './read-name.ts'
import { quoted, quotedBesideItsWord, readValue } from './read-value.ts'
import { readRemaining } from './remaining-words.ts'
import { isContent, meet, termsIn } from './words.ts'

/** The question, and the earlier messages from which values may come. */
export type Question = { readonly text: string; readonly earlier: readonly string[]; readonly work: PatternWork }
/** One question is asked of all tools, so that their patterns share what they may cost. */
export const questionOf = (text: string, earlier: readonly string[] = []): Question => ({
  text,
  earlier,
  work: patternWork(),
})
const patternWork = (): PatternWork => ({ left: MOST_WORK, verdicts: new Map() })
export type Values = Readonly<Record<string, Json>>

export type Filled = {
  readonly values: Values
  /** The names of arguments that the visitor stated explicitly, without those of a search. */
  readonly given: readonly string[]
  readonly missing: readonly Property[]
  /** True if a code from the question is among the arguments. */
  readonly usesThing: boolean
  /** The parts of the question that became values. */
  readonly spans: readonly string[]
  /** Those of the spans that are only the remaining words. */
  readonly left: readonly string[]
  /** Words that stand where a value would and need not be one: "in winter", for a city. They fill nothing. */
  readonly doubtful: readonly string[]
}

const summed = (
  values: Values,
  properties: readonly Property[],
  { spans, left = [], doubtful = [], usesThing = false }: Pick<Filled, 'spans'> & Partial<Filled>,
): Filled => ({
  values,
  left,
  doubtful,
  given: Object.keys(values).filter((name) => !isSearched({ name })),
  missing: properties.filter(({ name, required }) => required && !Object.hasOwn(values, name)),
  usesThing,
  spans,
})

/** Reads values with a fixed form first, so that a name does not take their words. */
const FREE = new Set(['free', 'reason', 'search'])
const inOrder = (properties: readonly Property[]): Property[] =>
  properties.toSorted((one, other) => Number(FREE.has(kindOf(one))) - Number(FREE.has(kindOf(other))))

// We look for each argument in all of the words, so both are bounded. A tool with more arguments is filled by a model.
const MOST_ARGUMENTS = 40
const MOST_CHARACTERS = 1_000
const MOST_WORK = 500_000

export function fillArguments(tool: OfferedTool, question: Question): Filled {
  const properties = propertiesOf(tool.parameters)
  if (properties.length > MOST_ARGUMENTS) return summed({}, properties, { spans: [] })
  const text = question.text.slice(0, MOST_CHARACTERS)
  const earlier = question.earlier.map((said) => said.slice(0, MOST_CHARACTERS))
  const values: Record<string, Json> = {}
  const taken = new Set<string>()
  const { work } = question
  const over: string[] = []
  const doubtful: string[] = []
  let usesThing = false
  const take = (property: Property, { value, span }: FoundValue) => {
    setMember(values, property.name, value)
    if (span === undefined) return
    taken.add(span)
    usesThing ||= property.required && /\d/.test(span)
  }
  for (const source of [text, ...earlier]) {
    for (const property of properties) {
      const context = { source, taken, tool, work }
      const isKnown = Object.hasOwn(values, property.name)
      const said = isKnown ? undefined : (besideItsWord(property, context) ?? quotedBesideItsWord(property, context))
      if (said !== undefined && (source === text || property.required)) take(property, said)
    }
    for (const property of inOrder(properties)) {
      // Earlier messages only fill what is still needed.
      if (Object.hasOwn(values, property.name) || (source !== text && !property.required)) continue
      const said = readValue(property, { source, taken, tool, work })
      const rest = said === undefined ? readRemaining(property, { source: text, taken, tool, properties }) : undefined
      if (rest?.isDoubtful === true) doubtful.push(rest.found.span)
      else if (rest !== undefined) over.push(rest.found.span)
      const found = said ?? (rest?.isDoubtful === true ? undefined : rest?.found)
      if (found !== undefined) take(property, found)
    }
  }
  return summed(values, properties, { spans: [...taken], left: over, doubtful, usesThing })
}

const MOST_ANSWER = 200
const MOST_ANSWER_WORDS = 10
const LEAD =
  /^(?:(?:ok(?:ay)?|sure|yes|well|please|the|it['’]?s|it is|that is|that['’]?s|in|at|to|for|near|with|by|i am in|i['’]m in|i live in|my name is|i am|i['’]m|კი|დიახ|ჩემი სახელია|მე ვარ)[,:]?\s+)+/iu
const OWN = /^(?:my|the|our|ჩემი|ჩვენი)\s+([\p{L}_]+)\s+(?:is|:|არის)\s+/iu
const TELLS = /^(?:i|my|you|your|we|he|she|they|it|this|that|there|მე|შენ|თქვენ|ჩემი|ის|ეს)\s+\S+\s+\S+/iu

/** Reads the answer to our question. A value with a fixed form is recognised by it, and a free one is the text itself. */
export function fillAnswer(tool: OfferedTool, before: Values, text: string): Filled {
  const properties = propertiesOf(tool.parameters)
  const values: Record<string, Json> = { ...before }
  const taken = new Set<string>()
  const work = patternWork()
  for (const property of inOrder(properties)) {
    if (Object.hasOwn(values, property.name) || FREE.has(kindOf(property))) continue
    const said = readValue(property, { source: text, taken, tool, work })
    if (said === undefined) continue
    setMember(values, property.name, said.value)
    taken.add(said.span ?? String(said.value))
  }
  const wanting = properties.filter((one) => one.required && !Object.hasOwn(values, one.name) && isWhatItSeems(one))
  const [next] = wanting
  const rest = next === undefined ? '' : restOf(text, taken, next)
  const parts = rest.split(/\s*[,;]\s*/).filter(Boolean)
  if (parts.length > 1 && parts.length === wanting.length) {
    for (const [at, { name }] of wanting.entries()) setMember(values, name, parts[at] ?? '')
  } else if (next !== undefined && rest !== '') setMember(values, next.name, rest)
  return summed(values, properties, { spans: [...taken] })
}

/** If we have just asked for a code, any word may be one. Kinds with a stricter form must show it. */
const isWhatItSeems = (property: Property): boolean => FREE.has(kindOf(property)) || kindOf(property) === 'code'

function restOf(text: string, taken: ReadonlySet<string>, property: Property): string {
  const inQuotes = quoted(text)?.value
  if (typeof inQuotes === 'string') return inQuotes
  const [, word = ''] = OWN.exec(text) ?? []
  const isOwn = word !== '' && meet(termsIn(word), ownTerms(property))
  let rest = isOwn ? text.replace(OWN, '') : text.trim().replace(LEAD, '')
  if (TELLS.test(rest)) return ''
  for (const span of taken) rest = rest.replace(span, ' ')
  rest = rest.replace(/^[\s,;.!-]+|[\s,;.!?-]+$/gu, '').replace(/\s+/g, ' ')
  if (rest.length > MOST_ANSWER || wordsIn(rest).length > MOST_ANSWER_WORDS) return ''
  return taken.size > 0 && wordsIn(rest).filter(isContent).length === 0 ? '' : nominative(rest)
}
