// How near two texts are by their words, in any script. Words are cut to their beginning, which is where Georgian and
// English keep the meaning: "orders" is near "order", "შეკვეთის" near "შეკვეთა".
import { normalized } from '../../../foundation/text/index.ts'

const WORD = /[\p{L}\p{N}]{2,}/gu
const STEM = 5

export const termsOf = (text: string): string[] =>
  (normalized(text, 'NFKC').toLowerCase().match(WORD) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})s$/, '').slice(0, STEM),
  )

/** Term to weight: a word in a name says more than one in a description. */
export type Weighted = ReadonlyMap<string, number>

export function weighted(fields: readonly (readonly [text: string, weight: number])[]): Weighted {
  const weights = new Map<string, number>()
  for (const [text, weight] of fields) {
    for (const term of termsOf(text)) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  return weights
}

/** A score for each text, in their order: rare words count for more than those that stand everywhere. */
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
