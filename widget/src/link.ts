import { type Child, h } from './h.ts'

/** The address as a browser reads it, if it leads to a page, a mailbox or a telephone; `javascript:` and its kin do not. */
export function followable(address: unknown): string | undefined {
  try {
    const { protocol, href } = new URL(`${address}`)
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** A link in a new tab that tells nobody where it was followed from; without a fit address, only the words. */
export function link(address: unknown, ...words: readonly Child[]): HTMLElement {
  const href = followable(address)
  return href
    ? h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...words)
    : h('span', {}, ...words)
}
