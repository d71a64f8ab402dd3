import type { KnowledgeHit } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Retrieval } from '../chat/index.ts'
import { type Finder, findPassages, LEAST, textOf } from './find-passages.ts'

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

const MOST_PASSAGES = 5

/** What a turn reads of the tenant's documents. */
export const openRetrieval = (finder: Finder): Retrieval => ({
  warm(ctx) {
    // Whoever needs the documents hears of a failure from `find`.
    if (ctx.settings.knowledge.enabled) finder.library.of(ctx).catch(() => {})
  },
  async find(ctx, { text }, signal) {
    if (!ctx.settings.knowledge.enabled) return []
    const wanted = { least: LEAST.answer, limit: MOST_PASSAGES }
    return (await findPassages(ctx, finder, text, wanted, signal)).map((found) => ({
      source: { kind: 'knowledge' as const, title: found.document.name, url: null },
      heading: found.chunk.heading,
      text: textOf(found).trim(),
      score: found.score,
    }))
  },
})
