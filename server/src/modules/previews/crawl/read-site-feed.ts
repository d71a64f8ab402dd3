import { isOfSite, readFeed } from '../webpages/index.ts'
import { textOf } from './asking.ts'
import type { Visit } from './visit.ts'

const FEEDS = 'application/rss+xml,application/atom+xml,application/xml,text/xml,application/feed+json,*/*;q=0.5'
const MOST_TRIED = 2

/** The feed that was named, wherever it is, or else the first one on the same site that the first page announces. */
export async function readSiteFeed(
  visit: Visit,
  named: URL | undefined,
  announced: readonly string[],
  base: string,
): Promise<void> {
  const own = announced.map((href) => URL.parse(href, base)).filter((url) => url !== null && isOfSite(url, visit.home))
  for (const url of named === undefined ? own.slice(0, MOST_TRIED) : [named]) {
    if (url === null || url.username !== '') continue
    url.hash = ''
    const answer = await visit.asking.get(url, { accept: FEEDS, mayMove: named !== undefined })
    if (answer.kind !== 'answer' || answer.status !== 200) continue
    const feed = await readFeed(textOf(answer), answer.url.href, visit.request.limits.feedItems, visit.request.signal)
    if (feed === null) continue
    visit.feed = feed
    visit.feedUrl = answer.url.href
    return
  }
}
