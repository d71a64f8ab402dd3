// Ranks the chunks of a tenant: BM25 over words, plus half of BM25 over letter grams. Coverage says how much of the question a
// chunk holds; it decides whether anything fits at all, which a rank alone cannot say.
import type { Channel } from './gather-terms.ts'
import type { Question, Term } from './question.ts'
import type { Segment } from './segment.ts'

/**
 * The weight in the rank of a word that says little, such as "how". In a business with few texts these words are as rare as the words
 * that the question is about.
 */
const LITTLE_WORD_WEIGHT = 0.5

type Weights = {
  /** How much it says that a term stands in a chunk more than once. */
  readonly k1: number
  readonly grams: number
}

const ASKED: Weights = { k1: 1.6, grams: 0.5 }
/** The grams of many words meet by chance. What a chunk says again and again is more of what it is about. */
const TOLD: Weights = { k1: 2, grams: 0.25 }
const B = 0.65
/**
 * How common a term is, is judged as if there were this many chunks more without it. A business with one short text has
 * nothing else to judge it by.
 */
const IMAGINED = 50
/**
 * Makes the thresholds of 0.2 and 0.3 stand where they keep what is right and let little else through: docs/knowledge.md has the
 * curve.
 */
const STRICTNESS = 1.2
/** The fewer chunks there are, the less of a question one of them holds by chance, so less is asked of it: of the only one least. */
const LENIENCE = 0.2
const MANY_CHUNKS = 50
/** How much of the rank of its second best chunk each chunk of a document has besides, where a story is told. */
const SECOND = 0.3

export type Hit = {
  readonly segment: number
  readonly chunk: number
  readonly rank: number
  /** The share of the question that the chunk holds, from 0 to 1. */
  readonly coverage: number
}

/** Returns the best chunks, best first. Equal ones keep the order of the segments. */
export function rankChunks(segments: readonly Segment[], question: Question, limit: number): Hit[] {
  const bases = basesOf(segments)
  const total = bases.at(-1) ?? 0
  if (total === 0) return []
  const weights = question.isStory ? TOLD : ASKED
  const words = gatherer(
    segments.map((one) => one.words),
    bases,
    weights,
  )
  const grams = gatherer(
    segments.map((one) => one.grams),
    bases,
    weights,
  )
  const ranks = new Float64Array(total)
  const coverage = openCoverage(total)
  for (const { stem, grams: own, times, counts } of question.words) {
    // A text of a business says "you" and "I" seldom, so in a story they would seem to be what it is about.
    if (question.isStory && !counts) continue
    const weight = counts ? times : LITTLE_WORD_WEIGHT * times
    words(stem, (chunk, gain) => {
      ranks[chunk] = (ranks[chunk] ?? 0) + weight * gain
      if (counts) coverage.hasWord(chunk)
    })
    for (const gram of own) {
      const gramWeight = weights.grams * gram.weight * times
      let isFound = false
      const rarity = grams(gram.forms, (chunk, gain, rarity) => {
        ranks[chunk] = (ranks[chunk] ?? 0) + gramWeight * gain
        coverage.hasGram(chunk, rarity)
        isFound = true
      })
      if (gram.isCertain || isFound) coverage.count(rarity)
    }
    if (counts) coverage.endWord()
  }
  if (question.isStory) addSecondBest(ranks, bases)
  return best(ranks, limit).map((at) => {
    const segment = bases.findLastIndex((base) => base <= at)
    return { segment, chunk: at - (bases[segment] ?? 0), rank: ranks[at] ?? 0, coverage: coverage.of(at) }
  })
}

/**
 * How much of a question each chunk holds, word by word: a word counts by how rare its grams are, and by the square root of
 * their number, because the many grams of a long word say the same thing. A chunk holds all of a word in any of its forms, or
 * the share of its grams.
 */
function openCoverage(total: number) {
  const held = new Float64Array(total)
  const ofWord = new Float64Array(total)
  const unseen = idfOf(total + IMAGINED, 0)
  const strictness = STRICTNESS - LENIENCE * fewness(total)
  let [exact, touched]: [number[], number[]] = [[], []]
  let [whole, rarities, grams] = [0, 0, 0]
  const reach = (chunk: number, sum: number) => {
    if (ofWord[chunk] === 0) touched.push(chunk)
    ofWord[chunk] = sum
  }
  return {
    hasWord: (chunk: number) => void exact.push(chunk),
    hasGram: (chunk: number, rarity: number) => reach(chunk, (ofWord[chunk] ?? 0) + rarity),
    count(rarity: number) {
      rarities += rarity
      grams++
    },
    endWord() {
      for (const chunk of exact) reach(chunk, rarities)
      const worth = Math.sqrt(Math.max(1, grams))
      for (const chunk of touched) {
        held[chunk] = (held[chunk] ?? 0) + Math.min(rarities, ofWord[chunk] ?? 0) / worth
        ofWord[chunk] = 0
      }
      whole += rarities / worth
      ;[exact, touched] = [[], []]
      ;[rarities, grams] = [0, 0]
    },
    of(chunk: number): number {
      const share = whole === 0 ? 0 : Math.min(1, (held[chunk] ?? 0) / whole)
      // A part of a short question, or of one of common words, says less than the same part of a long one.
      const doubt = whole === 0 ? 0 : ((1 - share) * unseen) / whole
      return (share / (1 + doubt)) ** strictness
    },
  }
}

/** A story touches on many things. What tells of several of them is rather what it is about than what shares many words of one. */
function addSecondBest(ranks: Float64Array, bases: readonly number[]): void {
  for (const [at, base] of bases.slice(0, -1).entries()) {
    const own = ranks.subarray(base, bases[at + 1])
    let [first, second] = [0, 0]
    for (const rank of own) {
      if (rank > first) [first, second] = [rank, first]
      else if (rank > second) second = rank
    }
    for (const [chunk, rank] of own.entries()) if (rank > 0) own[chunk] = rank + SECOND * second
  }
}

/** From 1 for a single chunk down to 0 for many, in steps that halve as their number doubles. */
const fewness = (total: number): number => Math.max(0, 1 - Math.log(total) / Math.log(MANY_CHUNKS))

function basesOf(segments: readonly Segment[]): number[] {
  const bases = [0]
  for (const { size } of segments) bases.push((bases.at(-1) ?? 0) + size)
  return bases
}

/** Is told of each chunk with the term, of what the term adds to its rank, and of how rare the term is. */
type Take = (chunk: number, gain: number, rarity: number) => void

type Gather = (term: Term, take: Take) => number

/** Finds the chunks in which a term occurs, whichever of its forms stands there. Returns how rare it is. */
function gatherer(channels: readonly Channel[], bases: readonly number[], { k1 }: Weights): Gather {
  const total = bases.at(-1) ?? 0
  const lengths = new Float64Array(total)
  let sum = 0
  for (const [index, channel] of channels.entries()) {
    for (const [chunk, length] of channel.lengths.entries()) {
      lengths[(bases[index] ?? 0) + chunk] = length
      sum += length
    }
  }
  const average = Math.max(1, sum / total)
  const counts = new Uint32Array(total)
  return (term, take) => {
    const touched: number[] = []
    for (const [index, channel] of channels.entries()) {
      for (const hash of term) addCounts(channel, { hash, base: bases[index] ?? 0 }, counts, touched)
    }
    const idf = idfOf(total, touched.length)
    const rarity = idfOf(total + IMAGINED, touched.length)
    for (const chunk of touched) {
      const count = counts[chunk] ?? 0
      counts[chunk] = 0
      const norm = k1 * (1 - B + (B * (lengths[chunk] ?? 0)) / average)
      take(chunk, (idf * (count * (k1 + 1))) / (count + norm), rarity)
    }
    return rarity
  }
}

type Place = { readonly hash: number; readonly base: number }

function addCounts(channel: Channel, { hash, base }: Place, counts: Uint32Array, touched: number[]): void {
  const at = indexOf(channel.hashes, hash)
  if (at === -1) return
  const end = channel.starts[at + 1] ?? 0
  for (let posting = channel.starts[at] ?? 0; posting < end; posting++) {
    const chunk = base + (channel.chunks[posting] ?? 0)
    if (counts[chunk] === 0) touched.push(chunk)
    counts[chunk] = (counts[chunk] ?? 0) + (channel.counts[posting] ?? 0)
  }
}

const idfOf = (total: number, held: number): number => Math.log(1 + (total - held + 0.5) / (held + 0.5))

function indexOf(sorted: Uint32Array, hash: number): number {
  let [low, high] = [0, sorted.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = sorted[middle] ?? 0
    if (value === hash) return middle
    if (value < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The indices of the greatest positive values; of equal ones the first. */
function best(ranks: Float64Array, limit: number): number[] {
  const found: number[] = []
  for (const [at, rank] of ranks.entries()) {
    if (rank <= 0) continue
    const last = found.at(-1)
    if (found.length === limit && last !== undefined && rank <= (ranks[last] ?? 0)) continue
    const place = found.findIndex((one) => rank > (ranks[one] ?? 0))
    if (place === -1) found.push(at)
    else found.splice(place, 0, at)
    if (found.length > limit) found.pop()
  }
  return found
}

// Two rankings of the same chunks become one: what either has near its top comes near the top, and what both have comes before it.
// Only places count, because a rank by words and a similarity cannot be compared.

/** How slowly a place loses its worth. Larger values trust the first places of one ranking less. */
const SLOWNESS = 60

/** Returns the keys of all rankings, best first. Of equal ones, what the first ranking has, or has better, comes first. */
export function fuseRankings<Key>(...rankings: readonly (readonly Key[])[]): Key[] {
  const worth = new Map<Key, number>()
  for (const ranking of rankings) {
    for (const [place, key] of ranking.entries()) worth.set(key, (worth.get(key) ?? 0) + 1 / (SLOWNESS + place + 1))
  }
  return [...worth].toSorted(([, one], [, other]) => other - one).map(([key]) => key)
}
