import { inTurns } from '../../../kernel/json/index.ts'
import { distinctItems, type Feed, type FeedEntry, textOf, titleWithout, withoutRepeated } from '../webpages/index.ts'
import type { ReadPage, SiteFault, SiteItem, SiteReading } from './site-reading.ts'
import { nameOf, refusedPages, type Visit } from './visit.ts'

const MOST_TOPICS = 4

/** What the visit came to. */
export async function finish(visit: Visit): Promise<SiteReading | SiteFault> {
  const { home, read, feed, request, asking } = visit
  const name = nameOf(visit)
  const prose = await inTurns(withoutRepeated(read.map((page) => page.prose)))
  const pages = read
    .map(
      ({ url, title, wholeTitle }, at): ReadPage => ({
        url,
        title: titleWithout(name, title, wholeTitle),
        text: textOf(prose[at] ?? []).toWellFormed(),
        isFeed: false,
      }),
    )
    .filter(({ text }) => text !== '')
  const entries = feed === null ? [] : feed.entries.slice(0, request.limits.feedItems)
  const address = visit.feedUrl ?? home.href
  const items = distinctItems(
    [...visit.items, ...entries.flatMap((entry) => itemOfEntry(entry, address))],
    request.limits.items,
  )
  const all = [...pages, ...entries.flatMap((entry) => pageOfEntry(entry, address))]
  if (all.length === 0 && items.length === 0) return nothingRead(visit)
  return {
    site: home.origin,
    pages: all,
    items,
    brand: { name, color: visit.color, logoUrl: visit.logoUrl },
    name,
    topics: topicsOf(pages, feed, name),
    feedItems: entries.length,
    pagesRefusedByRobots: refusedPages(visit),
    stoppedAtPageLimit: visit.stoppedAtPageLimit,
    bytes: asking.bytes(),
  }
}

function nothingRead({ home, asking, request }: Visit): SiteFault {
  const isLate = asking.seconds() * 1000 >= request.limits.timeoutMs
  const why = isLate ? ({ reason: 'too_slow' } as const) : {}
  const message = `Nothing readable was found at ${home.href}. A page that only scripts fill has no text for a reader like this: give a page with text, or a feed.`
  return { fault: 'preview_empty', ...why, message }
}

/** What has a price is an item, and whatever else a feed brings is to be read. */
function itemOfEntry(entry: FeedEntry, address: string): SiteItem[] {
  const { title, url, summary, content, price, currency, availability, image } = entry
  if (price === null || title === '') return []
  const description = (summary || content).slice(0, 2_000) || null
  return [
    {
      url: webAddress(url) ?? address,
      name: title,
      description,
      price,
      currency,
      availability,
      image: webAddress(image),
      from: 'feed',
    },
  ]
}

function pageOfEntry({ title, url, summary, content, price }: FeedEntry, address: string): ReadPage[] {
  const text = (content || summary || title).toWellFormed()
  if (text === '' || (price !== null && title !== '')) return []
  return [{ url: webAddress(url) ?? address, title, text, isFeed: true }]
}

const webAddress = (url: string | null): string | null => (url !== null && /^https?:\/\//.test(url) ? url : null)

function topicsOf(pages: readonly ReadPage[], feed: Feed | null, name: string | null): string[] {
  const titles = [
    ...pages.map(({ title }) => title),
    feed?.title ?? '',
    ...(feed?.entries ?? []).map(({ title }) => title),
  ]
  const own = [...new Set(titles.map((title) => title.trim()).filter((title) => title !== '' && title !== name))]
  return own.slice(0, MOST_TOPICS)
}
