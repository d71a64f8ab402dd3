import type { KnowledgeHit } from '@tether/contract'
import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { mustBeEnabled } from './documents.ts'
import { findByWords, LEAST, textOf } from './find.ts'
import type { Library } from './library.ts'

type SearchInput = { readonly q: string; readonly limit: number }

export async function searchDocuments(
  ctx: Context,
  library: Library,
  { q, limit }: SearchInput,
): Promise<KnowledgeHit[]> {
  mustBeEnabled(ctx)
  if (q.trim() === '') throw refuse('invalid_request', '`q` is empty. Send what to look for.')
  const documents = await library.of(ctx)
  return findByWords(documents, q, { least: LEAST.search, limit }).map((found) => ({
    document: found.document.name,
    chunk: found.number,
    heading: found.chunk.heading,
    score: shownScore(found.score),
    text: textOf(found),
  }))
}

const shownScore = (score: number): number => Math.max(0.0001, Math.round(score * 10_000) / 10_000)
