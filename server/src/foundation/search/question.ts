// A question as it is looked for: its words, and of each the letter grams.
import { gramsOf, hashOf, saysLittle, stemOf, wordsOf } from './words.ts'

/** A term of which any form may stand in a text. */
export type Term = readonly number[]

export type Gram = {
  readonly forms: Term
  /** False if the word may also be read without it. Then it counts only where it is found. */
  readonly isCertain: boolean
}

export type AskedWord = {
  readonly stem: Term
  readonly grams: readonly Gram[]
  /** How often the question says it. */
  readonly times: number
  /** False for what only says how something is asked. */
  readonly counts: boolean
}

export type Question = {
  readonly words: readonly AskedWord[]
  /** How many words it has, with repetitions. */
  readonly length: number
}

/** Bounds what one question costs. A letter of a page and a half has as many. */
export const MOST_WORDS = 256

export function readQuestion(text: string): Question {
  const written = wordsOf(text)
  const times = new Map<string, number>()
  for (const word of written) times.set(word, (times.get(word) ?? 0) + 1)
  const words = [...times].slice(0, MOST_WORDS).map(([word, count]) => ({
    stem: [hashOf(stemOf(word))],
    grams: gramsOf(word).map((gram) => ({ forms: [hashOf(gram)], isCertain: true })),
    times: count,
    counts: !saysLittle(word),
  }))
  return { words, length: written.length }
}
