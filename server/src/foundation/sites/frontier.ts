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
  const shapes = new Map<string, number>()
  let waiting: Waiting[] = []
  let isSorted = true
  return {
    get size() {
      return waiting.length
    },
    add(url, { depth, lastmod = 0 }) {
      if (known.has(url.href) || waiting.length >= MOST_WAITING) return false
      known.add(url.href)
      const shape = shapeOf(url)
      const among = shapes.get(shape) ?? 0
      shapes.set(shape, among + 1)
      waiting.push({ url, depth, lastmod, among, place: known.size })
      isSorted = false
      return true
    },
    settle(url) {
      if (known.has(url)) {
        const before = waiting.length
        waiting = waiting.filter((one) => one.url.href !== url)
        return waiting.length < before
      }
      known.add(url)
      return true
    },
    take() {
      // The last is the next.
      if (!isSorted) waiting.sort((one, other) => nextFirst(other, one))
      isSorted = true
      return waiting.pop() ?? null
    },
  }
}

/** What the site calls new, then what is near. Among the equally near, kinds take turns, so that a calendar eats no shop. */
const nextFirst = (one: Waiting, other: Waiting): number =>
  other.lastmod - one.lastmod || one.depth - other.depth || one.among - other.among || one.place - other.place
