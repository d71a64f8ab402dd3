import type { Source } from '@tether/contract'
import { atOnce } from '../../../kernel/json/index.ts'
import { findChunks, openSegment, packSegment } from '../../../kernel/search/index.ts'
import type { Passage } from './ports.ts'

const MOST_SOURCES = 5
/** A sentence that shares this much with a passage says what the passage says. */
const SAYS_THE_SAME = 0.5
const MOST_SENTENCES = 60

/** The passages on which an answer rests, by number from 1: those that it marks or, if it marks none, those that it repeats. */
export function drawnOn(passages: readonly Passage[], marked: readonly number[], ownWords: string): number[] {
  if (passages.length === 0) return []
  const numbers = marked.length > 0 ? marked : repeated(passages, ownWords)
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}

/** The distinct sources of these passages, best first. */
export function sourcesOf(passages: readonly Passage[], numbers: readonly number[]): Source[] {
  const sources = numbers.flatMap((number) => passages[number - 1]?.source ?? [])
  const distinct = new Map(sources.map((source) => [`${source.kind} ${source.url ?? source.title}`, source]))
  return [...distinct.values()].slice(0, MOST_SOURCES)
}

function repeated(passages: readonly Passage[], ownWords: string): number[] {
  const segment = openSegment(atOnce(packSegment(passages.map(({ heading, text }) => `${heading ?? ''}\n${text}`))))
  if (segment === undefined) return []
  const sentences = ownWords.split(/(?<=[.!?])\s+|\n+/).slice(0, MOST_SENTENCES)
  return sentences.flatMap((sentence) => {
    const [best] = findChunks([segment], sentence, 1).hits
    return best !== undefined && best.coverage >= SAYS_THE_SAME ? [best.chunk + 1] : []
  })
}
