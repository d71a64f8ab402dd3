import { readAsGeorgian } from './georgian-in-latin.ts'
import { type Question, readQuestion } from './question.ts'
import { type Hit, rankChunks } from './rank.ts'
import type { Segment } from './segment.ts'
import { splitQuestion } from './split-question.ts'

type Ranking = {
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

/** The sides of an "and" between things are searched separately only if a chunk holds this much of each. */
const MIN_SIDE = 0.3

/**
 * Ranks the chunks for a message that may ask for several things. The best chunk of the whole message comes first, and then the
 * best chunk of each part, so that every part has a place among the first.
 */
export function findChunksByPart(segments: readonly Segment[], text: string, limit: number): Ranking {
  const whole = findChunks(segments, text, limit)
  const parts = splitQuestion(text).map((part) => ({ ...part, ...findChunks(segments, part.text, limit) }))
  const areSides = parts.every(({ hits, isClause }) => isClause || (hits[0]?.coverage ?? 0) >= MIN_SIDE)
  const rankings = parts
    .filter(({ isClause }) => isClause || areSides)
    .map(({ hits, pointsBack }) => (pointsBack ? addRanks(withinTop(hits), whole.hits) : withinTop(hits)))
  return { hits: mergeParts(withinTop(whole.hits), besideAnswered(rankings)).slice(0, limit), isStory: whole.isStory }
}

/**
 * Once a chunk answers one part, the message is about this business, so less is asked of the chunks for its other parts. It helps
 * a part of a single verb, which a text often holds in another form.
 */
const MIN_BESIDE_ANSWERED = 0.2

function besideAnswered(rankings: readonly (readonly Hit[])[]): (readonly Hit[])[] {
  const answered = rankings.filter((hits) => (hits[0]?.coverage ?? 0) >= DOUBTFUL)
  return rankings.map((hits) =>
    answered.every((other) => other === hits)
      ? hits
      : hits.map((hit) =>
          hit.coverage >= MIN_BESIDE_ANSWERED ? { ...hit, coverage: Math.max(hit.coverage, DOUBTFUL) } : hit,
        ),
  )
}

const keyOf = ({ segment, chunk }: Hit): string => `${segment} ${chunk}`

/** Adds the rank for the whole message, because "it" stands for something there. */
function addRanks(hits: readonly Hit[], whole: readonly Hit[]): Hit[] {
  const ranks = new Map(whole.map((hit) => [keyOf(hit), hit.rank]))
  return hits
    .map((hit) => ({ ...hit, rank: hit.rank + (ranks.get(keyOf(hit)) ?? 0) }))
    .toSorted((one, other) => other.rank - one.rank)
}

/** Limits coverage to that of the best hit: a chunk that ranks below it holds more of the question only by chance. */
const withinTop = (hits: readonly Hit[]): Hit[] =>
  hits.map((hit) => ({ ...hit, coverage: Math.min(hit.coverage, hits[0]?.coverage ?? 0) }))

/**
 * Puts the best chunk of the message and of each part first, then the other chunks of the parts by their rank relative to the best
 * chunk of the same part. A part with one clear answer leaves the next places to a part with several likely ones. A single part
 * shares the places with the whole message.
 */
function mergeParts(whole: readonly Hit[], parts: readonly (readonly Hit[])[]): Hit[] {
  const lists = parts.length === 1 ? [whole, ...parts] : parts
  const firsts = [whole, ...lists].flatMap((hits) => hits.slice(0, 1))
  const others = lists
    .flatMap(([first, ...rest]) => rest.map((hit) => ({ hit, closeness: hit.rank / (first?.rank ?? hit.rank) })))
    .toSorted((one, other) => other.closeness - one.closeness)
  const merged = new Map<string, Hit>()
  for (const hit of [...firsts, ...others.map(({ hit }) => hit), ...whole]) {
    const known = merged.get(keyOf(hit))
    merged.set(keyOf(hit), known === undefined || known.coverage < hit.coverage ? hit : known)
  }
  return [...merged.values()]
}
