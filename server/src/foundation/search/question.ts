// A question as it is looked for: its words and its letter grams, each with everything that it may be in a text.
import { gramsOf, hashOf, saysLittle, stemOf, wordsOf } from './words.ts'

export type Asked = {
  /** Any of these is the term. */
  readonly hashes: readonly number[]
  readonly times: number
  /** False for what only says how something is asked. */
  readonly counts: boolean
}

export type Question = {
  readonly words: readonly Asked[]
  readonly grams: readonly Asked[]
  /** How many words it has. */
  readonly length: number
}

/** Bounds what one question costs. A letter of a page and a half has as many. */
const MOST_WORDS = 256

export function readQuestion(text: string): Question {
  const written = wordsOf(text)
  const distinct = [...new Set(written)].slice(0, MOST_WORDS)
  const known = new Set(distinct)
  const [words, grams] = [new Map<number, Asked>(), new Map<number, Asked>()]
  for (const word of written) {
    if (!known.has(word)) continue
    const counts = !saysLittle(word)
    add(words, hashOf(stemOf(word)), counts)
    for (const gram of gramsOf(word)) add(grams, hashOf(gram), counts)
  }
  return { words: [...words.values()], grams: [...grams.values()], length: written.length }
}

function add(terms: Map<number, Asked>, hash: number, counts: boolean): void {
  const known = terms.get(hash)
  terms.set(hash, {
    hashes: [hash],
    times: (known?.times ?? 0) + 1,
    counts: counts || known?.counts === true,
  })
}
