import { setImmediate } from 'node:timers/promises'
import { isChallenge, readPage } from '../webpages/index.ts'
import { pageAddress } from './addresses.ts'
import { isPage, PAGES, textOf } from './asking.ts'
import { baseOf, takeIn, type Visit } from './visit.ts'

const MOST_AT_ONCE = 4
/** Pages that are gone, or no pages, cost requests, too. */
const MOST_TRIES = 3
/** Of the time: the rest is for the data that the pages name. */
const SHARE_OF_TIME = 0.75
const LOOKED_AT_AFTER = 500

/** Reads on until there is nothing left, or enough, or the time is over. */
export async function readPages(visit: Visit): Promise<void> {
  const { request, asking, frontier, read } = visit
  const { pages, concurrency } = request.limits
  let tries = pages * MOST_TRIES
  while (read.length < pages && tries > 0 && !asking.isOver() && hasTime(visit)) {
    const room = Math.min(Math.max(1, Math.min(MOST_AT_ONCE, concurrency)), pages - read.length, tries)
    const batch = await takeAllowed(visit, room)
    if (batch.length === 0) break
    tries -= batch.length
    await Promise.all(batch.map((next) => readOne(visit, next)))
  }
  visit.stoppedAtPageLimit = read.length >= pages && frontier.size > 0
  if (visit.stoppedAtPageLimit) visit.stoppedAtPageLimit = await isAnyLeft(visit)
}

const hasTime = ({ request, asking, endpoints }: Visit): boolean =>
  endpoints.size === 0 || asking.seconds() * 1000 < request.limits.timeoutMs * SHARE_OF_TIME

type Next = { readonly url: URL; readonly depth: number }

async function takeAllowed(visit: Visit, most: number): Promise<Next[]> {
  const { robots } = await visit.asking.robotsOf(visit.home.origin)
  const batch: Next[] = []
  for (let seen = 1; batch.length < most && !visit.asking.isOver(); seen++) {
    const next = visit.frontier.take()
    if (next === null) break
    if (robots.allows(next.url.href)) batch.push(next)
    else visit.refused.add(next.url.href)
    if (seen % 16 === 0) await setImmediate()
  }
  return batch
}

/** Counts what robots.txt refuses of the rest, too, and whether anything is left that it does not. */
async function isAnyLeft(visit: Visit): Promise<boolean> {
  let isLeft = false
  for (let looked = 0; looked < LOOKED_AT_AFTER && !visit.asking.isOver(); looked++) {
    const before = visit.refused.size
    const allowed = await takeAllowed(visit, 1)
    if (allowed.length > 0) isLeft = true
    else if (visit.refused.size === before) break
  }
  return isLeft
}

async function readOne(visit: Visit, { url, depth }: Next): Promise<void> {
  const { asking, frontier, home } = visit
  const answer = await asking.get(url, { accept: PAGES })
  if (answer.kind === 'robots') visit.refused.add(url.href)
  if (answer.kind !== 'answer' || answer.status < 200 || answer.status >= 300) return
  if (answer.url.href !== url.href && !frontier.settle(answer.url.href)) return
  const html = textOf(answer)
  if (!isPage(answer, html)) return
  const facts = await readPage(html, answer.url.href, answer.isCut)
  if (isChallenge({ ...answer, text: html }, facts.head.wholeTitle, facts.visible)) return
  const canonical = canonicalOf(facts.head.canonical, baseOf(answer.url, facts.head.base), answer.url, home)
  if (canonical.href !== answer.url.href && !frontier.settle(canonical.href)) return
  takeIn(visit, { url: canonical, html, depth }, facts)
}

/** What a page calls its own address. Sites that call every page their first one do not mean it. */
export function canonicalOf(written: string | null, base: string, page: URL, home: URL): URL {
  const url = written === null ? null : pageAddress(written, base, home)
  return url === null || (url.pathname === '/' && url.search === '' && page.pathname !== '/') ? page : url
}
