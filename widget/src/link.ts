import { type Child, h } from './h.ts'

/** Returns the address as a browser reads it, if it is a page, a mailbox or a telephone number, and never `javascript:`. */
export function followable(address: unknown): string | undefined {
  try {
    const { protocol, href } = new URL(`${address}`)
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** A link that opens in a new tab and sends no referrer. Without a safe address it is only the words. */
export function link(address: unknown, ...words: readonly Child[]): HTMLElement {
  const href = followable(address)
  return href
    ? h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...words)
    : h('span', {}, ...words)
}
