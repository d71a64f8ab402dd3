import type { Retrieval } from '../chat/index.ts'
import { findByWords, LEAST, textOf } from './find.ts'
import type { Library } from './library.ts'

const MOST_PASSAGES = 5

/** What a turn reads of the tenant's documents. */
export const openRetrieval = (library: Library): Retrieval => ({
  warm(ctx) {
    // Whoever needs the documents hears of a failure from `find`.
    if (ctx.settings.knowledge.enabled) library.of(ctx).catch(() => {})
  },
  async find(ctx, { text }) {
    if (!ctx.settings.knowledge.enabled) return []
    const documents = await library.of(ctx)
    return findByWords(documents, text, { least: LEAST.answer, limit: MOST_PASSAGES }).map((found) => ({
      source: { kind: 'knowledge' as const, title: found.document.name, url: null },
      heading: found.chunk.heading,
      text: textOf(found).trim(),
    }))
  },
})
