// "How much is a cleaning?" gives its one free argument in the words that remain once those of the tool are taken away. They are a
// value only where nothing else remains and they stand as a name of something stands. Whatever else remains is what the question is
// about, and a tool that does not take it has no answer to it.

import type { OfferedTool } from '../../kernel/model/index.ts'
import { verbKey, wordsIn } from '../../kernel/text/index.ts'
import { READ_VERBS } from './lexicon.ts'
import { isEntity, kindOf, ownTerms, type Property } from './properties.ts'
import { withoutBounds } from './read-figure.ts'
import { isTime, nominative } from './read-name.ts'
import { asksToKnow, isTelling } from './sentence.ts'
import { isContent, meet, NEGATION, termsIn, termsOfWord } from './words.ts'

export type Remaining = {
  readonly found: { readonly value: string; readonly span: string }
  /** True for words that stand where a value would, without anything that shows that they are one. */
  readonly isDoubtful: boolean
}

type Looking = {
  readonly source: string
  readonly taken: ReadonlySet<string>
  readonly tool: OfferedTool
  readonly properties: readonly Property[]
}

const MOST_SEARCHED = 12
const MOST_NAMED = 4

/** Only for a read: what a write changes is never guessed from what remains. */
export function readRemaining(property: Property, looking: Looking): Remaining | undefined {
  if (looking.tool.isWrite) return undefined
  const kind = kindOf(property)
  if (kind === 'search') return searched(looking)
  const isOnly = looking.properties.filter((one) => kindOf(one) === 'free').length === 1
  return kind === 'free' && property.required && isOnly ? namedIn(property, looking) : undefined
}

/** A search takes any words. */
function searched({ source, taken, tool }: Looking): Remaining | undefined {
  const isKnown = knownTo(taken, termsIn(tool.name.replaceAll('_', ' ')))
  const words = wordsIn(withoutBounds(source, taken)).filter((word) => isContent(word) && !isKnown(word))
  if (words.length === 0) return undefined
  const value = words.slice(0, MOST_SEARCHED).join(' ')
  return { found: { value, span: value }, isDoubtful: false }
}

function knownTo(taken: ReadonlySet<string>, terms: Iterable<string>): (word: string) => boolean {
  const naming = new Set([...terms, '#catalog', '#stock', '#price'])
  const used = new Set([...taken].flatMap(wordsIn))
  return (word) => READ_VERBS.has(word) || used.has(word) || meet(termsOfWord(word), naming)
}

type Word = { readonly said: string; readonly word: string; readonly isKnown: boolean; readonly isContent: boolean }

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*|[^\s\p{L}\p{N}]/gu

function namedIn(property: Property, { source, taken, tool }: Looking): Remaining | undefined {
  const isKnown = knownTo(taken, [
    ...termsIn(tool.name.replaceAll('_', ' ')),
    ...termsIn(tool.description),
    ...ownTerms(property),
  ])
  const all = (withoutBounds(source, taken).match(WORD) ?? []).map((said): Word => {
    const word = wordsIn(said).join(' ')
    return { said, word, isKnown: word === '' || isKnown(word), isContent: isContent(word) }
  })
  const from = all.findIndex((one) => one.isContent && !one.isKnown)
  const to = all.findLastIndex((one) => one.isContent && !one.isKnown)
  const run = all.slice(from, to + 1)
  if (from === -1 || run.length > MOST_NAMED || run.some(({ word }) => word === '' || /\d/.test(word))) return undefined
  const [before, after] = [all[from - 1], all[to + 1]]
  const isProper = isProperRun(run, from)
  // A name keeps all its words, even if one of them is common: the Old Town.
  if (!isProper && run.some((one) => !one.isContent || one.isKnown)) return undefined
  const span = run.map(({ said }) => said).join(' ')
  const found = { value: nominative(isProper ? span : span.toLowerCase()), span }
  if (isTime(span)) return undefined
  if (isProper) return { found, isDoubtful: false }
  if (isEntity(property)) return PLACING.has(before?.word ?? '') ? { found, isDoubtful: true } : undefined
  return isNamedThing({ run, before, after, source }) ? { found, isDoubtful: false } : undefined
}

/** In Latin letters a name begins with a capital, and so does a sentence. */
const isProperRun = (run: readonly Word[], from: number): boolean =>
  run.every(({ said }) => /^\p{Lu}/u.test(said)) && (from > 0 || run.length > 1)

const PLACING = new Set(['in', 'at', 'near', 'from', 'to'])
const BEFORE_A_THING = new Set(
  `a an the any some your our my of about does do is are have sell offer want need
  what's who's ის რა ვინ არის გაქვთ გაქვს მინდა`.split(/\s+/),
)

type Named = {
  readonly run: readonly Word[]
  readonly before: Word | undefined
  readonly after: Word | undefined
  readonly source: string
}

/** True for words that stand as a noun does: "a cleaning", "price of a cleaning", and not "I lost", "can I park". */
function isNamedThing({ run, before, after, source }: Named): boolean {
  if (!asksToKnow(source) || NEGATION.test(source) || run.some(({ word }) => isDone(word))) return false
  if (/\p{Script=Georgian}/u.test(run[0]?.said ?? '')) return true
  const isBeforeKnown = after?.isKnown === true && after.isContent
  const isFirst = before === undefined || before.word === ''
  return (
    BEFORE_A_THING.has(before?.word ?? '') ||
    ((isBeforeKnown || isFirst || before?.isKnown === true) && !isTelling(source))
  )
}

/** დავკარგე, დავაბრუნო, აქირავებთ: somebody does something, and no thing is called so. */
const isDone = (word: string): boolean =>
  verbKey(word) !== undefined && /^(?:\p{L}{2,4}ვ\p{L}+|\p{L}+(?:ო|ოთ|ეთ|ებთ|ავთ|ობთ))$/u.test(word)
