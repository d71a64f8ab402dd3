// Finds the passage that shares the most with the question, and quotes the sentences that do. Below a threshold it
// finds none.

import type { Language } from '@tether/contract'
import { atOnce } from '../../kernel/json/index.ts'
import type { Passage } from '../../kernel/model/index.ts'
import { findChunks, openSegment, packSegment, splitQuestion } from '../../kernel/search/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import { READ_VERBS } from './lexicon.ts'
import { isContent, meet, termsIn, termsOfWord } from './words.ts'

export type FoundPassage = Pick<Passage, 'kind' | 'title'> & {
  readonly text: string
  /** By which the answer marks it. */
  readonly number: number | undefined
  readonly share: number
  readonly isSure: boolean
}

const LEAST_SHARE = 0.4
/** The threshold for a word that occurs in one passage only. */
const LEAST_ALONE = 0.35
const MOST_QUOTED = 420
/** The threshold for a passage that was found in another way than by its words as they stand. */
const LEAST_COVERAGE = 0.3
/** The same for a part of a message another part of which has a passage. */
const LEAST_BESIDE = 0.2

/** Finds the passages to quote: the best one for each part of a message that asks for several things. */
export function findQuotes(passages: readonly Passage[], question: string, language: Language): FoundPassage[] {
  const whole = findPassage(passages, question, language)
  const parts = splitQuestion(question)
  if (whole !== undefined && parts.length < 2) return [whole]
  const found = parts.map(({ text }) => findPassage(passages, text, language))
  if (found.every((one) => one === undefined)) return whole === undefined ? [] : [whole]
  const quotes = parts.flatMap(
    ({ text }, at) => found[at] ?? closestPassage(passages, text, language, LEAST_BESIDE) ?? [],
  )
  return [...new Map(quotes.map((one) => [one.text, one])).values()]
}

export function findPassage(
  passages: readonly Passage[],
  question: string,
  language: Language,
): FoundPassage | undefined {
  const words = [...new Set(wordsIn(question).filter((word) => isContent(word) && !READ_VERBS.has(word)))].map(
    (word) => ({
      terms: termsOfWord(word),
      weight: Math.min(8, word.length),
    }),
  )
  const whole = words.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return undefined
  const metBy = (text: string) => {
    const terms = termsIn(text)
    return words.filter(({ terms: asked }) => meet(asked, terms))
  }
  const shareOf = (text: string): number => metBy(text).reduce((sum, { weight }) => sum + weight, 0) / whole
  const ranked = passages
    .map((passage) => {
      const [met, ofTitle] = [metBy(`${passage.title}\n${passage.text}`), metBy(passage.title)]
      return { passage, share: shareOf(`${passage.title}\n${passage.text}`), met: met.length, ofTitle: ofTitle.length }
    })
    // One shared word is chance, unless the passage is about it or no other passage contains it.
    .filter(
      ({ share, met, ofTitle }, _, all) =>
        (share >= LEAST_SHARE && (met > 1 || ofTitle > 0)) ||
        (share >= LEAST_ALONE && words.length > 1 && all.filter((one) => one.met > 0).length === 1),
    )
    .sort((one, other) => other.share + other.ofTitle / 4 - (one.share + one.ofTitle / 4))
  const [best] = ranked
  if (best === undefined) return closestPassage(passages, question, language)
  const isSure = best.met > 1 || best.ofTitle > 0
  return {
    kind: best.passage.kind,
    title: best.passage.title,
    number: best.passage.number,
    text: bestSentences(best.passage.text, shareOf, language),
    share: best.share,
    isSure,
  }
}

/** Finds what differs by a typing error or a form of a word, and what a question in Latin letters asks in Georgian. */
function closestPassage(
  passages: readonly Passage[],
  question: string,
  language: Language,
  least = LEAST_COVERAGE,
): FoundPassage | undefined {
  const coverageIn = (texts: readonly string[]) => {
    const segment = openSegment(atOnce(packSegment(texts)))
    return segment === undefined ? [] : findChunks([segment], question, texts.length).hits
  }
  const [best] = coverageIn(passages.map(({ title, text }) => `${title}\n${text}`))
  const passage = best === undefined ? undefined : passages[best.chunk]
  if (best === undefined || passage === undefined || best.coverage < least) return undefined
  const { kind, title, number, text } = passage
  const shareOf = (sentence: string): number => coverageIn([sentence])[0]?.coverage ?? 0
  return { kind, title, number, text: bestSentences(text, shareOf, language), share: best.coverage, isSure: false }
}

/** The last heading of what a turn writes as the title, or the title itself. */
export const nearestHeading = ({ title }: Pick<Passage, 'title'>): string => title.split(' > ').at(-1) ?? ''

const HEADING = /^\s*#{1,6}\s[^\n]*(?:\n|$)/u

/** A chunk begins with its own heading, which the answer says already. */
function withoutHeading(text: string): string {
  let rest = text
  while (HEADING.test(rest)) rest = rest.replace(HEADING, '')
  return rest.trim() === '' ? text : rest
}

/** Quotes from the sentence that shares the most, up to the length of a quote. A short passage stays whole. */
function bestSentences(whole: string, shareOf: (text: string) => number, language: Language): string {
  const text = withoutHeading(whole)
  if (text.length <= MOST_QUOTED) return text.trim()
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text.slice(0, 20_000))].map(
    ({ segment }) => segment,
  )
  const shares = sentences.map(shareOf)
  let at = shares.indexOf(Math.max(...shares))
  let quote = ''
  for (; at < sentences.length && quote.length + (sentences[at]?.length ?? 0) <= MOST_QUOTED; at++)
    quote += sentences[at]
  const rest = at < sentences.length ? ' …' : ''
  return quote === '' ? `${(sentences[at] ?? '').slice(0, MOST_QUOTED).trim()} …` : `${quote.trim()}${rest}`
}
