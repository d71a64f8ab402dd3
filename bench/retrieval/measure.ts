// Asks the questions of a set and counts at which place the right passage comes.
import { atOnce } from '../../server/src/kernel/json/index.ts'
import { cutText, findChunksByPart, foundBy, openSegment, packSegment } from '../../server/src/kernel/search/index.ts'
import type { Passage, QuestionSet } from './question-set.ts'

export type Ranked = {
  /** Distinct passages, best first. */
  readonly ids: readonly string[]
  /** Those of them that an answer may rest on. */
  readonly fitting: readonly string[]
  /** The greatest of a chunk, which decides whether anything is found. */
  readonly coverage: number
  readonly isStory: boolean
}

export type Figures = { readonly first: number; readonly five: number; readonly mrr: number }

const SIZE = { chars: 900, overlap: 120 }
const CONSIDERED = 50
const LEAST_FOR_ANSWER = 0.3

/** Every passage is a document of its own, cut and packed as the service does it. */
export function openIndex(passages: readonly Passage[]) {
  const segments = passages.map(({ title, text }) => {
    const chunks = atOnce(cutText(text, 'text', SIZE))
    const segment = openSegment(atOnce(packSegment(chunks.map((chunk) => foundBy(title, text, chunk)))))
    if (segment === undefined) throw new Error('A segment does not open.')
    return segment
  })
  const idsOf = (hits: readonly { readonly segment: number }[]): string[] => [
    ...new Set(hits.map(({ segment }) => passages[segment]?.id ?? '')),
  ]
  return (text: string): Ranked => {
    const { hits, isStory } = findChunksByPart(segments, text, CONSIDERED)
    return {
      ids: idsOf(hits),
      fitting: idsOf(hits.filter(({ coverage }) => isStory || coverage >= LEAST_FOR_ANSWER)),
      coverage: Math.max(0, ...hits.map(({ coverage }) => coverage)),
      isStory,
    }
  }
}

/** The same chunks for the yardstick. */
export const chunksOf = (passages: readonly Passage[]): { id: string; text: string }[] =>
  passages.flatMap(({ id, title, text }) =>
    atOnce(cutText(text, 'text', SIZE)).map((chunk) => ({
      id,
      text: `${title}\n${text.slice(chunk.begins, chunk.to)}`,
    })),
  )

export function figuresOf({ questions }: QuestionSet, ranked: readonly Ranked[]): Figures {
  let [first, five, reciprocal] = [0, 0, 0]
  for (const [at, { relevant }] of questions.entries()) {
    const place = (ranked[at]?.ids ?? []).slice(0, 10).findIndex((id) => relevant.includes(id))
    if (place === 0) first++
    if (place >= 0 && place < 5) five++
    if (place >= 0) reciprocal += 1 / (place + 1)
  }
  const share = (count: number): number => (100 * count) / questions.length
  return { first: share(first), five: share(five), mrr: reciprocal / questions.length }
}
