import type { Retrieval } from '../chat/index.ts'
import { LEAST, textOf } from './find.ts'
import { type Finder, findPassages } from './find-passages.ts'

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
