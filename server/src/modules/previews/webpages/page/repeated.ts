import { turnOf, type Work } from '../../../../kernel/json/index.ts'
import type { Block } from './blocks.ts'
import { withoutLoneHeadings } from './prose.ts'

type Page = readonly Block[]

/** On fewer pages, what they share may be what they are about. */
const LEAST_PAGES = 4
/** In units of text, to which each block adds some: a few milliseconds, and then others have their turn. */
const A_TURN = 100_000
const A_BLOCK = 50
/** No menu and no notice is longer, so a longer text is compared as it stands. */
const LONGEST_NOTICE = 5_000

/** Leaves out what stands on more than half of the pages: menus, footers, notices. */
export function* withoutRepeated(pages: readonly Page[]): Work<readonly Page[]> {
  if (pages.length < LEAST_PAGES) return pages
  const own = yield* withoutShared(pages, lettersOf)
  if (own.every((page) => page.length > 0)) return own
  // Where pages differ by their numbers alone, the numbers are what they say.
  const exact = yield* withoutShared(pages, ({ text }) => text)
  return own.map((page, at) => (page.length > 0 ? page : (exact[at] ?? page)))
}

function* withoutShared(pages: readonly Page[], keyOf: (block: Block) => string): Work<readonly Page[]> {
  const isEnough = turnOf(A_TURN)
  const counts = new Map<string, number>()
  const keys: string[][] = []
  for (const page of pages) {
    const own: string[] = []
    for (const block of page) {
      own.push(keyOf(block))
      if (isEnough(block.text.length + A_BLOCK)) yield
    }
    keys.push(own)
    for (const key of new Set(own)) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (isEnough(A_BLOCK)) yield
    }
  }
  const left: Page[] = []
  for (const [at, page] of pages.entries()) {
    const isShared = (block: number): boolean => (counts.get(keys[at]?.[block] ?? '') ?? 0) > pages.length / 2
    left.push(withoutLoneHeadings(page.filter((_, block) => !isShared(block))))
    yield
  }
  return left
}

/** Letters alone: a date, or the number of things in a basket, makes no other text. */
const lettersOf = ({ text }: Block): string =>
  text.length > LONGEST_NOTICE
    ? text
    : text
        .toLowerCase()
        .replace(/\d+/g, '0')
        .replace(/[^\p{L}\p{M}0]+/gu, '')
