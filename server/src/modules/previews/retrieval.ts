import { findChunksByPart } from '../../kernel/search/index.ts'
import type { Passage, Retrieval } from '../../talk/chat/index.ts'
import type { HeldPreview } from './content.ts'
import type { Shelf } from './shelf.ts'

const MOST_PASSAGES = 5
/** So many of them are the site's, where so many of its pieces fit: what was written may fit ever so loosely, by what it means. */
const FOR_THE_SITE = 2
const CONSIDERED = 50
/** How much of a question a piece of a site must hold, as a piece of a document must. */
const LEAST = 0.3

/** What a turn reads: first what the business wrote for its assistant, then what its public website says. */
export const withPreviews = (written: Retrieval, shelf: Shelf): Retrieval => ({
  warm(ctx) {
    written.warm?.(ctx)
    // Whoever needs the preview hears of a failure from `find`.
    shelf.of(ctx).catch(() => {})
  },
  async find(ctx, query, signal) {
    const [own, preview] = await Promise.all([written.find(ctx, query, signal), shelf.of(ctx)])
    if (preview === null) return own
    const site = passagesFor(preview, query.text)
    return [...own.slice(0, MOST_PASSAGES - Math.min(site.length, FOR_THE_SITE)), ...site].slice(0, MOST_PASSAGES)
  },
})

/** The pieces of a site that fit the question, best first. */
export function passagesFor(preview: HeldPreview, question: string): Passage[] {
  const { hits, isStory } = findChunksByPart([preview.segment], question, CONSIDERED)
  const gate = isStory ? 0 : LEAST
  return hits
    .filter(({ coverage }) => coverage > 0 && coverage >= gate)
    .slice(0, MOST_PASSAGES)
    .flatMap(({ chunk, coverage }) => passageAt(preview, chunk, coverage))
}

function passageAt({ text, parts, chunks }: HeldPreview, chunk: number, score: number): Passage[] {
  const [, to, begins, at, heading = null] = chunks[chunk] ?? []
  const part = at === undefined ? undefined : parts[at]
  return part === undefined ? [] : [{ source: { ...part }, heading, text: text.slice(begins, to).trim(), score }]
}
