// Measures how similar two texts are by their words, in any script. We keep only the beginning of a word, where
// Georgian and English have its meaning: "orders" is similar to "order", "შეკვეთის" to "შეკვეთა".
import { normalized } from '../../../kernel/text/index.ts'

const WORD = /[\p{L}\p{N}]{2,}/gu
const STEM = 5
/** A text says in its first few pages what it is about. */
const MOST_CHARACTERS = 20_000
/** Of a question: nobody asks for more things than this, and each is looked for. */
const MOST_ASKED = 300

export const termsOf = (text: string): string[] =>
  (normalized(text.slice(0, MOST_CHARACTERS), 'NFKC').toLowerCase().match(WORD) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})s$/, '').slice(0, STEM),
  )

/** For each term the texts that have it, by their numbers, and its weight in each. */
export type TermIndex = Map<string, { texts: number[]; weights: number[] }>

/** A word in a name says more than one in a description: the greatest weight counts. */
export function addText(index: TermIndex, text: number, fields: readonly (readonly [text: string, weight: number])[]) {
  const weights = new Map<string, number>()
  for (const [field, weight] of fields) {
    for (const term of termsOf(field)) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  for (const [term, weight] of weights) {
    const known = index.get(term)
    if (known === undefined) index.set(term, { texts: [text], weights: [weight] })
    else {
      known.texts.push(text)
      known.weights.push(weight)
    }
  }
}

/** Scores the texts that may be chosen, by their numbers. Rare words count for more than common ones. */
export function scores(query: string, index: TermIndex, mayChoose: readonly boolean[]): Float64Array {
  const found = new Float64Array(mayChoose.length)
  const count = mayChoose.filter(Boolean).length
  for (const term of [...new Set(termsOf(query))].slice(0, MOST_ASKED)) {
    const { texts, weights } = index.get(term) ?? NOWHERE
    const having = texts.reduce((sum, text) => sum + (mayChoose[text] === true ? 1 : 0), 0)
    const rarity = Math.log(1 + (count - having + 0.5) / (having + 0.5))
    for (const [at, text] of texts.entries()) found[text] = (found[text] ?? 0) + (weights[at] ?? 0) * rarity
  }
  return found
}

const NOWHERE = { texts: [], weights: [] }
