import { readSitemap } from '../webpages/index.ts'
import { pageAddress } from './addresses.ts'
import type { Visit } from './visit.ts'

const MOST_MAPS = 8
const ENOUGH_WAITING = 2_000
/** Of the time of the crawl: what takes longer is not worth the pages that it would name. */
const SHARE_OF_TIME = 0.3
const UNPACKED = 4

/** Learns the site's pages from its sitemaps: those that robots.txt names, or else the usual one. */
export async function findPages(visit: Visit): Promise<void> {
  const { asking, home, request } = visit
  const { robots } = await asking.robotsOf(home.origin)
  const named = robots.sitemaps.map((written) => mapAddress(written, home)).filter((url) => url !== null)
  const waiting = (named.length > 0 ? named : [new URL('/sitemap.xml', home)]).map((url) => ({ url, mayLead: true }))
  const known = new Set<string>()
  while (known.size < MOST_MAPS && visit.frontier.size < ENOUGH_WAITING) {
    const next = waiting.shift()
    if (next === undefined || asking.seconds() * 1000 > request.limits.timeoutMs * SHARE_OF_TIME) return
    if (known.has(next.url.href)) continue
    known.add(next.url.href)
    const answer = await asking.get(next.url, { accept: 'application/xml,text/xml,*/*;q=0.5' })
    if (answer.kind !== 'answer' || answer.status !== 200 || /html/i.test(answer.type)) continue
    const { pages, maps } = await readSitemap(
      answer.body,
      answer.type,
      next.url.href,
      request.limits.bytesPerPage * UNPACKED,
    )
    for (const { url: written, lastmod } of pages) {
      const url = pageAddress(written, home.href, home)
      if (url !== null) visit.frontier.add(url, { depth: 1, lastmod })
    }
    // An index that names an index leads nowhere.
    if (next.mayLead)
      waiting.push(
        ...maps
          .map((map) => mapAddress(map, home))
          .filter((url) => url !== null)
          .map((url) => ({ url, mayLead: false })),
      )
  }
}

function mapAddress(written: string, home: URL): URL | null {
  const url = URL.parse(written, home.href)
  return url !== null && url.host === home.host && url.protocol === home.protocol && url.username === '' ? url : null
}
