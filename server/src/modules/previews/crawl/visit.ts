import { type Block, dataEndpointsIn, type Feed, type PageFacts } from '../webpages/index.ts'
import { pageAddress } from './addresses.ts'
import type { Asking } from './asking.ts'
import { sharedName } from './brand/shared-name.ts'
import type { Frontier } from './frontier.ts'
import type { SiteItem, SiteParts, SiteRequest } from './site-reading.ts'

export type PageRead = {
  readonly url: string
  readonly title: string
  readonly wholeTitle: string
  readonly prose: readonly Block[]
}

/** What one crawl knows so far. */
export type Visit = {
  readonly parts: SiteParts
  readonly request: SiteRequest
  readonly asking: Asking
  /** The address at which the first page was read. */
  readonly home: URL
  readonly frontier: Frontier
  readonly read: PageRead[]
  readonly refused: Set<string>
  /** Announced, whether they are read or not. */
  readonly feeds: Set<string>
  /** What was read, by its text: the same under another address is not read again. */
  readonly texts: Set<string>
  readonly items: SiteItem[]
  readonly endpoints: Set<string>
  feed: Feed | null
  feedUrl: string | null
  name: string | null
  color: string | null
  logoUrl: string | null
  stoppedAtPageLimit: boolean
}

const MOST_ENDPOINTS = 100
const MOST_FEEDS = 1_000
/** For each item that may be kept: the same ones stand on many pages. */
const FOUND_FOR_EACH = 4

export function keep({ items, request }: Visit, found: readonly SiteItem[]): void {
  const room = request.limits.items * FOUND_FOR_EACH - items.length
  for (const item of found.slice(0, Math.max(0, room))) items.push(item)
}

/** Takes in what a page says, and where it leads. False for a page that says what another one did. */
export function takeIn(visit: Visit, page: { url: URL; html: string; depth: number }, facts: PageFacts): boolean {
  const { head, prose } = facts
  const text = prose.map((block) => block.text).join('\n')
  const isNew = text === '' || !visit.texts.has(text)
  visit.texts.add(text)
  if (isNew) visit.read.push({ url: page.url.href, title: head.title, wholeTitle: head.wholeTitle, prose })
  keep(visit, facts.items)
  const base = baseOf(page.url, head.base)
  for (const feed of head.feeds) {
    const url = URL.parse(feed, base)
    if (url !== null && visit.feeds.size < MOST_FEEDS) visit.feeds.add(url.href)
  }
  visit.name ??= visit.read.length === 1 ? facts.siteName : null
  if (isNew) {
    follow(visit, page, facts)
    for (const endpoint of dataEndpointsIn(page.html, page.url)) {
      if (visit.endpoints.size < MOST_ENDPOINTS) visit.endpoints.add(endpoint)
    }
  }
  tell(visit)
  return isNew
}

/** Of the pages: a feed or data is none, also where a link leads to it. */
export const refusedPages = ({ refused, feeds, endpoints }: Visit): number =>
  [...refused].filter((url) => !feeds.has(url) && !endpoints.has(url)).length

/** For each page that may be read. With so many to choose from, more are not looked for. */
const ENOUGH_FOR_A_PAGE = 20

function follow(
  { frontier, home, request }: Visit,
  page: { url: URL; depth: number },
  { links, head }: PageFacts,
): void {
  const base = baseOf(page.url, head.base)
  const enough = request.limits.pages * ENOUGH_FOR_A_PAGE
  for (const link of links) {
    if (frontier.size >= enough) return
    const url = pageAddress(link, base, home)
    if (url !== null) frontier.add(url, { depth: page.depth + 1 })
  }
}

export const baseOf = (page: URL, written: string | null): string =>
  written === null ? page.href : (URL.parse(written, page.href)?.href ?? page.href)

/** How the site calls itself, or else what its titles share. */
export const nameOf = ({ name, read, home }: Visit): string | null =>
  name ??
  sharedName(
    read.map(({ wholeTitle }) => wholeTitle),
    home.hostname,
  )

export function tell(visit: Visit): void {
  const { request, asking, read, color, logoUrl } = visit
  const name = nameOf(visit)
  const brand = color === null && logoUrl === null ? null : { name, color, logoUrl }
  request.onProgress?.({
    pages: read.length,
    refused: refusedPages(visit),
    bytes: asking.bytes(),
    seconds: asking.seconds(),
    name,
    brand,
  })
}
