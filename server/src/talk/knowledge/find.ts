import { findChunksByPart } from '../../kernel/search/index.ts'
import type { HeldChunk, HeldDocument } from './library.ts'

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

export const CONSIDERED = 50

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
