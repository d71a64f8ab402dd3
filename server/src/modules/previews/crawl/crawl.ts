import { readSiteUrl } from './addresses.ts'
import { openAsking } from './asking.ts'
import { type Home, readColor, readLogo } from './brand/read-brand.ts'
import { findPages } from './find-pages.ts'
import { finish } from './finish.ts'
import { type FirstPage, readFirstPage } from './first-page.ts'
import { openFrontier } from './frontier.ts'
import { readDataEndpoints } from './read-data-endpoints.ts'
import { canonicalOf, readPages } from './read-pages.ts'
import { readSiteFeed } from './read-site-feed.ts'
import type { SiteFault, SiteParts, SiteReading, SiteRequest } from './site-reading.ts'
import { baseOf, refusedPages, takeIn, tell, type Visit } from './visit.ts'

export async function crawl(parts: SiteParts, request: SiteRequest): Promise<SiteReading | SiteFault> {
  const site = readSiteUrl(request.siteUrl)
  if (site === null) return badAddress('invalid_site_url')
  const feed = request.feedUrl === undefined ? undefined : readSiteUrl(request.feedUrl)
  if (feed === null) return badAddress('invalid_feed_url')
  const refused =
    (await refusedAddress(parts, site, 'Site')) ??
    (feed === undefined ? null : await refusedAddress(parts, feed, 'Feed'))
  if (refused !== null) return refused
  const asking = openAsking(parts, request.limits, request.signal)
  const first = await readFirstPage(site, asking, request.limits.feedItems)
  if ('fault' in first) return first
  const visit = openVisit(parts, request, asking, first)
  if (first.kind === 'page') await readSiteFrom(visit, first, feed)
  const reading = await finish(visit)
  const { pages, bytes } = 'fault' in reading ? { pages: [], bytes: asking.bytes() } : reading
  parts.log.info(
    { pages: pages.length, refused: refusedPages(visit), bytes, seconds: asking.seconds() },
    'A website was read.',
  )
  return reading
}

const badAddress = (fault: 'invalid_site_url' | 'invalid_feed_url'): SiteFault => ({
  fault,
  message: 'Give an address with https://, without a user name or password.',
})

/** What the guarded way out would refuse is said before anything is asked. */
async function refusedAddress(parts: SiteParts, url: URL, noun: 'Site' | 'Feed'): Promise<SiteFault | null> {
  const check = await parts.egress.checkAddress(url.href, { noun, purpose: 'crawl' })
  if (check.ok || (check.reason === 'unresolved' && noun === 'Feed')) return null
  if (check.reason === 'unresolved') return { fault: 'preview_empty', reason: 'unreachable', message: check.message }
  return { fault: noun === 'Site' ? 'invalid_site_url' : 'invalid_feed_url', message: check.message }
}

function openVisit(parts: SiteParts, request: SiteRequest, asking: Visit['asking'], first: FirstPage): Visit {
  return {
    parts,
    request,
    asking,
    home: first.url,
    frontier: openFrontier(),
    read: [],
    refused: new Set(),
    feeds: new Set(),
    texts: new Set(),
    items: [],
    endpoints: new Set(),
    feed: first.kind === 'feed' ? first.feed : null,
    feedUrl: first.kind === 'feed' ? first.url.href : null,
    name: first.kind === 'feed' ? first.feed.title || null : null,
    color: null,
    logoUrl: null,
    stoppedAtPageLimit: false,
  }
}

async function readSiteFrom(
  visit: Visit,
  first: Extract<FirstPage, { kind: 'page' }>,
  feed: URL | undefined,
): Promise<void> {
  const { url, html, facts } = first
  const base = baseOf(url, facts.head.base)
  visit.frontier.settle(url.href)
  const canonical = canonicalOf(facts.head.canonical, base, url, url)
  visit.frontier.settle(canonical.href)
  takeIn(visit, { url: canonical, html, depth: 0 }, facts)
  const home: Home = { url, base, facts, allowInsecure: visit.parts.allowInsecure }
  visit.color = await readColor(home, visit.asking)
  visit.logoUrl = await readLogo(home, visit.asking)
  tell(visit)
  if (visit.request.limits.pages > 1) await findPages(visit)
  await readSiteFeed(visit, feed, facts.head.feeds, base)
  await readPages(visit)
  await readDataEndpoints(visit)
}
