// The yardstick: BM25 over words as they stand, on whole texts or on the same chunks.
import type { Ranked } from './measure.ts'
import type { QuestionSet } from './question-set.ts'

const K1 = 1.2
const B = 0.75

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** `pieces` are what is ranked: each with the passage that it belongs to. */
export function plainBm25({ questions }: QuestionSet, pieces: readonly { id: string; text: string }[]): Ranked[] {
  const postings = new Map<string, Map<number, number>>()
  const lengths = pieces.map(({ text }, at) => {
    const words = wordsOf(text)
    for (const word of words) {
      const held = postings.get(word) ?? new Map<number, number>()
      postings.set(word, held.set(at, (held.get(at) ?? 0) + 1))
    }
    return words.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / pieces.length
  return questions.map(({ text }) => {
    const scores = new Float64Array(pieces.length)
    for (const word of wordsOf(text)) {
      const held = postings.get(word) ?? new Map<number, number>()
      const idf = Math.log(1 + (pieces.length - held.size + 0.5) / (held.size + 0.5))
      for (const [at, count] of held) {
        const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / average)
        scores[at] = (scores[at] ?? 0) + (idf * count * (K1 + 1)) / (count + norm)
      }
    }
    const order = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0)
    order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
    const ids = [...new Set(order.slice(0, 100).map((at) => pieces[at]?.id ?? ''))]
    return { ids, fitting: ids, coverage: 0, isStory: false }
  })
}
