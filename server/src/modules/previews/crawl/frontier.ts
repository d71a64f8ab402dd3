import { shapeOf } from './addresses.ts'

type Waiting = {
  readonly url: URL
  readonly depth: number
  /** Milliseconds since 1970, or 0 where the site states none. */
  readonly lastmod: number
  /** How many of the same shape were found before it. */
  readonly among: number
  readonly place: number
}

const MOST_WAITING = 5_000

/** The pages that are known and not read yet. */
export type Frontier = {
  /** False for one that was known before, or is one too many. */
  add(url: URL, found: { readonly depth: number; readonly lastmod?: number }): boolean
  /** Never to be read, from now on: read under another address, or refused. */
  settle(url: string): boolean
  take(): { readonly url: URL; readonly depth: number } | null
  readonly size: number
}

export function openFrontier(): Frontier {
  const known = new Set<string>()
  const waiting = new Map<string, Waiting>()
  const shapes = new Map<string, number>()
  return {
    get size() {
      return waiting.size
    },
    add(url, { depth, lastmod = 0 }) {
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
      waiting.set(url.href, { url, depth, lastmod, among, place: known.size })
      return true
    },
    settle(url) {
      const isNew = waiting.delete(url) || !known.has(url)
      known.add(url)
      return isNew
    },
    take() {
      let next: Waiting | null = null
      for (const one of waiting.values()) if (next === null || nextFirst(one, next) < 0) next = one
      if (next !== null) waiting.delete(next.url.href)
      return next
    },
  }
}

/** What the site calls new, then what is near. Among the equally near, kinds take turns, so that a calendar eats no shop. */
const nextFirst = (one: Waiting, other: Waiting): number =>
  other.lastmod - one.lastmod || one.depth - other.depth || one.among - other.among || one.place - other.place
