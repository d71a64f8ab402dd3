import type { KnowledgeHit } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { LEAST, textOf } from './find.ts'
import { type Finder, findPassages } from './find-passages.ts'

/** What a search waits for is bounded elsewhere. */
const NOBODY_LEAVES = new AbortController().signal

type SearchInput = { readonly q: string; readonly limit: number }

export async function searchDocuments(
  ctx: Context,
  finder: Finder,
  { q, limit }: SearchInput,
): Promise<KnowledgeHit[]> {
  if (q.trim() === '') throw refuse('invalid_request', '`q` is empty. Send what to look for.')
  const found = await findPassages(ctx, finder, q, { least: LEAST.search, limit }, NOBODY_LEAVES)
  return found.map((found) => ({
    document: found.document.name,
    chunk: found.number,
    heading: found.chunk.heading,
    score: shownScore(found.score),
    text: textOf(found),
  }))
}

const shownScore = (score: number): number => Math.max(0.0001, Math.round(score * 10_000) / 10_000)
