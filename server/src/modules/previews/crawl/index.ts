// Reads a public website: its prose, its feed, what it lists, its colour and its logo. It knows no tenants and keeps nothing.
import type { SiteFault, SiteParts, SiteReading, SiteRequest } from './site-reading.ts'

export type {
  ReadPage,
  SiteBrand,
  SiteFault,
  SiteItem,
  SiteLimits,
  SiteParts,
  SiteProgress,
  SiteReading,
  SiteRequest,
} from './site-reading.ts'

/** Never throws for what a site is or does. The first crawl of a process loads the parsers. */
export async function readSite(parts: SiteParts, request: SiteRequest): Promise<SiteReading | SiteFault> {
  const { crawl } = await import('./crawl.ts')
  return crawl(parts, request)
}
