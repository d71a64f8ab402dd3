import type { Block } from './blocks.ts'
import { withoutLoneHeadings } from './prose.ts'

/** On fewer pages, what they share may be what they are about. */
const LEAST_PAGES = 4

/** Leaves out what stands on more than half of the pages: menus, footers, notices. */
export function withoutRepeated(pages: readonly (readonly Block[])[]): readonly (readonly Block[])[] {
  if (pages.length < LEAST_PAGES) return pages
  const [isSame, isAlike] = [repeatedBy(pages, ({ text }) => text), repeatedBy(pages, lettersOf)]
  return pages.map((page) => {
    const own = withoutLoneHeadings(page.filter((block) => !isAlike(block)))
    // Where pages differ by their numbers alone, the numbers are what they say.
    return own.length > 0 ? own : withoutLoneHeadings(page.filter((block) => !isSame(block)))
  })
}

function repeatedBy(pages: readonly (readonly Block[])[], keyOf: (block: Block) => string): (block: Block) => boolean {
  const keys = new Map(pages.flat().map((block) => [block, keyOf(block)]))
  const counts = new Map<string | undefined, number>()
  for (const page of pages) {
    for (const key of new Set(page.map((block) => keys.get(block)))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return (block) => (counts.get(keys.get(block)) ?? 0) > pages.length / 2
}

/** Letters alone: a date, or the number of things in a basket, makes no other text. */
const lettersOf = ({ text }: Block): string =>
  text
    .toLowerCase()
    .replace(/\d+/g, '0')
    .replace(/[^\p{L}\p{M}0]+/gu, '')
