import type { Listener } from './tag.ts'

const MOST_LINKS = 3_000
const LONGEST_ADDRESS = 2_048

/** Where a page leads, as written. */
export function gatherLinks(): Listener & { links(): readonly string[] } {
  const links = new Set<string>()
  return {
    open({ name, attributes: { href } }) {
      if ((name !== 'a' && name !== 'area') || href === undefined || href.length > LONGEST_ADDRESS) return
      if (links.size < MOST_LINKS) links.add(href.trim())
    },
    links: () => [...links],
  }
}
