// A question as it is looked for: its words, and of each the letter grams.
import { gramsOf, hasGeorgian, hashOf, saysLittle, stemOf, wordsOf } from './words.ts'

/** A term of which any form may stand in a text. */
export type Term = readonly number[]

export type Gram = {
  readonly forms: Term
  /** False if the word may also be read without it. Then it counts only where it is found. */
  readonly isCertain: boolean
  /** In the rank. */
  readonly weight: number
}

export type AskedWord = {
  readonly stem: Term
  /** Empty for a word that does not count: its grams occur in unrelated words. */
  readonly grams: readonly Gram[]
  /** How often the question says it. */
  readonly times: number
  /** False for what only says how something is asked. */
  readonly counts: boolean
}

export type Question = {
  readonly words: readonly AskedWord[]
  /** True if it is long. No text holds much of a story, and much of it is not what it is about. */
  readonly isStory: boolean
}

/** In words, with repetitions. */
const LONGEST_ASKED = 30

export const isStory = (words: number): boolean => words > LONGEST_ASKED

/** Bounds what one question costs. A letter of a page and a half has as many. */
export const MOST_WORDS = 256

/** Only the end keeps "return" apart from "returns", so a word of so many grams is held without its last one, too. */
const LEAST_INFLECTED = 4

/** How often a word is only asked for by degree, as in "how long" and "how often". */
function degreesIn(words: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [at, word] of words.entries()) if (words[at - 1] === 'how') found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

export function readQuestion(text: string): Question {
  const written = wordsOf(text)
  const times = new Map<string, number>()
  for (const word of written) times.set(word, (times.get(word) ?? 0) + 1)
  const degrees = degreesIn(written)
  const words = [...times].slice(0, MOST_WORDS).map(([word, count]) => {
    const counts = !saysLittle(word) && degrees.get(word) !== count
    return { stem: [hashOf(stemOf(word))], grams: counts ? gramsIn(word) : [], times: count, counts }
  })
  return { words, isStory: isStory(written.length) }
}

/** The weight of a gram in the ending of a Georgian word: unrelated words have the same ending. */
const ENDING_WEIGHT = 0.75

function gramsIn(word: string): Gram[] {
  const ending = stemOf(word).length
  return gramsOf(word).map((gram, at, all) => ({
    forms: [hashOf(gram)],
    isCertain: at < all.length - 1 || all.length < LEAST_INFLECTED || hasGeorgian(word),
    weight: at < ending ? 1 : ENDING_WEIGHT,
  }))
}
