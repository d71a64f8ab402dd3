import { collapsed, type Listener } from './tag.ts'

export type PageLink = {
  /** As written. */
  readonly href: string
  readonly text: string
}

const MOST_LINKS = 3_000
const LONGEST_ADDRESS = 2_048
const LONGEST_TEXT = 200

/** Where a page leads, and what the first link to each place says. */
export function gatherLinks(): Listener & { links(): readonly PageLink[] } {
  const links = new Map<string, string>()
  let within: string | null = null
  return {
    open({ name, attributes: { href } }) {
      if ((name !== 'a' && name !== 'area') || href === undefined || href.length > LONGEST_ADDRESS) return
      const written = href.trim()
      if (links.has(written) || links.size >= MOST_LINKS) return
      links.set(written, '')
      if (name === 'a') within = written
    },
    text(text) {
      if (within === null) return
      const said = links.get(within) ?? ''
      if (said.length < LONGEST_TEXT) links.set(within, said + text.slice(0, LONGEST_TEXT))
    },
    close(name) {
      if (name === 'a') within = null
    },
    links: () => [...links].map(([href, text]) => ({ href, text: collapsed(text) })),
  }
}
