import type { SiteFault, SiteParts, SiteReading, SiteRequest } from './site-reading.ts'

/** @TODO The reading itself follows in the next commits of this branch. */
export function crawl(_parts: SiteParts, request: SiteRequest): Promise<SiteReading | SiteFault> {
  const message = `Nothing could be read at ${request.siteUrl}. Check the address, and try again.`
  return Promise.resolve({ fault: 'preview_empty', reason: 'unreachable', message })
}
