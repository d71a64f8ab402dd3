import { readAsGeorgian } from './georgian-in-latin.ts'
import { type Question, readQuestion } from './question.ts'
import { type Hit, rankChunks } from './rank.ts'
import type { Segment } from './segment.ts'

export type Ranking = {
  readonly hits: readonly Hit[]
  /** Of a story, how much of it a chunk holds says nothing. */
  readonly isStory: boolean
}

/** Below this, a question in Latin letters is also read as Georgian. */
const DOUBTFUL = 0.3

/** Ranks the chunks for a question as it is written or, if nothing fits it and there are Georgian texts, read as Georgian. */
export function findChunks(segments: readonly Segment[], text: string, limit: number): Ranking {
  const asWritten = ranked(segments, readQuestion(text), limit)
  if (bestOf(asWritten) >= DOUBTFUL || !segments.some(({ hasGeorgian }) => hasGeorgian)) return asWritten
  const question = readAsGeorgian(text)
  if (question === undefined) return asWritten
  const asGeorgian = ranked(segments, question, limit)
  return bestOf(asGeorgian) > bestOf(asWritten) ? asGeorgian : asWritten
}

const ranked = (segments: readonly Segment[], question: Question, limit: number): Ranking => ({
  hits: rankChunks(segments, question, limit),
  isStory: question.isStory,
})

const bestOf = ({ hits }: Ranking): number => hits.reduce((most, { coverage }) => Math.max(most, coverage), 0)
