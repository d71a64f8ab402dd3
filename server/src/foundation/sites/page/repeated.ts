import type { Block } from './blocks.ts'
import { withoutLoneHeadings } from './prose.ts'

/** On fewer pages, what they share may be what they are about. */
const LEAST_PAGES = 4

/** Leaves out what stands on more than half of the pages: menus, footers, notices. */
export function withoutRepeated(pages: readonly (readonly Block[])[]): readonly (readonly Block[])[] {
  if (pages.length < LEAST_PAGES) return pages
  const counts = new Map<string, number>()
  for (const page of pages) for (const key of new Set(page.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const isRepeated = (block: Block): boolean => (counts.get(keyOf(block)) ?? 0) > pages.length / 2
  return pages.map((page) => withoutLoneHeadings(page.filter((block) => !isRepeated(block))))
}

/** Letters alone: a date, or the number of things in a basket, makes no other text. */
const keyOf = ({ text }: Block): string =>
  text
    .toLowerCase()
    .replace(/\d+/g, '0')
    .replace(/[^\p{L}\p{M}0]+/gu, '')
