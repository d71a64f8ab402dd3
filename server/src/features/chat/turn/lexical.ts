// Measures how similar two texts are by their words, in any script. We keep only the beginning of a word, where
// Georgian and English have its meaning: "orders" is similar to "order", "შეკვეთის" to "შეკვეთა".
import { normalized } from '../../../foundation/text/index.ts'

const WORD = /[\p{L}\p{N}]{2,}/gu
const STEM = 5

export const termsOf = (text: string): string[] =>
  (normalized(text, 'NFKC').toLowerCase().match(WORD) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})s$/, '').slice(0, STEM),
  )

/** Maps a term to its weight. A word in a name says more than one in a description. */
export type Weighted = ReadonlyMap<string, number>

export function weighted(fields: readonly (readonly [text: string, weight: number])[]): Weighted {
  const weights = new Map<string, number>()
  for (const [text, weight] of fields) {
    for (const term of termsOf(text)) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  return weights
}

/** Scores each text, in order. Rare words count for more than common ones. */
export function scores(query: string, texts: readonly Weighted[]): number[] {
  const asked = [...new Set(termsOf(query))]
  const rarity = new Map(
    asked.map((term) => {
      const having = texts.reduce((count, text) => count + (text.has(term) ? 1 : 0), 0)
      return [term, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))]
    }),
  )
  return texts.map((text) => asked.reduce((sum, term) => sum + (text.get(term) ?? 0) * (rarity.get(term) ?? 0), 0))
}
