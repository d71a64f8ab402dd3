import type { Clock } from '../../../kernel/clock/index.ts'
import type { Egress } from '../../../kernel/egress/index.ts'
import type { Log } from '../../../kernel/log/index.ts'
import type { SiteItem } from '../webpages/index.ts'

export type { SiteItem }

/** A page, or one entry of a feed. */
export type ReadPage = {
  readonly url: string
  readonly title: string
  /** Prose as Markdown: a heading is a line of its own (`## Delivery`). What repeats on most pages is left out. */
  readonly text: string
  readonly isFeed: boolean
}

export type SiteBrand = {
  readonly name: string | null
  /** Six digits of hexadecimal, lower case: `#1f6feb`. */
  readonly color: string | null
  readonly logoUrl: string | null
}

export type SiteReading = {
  /** The origin at which the first page was read. */
  readonly site: string
  /** The first page comes first. The entries of a feed follow the pages. */
  readonly pages: readonly ReadPage[]
  readonly items: readonly SiteItem[]
  readonly brand: SiteBrand
  /** The name that the pages share. */
  readonly name: string | null
  /** At most four titles of pages, or of the feed. */
  readonly topics: readonly string[]
  readonly feedItems: number
  readonly pagesRefusedByRobots: number
  readonly stoppedAtPageLimit: boolean
  readonly bytes: number
}

export type SiteFault = {
  readonly fault: 'invalid_site_url' | 'invalid_feed_url' | 'preview_empty'
  readonly reason?: 'site_challenged' | 'unreachable' | 'robots_refused' | 'too_slow'
  readonly message: string
}

export type SiteLimits = {
  readonly pages: number
  readonly bytesPerPage: number
  /** Of everything that is read: pages, robots.txt, sitemaps, feeds, data. */
  readonly totalBytes: number
  /** What was read by then is kept. */
  readonly timeoutMs: number
  /** Requests at a time to one host, 1 to 4. */
  readonly concurrency: number
  readonly feedItems: number
  readonly dataEndpoints: number
  readonly items: number
}

export type SiteProgress = {
  readonly pages: number
  readonly refused: number
  readonly bytes: number
  readonly seconds: number
  readonly name: string | null
  readonly brand: SiteBrand | null
}

export type SiteParts = {
  readonly egress: Pick<Egress<'crawl'>, 'request' | 'checkAddress'>
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  /** Where a site's owner learns who reads it. */
  readonly publicAddress: string
  /** On whose behalf: crawls of different shares have no socket in common. */
  readonly share: number
  /** True where plain `http:` may be used at all; a logo is taken from https otherwise. */
  readonly allowInsecure: boolean
}

export type SiteRequest = {
  readonly siteUrl: string
  readonly feedUrl?: string
  readonly limits: SiteLimits
  /** Ends the crawl. What was read by then is kept, as at the end of its time. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: SiteProgress) => void
}
