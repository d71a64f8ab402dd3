// Where a link of a page leads on the site. Addresses are relative, so that the site works under any path.
import path from 'node:path'
import type { Page } from './shelf.ts'

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** A file that is no page is shown as it stands: only one that some page links to. */
export const sourceAddress = (file: string): string =>
  `/docs/source?file=${file.split('/').map(encodeURIComponent).join('/')}`

export function relative(from: string, to: string): string {
  const [, place = '', rest = ''] = /^([^?#]*)(.*)$/.exec(to) ?? []
  const way = path.posix.relative(path.posix.dirname(from), place)
  // Two dots alone would end in a slash, and so lead to another address.
  return `${/^(\.\.|)$/.test(way) ? path.posix.join(way, '..', path.posix.basename(place)) : way}${rest}`
}

export type Target =
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'page'; readonly page: Page; readonly anchor: string }
  | { readonly kind: 'file'; readonly file: string }

/** Reads a link as the page has it: relative to its own file in the repository. */
export function targetOf(page: Page, href: string, pages: ReadonlyMap<string, Page>): Target {
  if (ELSEWHERE.test(href)) return { kind: 'elsewhere', href }
  const [to = '', anchor] = href.split('#', 2)
  const file = to === '' ? page.file : path.posix.join(path.posix.dirname(page.file), decodeURI(to)).replace(/\/$/, '')
  const found = pages.get(file)
  if (found === undefined) return { kind: 'file', file }
  return { kind: 'page', page: found, anchor: anchor === undefined ? '' : `#${anchor}` }
}

const isImage = (file: string): boolean => file.startsWith('docs/') && file.endsWith('.png')

/** The address of a target from the site's root; `suffix` is `.md` between the pages as Markdown. */
export function addressOfTarget(target: Target, suffix: '' | '.md' = ''): string {
  if (target.kind === 'elsewhere') return target.href
  if (target.kind === 'page') return `${target.page.address}${suffix}${target.anchor}`
  return isImage(target.file) ? `/${target.file}` : sourceAddress(target.file)
}

export function hrefOf(from: string, target: Target, suffix: '' | '.md' = ''): string {
  const address = addressOfTarget(target, suffix)
  return target.kind === 'elsewhere' ? address : relative(from, address)
}

/** The Markdown of a page whose links lead to the other pages as Markdown. */
export function relinked(page: Page, text: string, pages: ReadonlyMap<string, Page>): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
      if (isCode) return line
      return line.replace(/`[^`]*`|(\]\(\s*<?)([^)\s>]+)(>?(?:\s+"[^"]*")?\s*\))/g, (found, open, href, close) =>
        href === undefined
          ? found
          : `${open}${hrefOf(`${page.address}.md`, targetOf(page, href, pages), '.md')}${close}`,
      )
    })
    .join('\n')
}
