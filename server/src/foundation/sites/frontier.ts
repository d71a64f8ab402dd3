import { shapeOf } from './addresses.ts'
import { topicOf } from './asked-about.ts'

type Waiting = {
  readonly url: URL
  readonly depth: number
  /** Milliseconds since 1970, or 0 where the site states none. */
  readonly lastmod: number
  /** How many of the same shape were found before it. */
  readonly among: number
  readonly place: number
  /** What visitors ask about, and this page may tell. */
  readonly topic: number | null
}

const MOST_WAITING = 5_000

/** With fewer pages there is nothing to share out. */
const LEAST_SHARED = 4

/** Of this many pages so many are kept for what visitors ask about, if what the site calls new would take them all. */
const keptForTopics = (pages: number): number => (pages < LEAST_SHARED ? 0 : Math.floor(pages / 2))

/** The pages that are known and not read yet. */
export type Frontier = {
  /** False for one that was known before, or is one too many. */
  add(url: URL, found: { readonly depth: number; readonly lastmod?: number; readonly called?: string }): boolean
  /** Never to be read, from now on: read under another address, or refused. */
  settle(url: string): boolean
  /** The next one, where so many more will be read. */
  take(left: number): { readonly url: URL; readonly depth: number } | null
  readonly size: number
}

export function openFrontier(pages: number): Frontier {
  const known = new Set<string>()
  const waiting = new Map<string, Waiting>()
  const shapes = new Map<string, number>()
  /** How many of each topic were taken. */
  const told = new Map<number, number>()
  /** True where the last places are for topics, because those before them went to other pages. */
  const isForTopics = (left: number): boolean => {
    const missing = keptForTopics(pages) - [...told.values()].reduce((sum, count) => sum + count, 0)
    if (left > missing) return false
    const topics = [...waiting.values()].filter(({ topic }) => topic !== null).length
    return topics > 0 && left <= Math.min(missing, topics)
  }
  const toldOf = ({ topic }: Waiting): number => (topic === null ? Number.POSITIVE_INFINITY : (told.get(topic) ?? 0))
  const leastTold = (one: Waiting, other: Waiting): number =>
    toldOf(one) - toldOf(other) || (one.topic ?? 0) - (other.topic ?? 0)
  return {
    get size() {
      return waiting.size
    },
    add(url, { depth, lastmod = 0, called }) {
      const before = waiting.get(url.href)
      if (before !== undefined) {
        // A link told of it, and then the sitemap said more.
        if (lastmod > before.lastmod || depth < before.depth) {
          const better = { depth: Math.min(depth, before.depth), lastmod: Math.max(lastmod, before.lastmod) }
          waiting.set(url.href, { ...before, ...better })
        }
        return false
      }
      if (known.has(url.href) || waiting.size >= MOST_WAITING) return false
      known.add(url.href)
      const shape = shapeOf(url)
      const among = shapes.get(shape) ?? 0
      shapes.set(shape, among + 1)
      waiting.set(url.href, { url, depth, lastmod, among, place: known.size, topic: topicOf(url, called) })
      return true
    },
    settle(url) {
      const isNew = waiting.delete(url) || !known.has(url)
      known.add(url)
      return isNew
    },
    take(left) {
      const forTopics = isForTopics(left)
      const isBefore = (one: Waiting, other: Waiting): boolean =>
        ((forTopics && leastTold(one, other)) || nextFirst(one, other)) < 0
      let next: Waiting | null = null
      for (const one of waiting.values()) if (next === null || isBefore(one, next)) next = one
      if (next === null) return null
      waiting.delete(next.url.href)
      if (next.topic !== null) told.set(next.topic, (told.get(next.topic) ?? 0) + 1)
      return next
    },
  }
}

/** What the site calls new, then what is near. Among the equally near, kinds take turns, so that a calendar eats no shop. */
const nextFirst = (one: Waiting, other: Waiting): number =>
  other.lastmod - one.lastmod || one.depth - other.depth || one.among - other.among || one.place - other.place
