// Ranks the chunks of a tenant: BM25 over words, plus half of BM25 over letter grams. Coverage says how much of the question a
// chunk holds; it decides whether anything fits at all, which a rank alone cannot say.
import type { Asked, Question } from './question.ts'
import type { Channel, Segment } from './segment.ts'

const K1 = 1.6
const B = 0.65
const GRAM_WEIGHT = 0.5
/**
 * How common a term is, is judged as if there were this many chunks more without it. A business with one short text has
 * nothing else to judge it by.
 */
const IMAGINED = 50

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
  const words = gatherer(
    segments.map((one) => one.words),
    bases,
  )
  const grams = gatherer(
    segments.map((one) => one.grams),
    bases,
  )
  const [ranks, held] = [new Float64Array(total), new Float64Array(total)]
  for (const term of question.words) {
    words.each(term, (chunk, saturation, idf) => {
      ranks[chunk] = (ranks[chunk] ?? 0) + idf * saturation
    })
  }
  let whole = 0
  for (const term of question.grams) {
    const weight = term.counts ? 1 : 0
    const rarity = grams.each(term, (chunk, saturation, idf, rarity) => {
      ranks[chunk] = (ranks[chunk] ?? 0) + GRAM_WEIGHT * idf * saturation
      held[chunk] = (held[chunk] ?? 0) + weight * rarity
    })
    whole += weight * rarity
  }
  return best(ranks, limit).map((at) => {
    const segment = bases.findLastIndex((base) => base <= at)
    const coverage = whole === 0 ? 0 : Math.min(1, (held[at] ?? 0) / whole)
    return { segment, chunk: at - (bases[segment] ?? 0), rank: ranks[at] ?? 0, coverage }
  })
}

function basesOf(segments: readonly Segment[]): number[] {
  const bases = [0]
  for (const { size } of segments) bases.push((bases.at(-1) ?? 0) + size)
  return bases
}

type Take = (chunk: number, saturation: number, idf: number, rarity: number) => void

/** Finds in which chunks a term occurs, whichever of its forms stands there. */
function gatherer(channels: readonly Channel[], bases: readonly number[]) {
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
  const times = new Uint32Array(total)
  return {
    /** Returns how rare the term is. */
    each({ hashes, times: asked }: Asked, take: Take): number {
      const touched: number[] = []
      for (const [index, channel] of channels.entries()) {
        const base = bases[index] ?? 0
        for (const hash of hashes) {
          const at = indexOf(channel.hashes, hash)
          if (at === -1) continue
          for (let posting = channel.starts[at] ?? 0; posting < (channel.starts[at + 1] ?? 0); posting++) {
            const chunk = base + (channel.chunks[posting] ?? 0)
            if (times[chunk] === 0) touched.push(chunk)
            times[chunk] = (times[chunk] ?? 0) + (channel.counts[posting] ?? 0)
          }
        }
      }
      const idf = asked * idfOf(total, touched.length)
      const rarity = idfOf(total + IMAGINED, touched.length)
      for (const chunk of touched) {
        const tf = times[chunk] ?? 0
        times[chunk] = 0
        take(chunk, (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * (lengths[chunk] ?? 0)) / average)), idf, rarity)
      }
      return rarity
    },
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
