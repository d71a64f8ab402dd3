// Finds by words and, where a model is set up, by meaning as well. The words alone decide wherever there is no vector.
import { findChunksByPart, fuseRankings, nearest } from '../../kernel/search/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Embeddings } from './embeddings.ts'
import type { HeldChunk, HeldDocument, Library } from './library.ts'
import { servingSpace, vectorsIn } from './vectors.ts'

export type Found = {
  readonly document: HeldDocument
  readonly chunk: HeldChunk
  /** Its place in the document. */
  readonly number: number
  /** In (0, 1], and never above that of a better one. */
  readonly score: number
}

/** How much of a question a chunk must hold: for somebody who searches, and for an answer that rests on it. */
export const LEAST = { search: 0.2, answer: 0.3 } as const

const CONSIDERED = 50

/** Returns what fits the question, best first. */
export function findByWords(
  documents: readonly HeldDocument[],
  text: string,
  { least, limit }: { readonly least: number; readonly limit: number },
): Found[] {
  const segments = documents.map(({ segment }) => segment)
  const { hits, isStory } = findChunksByPart(segments, text, CONSIDERED)
  const gate = isStory ? 0 : least
  const found: Found[] = []
  for (const { segment, chunk, coverage } of hits) {
    if (coverage <= 0 || coverage < gate) continue
    const document = documents[segment]
    const held = document?.chunks[chunk]
    if (document === undefined || held === undefined) continue
    found.push({ document, chunk: held, number: chunk, score: Math.min(coverage, found.at(-1)?.score ?? 1) })
    if (found.length === limit) break
  }
  return found
}

export const textOf = ({ document, chunk }: Found): string => document.text.slice(chunk.begins, chunk.to)

export type Finder = { readonly library: Library; readonly embeddings: Embeddings | undefined }

type Wanted = { readonly least: number; readonly limit: number }

/** Returns what fits the question, best first. */
export async function findPassages(
  ctx: Context,
  { library, embeddings }: Finder,
  text: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Found[]> {
  const documents = await library.of(ctx)
  const space = embeddings === undefined ? undefined : servingSpace(documents, embeddings.space)
  const question = space === undefined ? undefined : await embeddings?.questions.of(ctx, { text, space }, signal)
  if (space === undefined || question === undefined) return findByWords(documents, text, wanted)
  const near = nearest(
    documents.map((one) => vectorsIn(one, space)),
    question,
    { least: ctx.settings.ai.embeddings.leastSimilarity, limit: CONSIDERED },
  )
  const byMeaning = near.flatMap(({ document, chunk, similarity }) => foundAt(documents[document], chunk, similarity))
  return fused(findByWords(documents, text, { least: wanted.least, limit: CONSIDERED }), byMeaning, wanted.limit)
}

function foundAt(document: HeldDocument | undefined, number: number, similarity: number): Found[] {
  const chunk = document?.chunks[number]
  if (document === undefined || chunk === undefined || similarity <= 0) return []
  return [{ document, chunk, number, score: Math.min(1, similarity) }]
}

/**
 * A few words that a text shares by chance would push what was found by meaning down: only what fits well by its words takes part,
 * and the rest comes after.
 */
export function fused(byWords: readonly Found[], byMeaning: readonly Found[], limit: number): Found[] {
  const keyOf = ({ document, number }: Found): string => `${number} ${document.name}`
  const all = new Map<string, Found>()
  for (const one of [...byMeaning, ...byWords]) {
    const known = all.get(keyOf(one))
    all.set(keyOf(one), known === undefined || known.score < one.score ? one : known)
  }
  const firm = byWords.filter(({ score }) => score >= LEAST.answer).map(keyOf)
  const order = [...new Set([...fuseRankings(byMeaning.map(keyOf), firm), ...byWords.map(keyOf)])]
  let most = 1
  return order.slice(0, limit).flatMap((key) => {
    const one = all.get(key)
    if (one === undefined) return []
    // A score never stands above that of a better one.
    most = Math.min(most, one.score)
    return [{ ...one, score: most }]
  })
}
