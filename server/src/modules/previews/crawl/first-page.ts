import { type Feed, isChallenge, type PageFacts, readFeed, readPage } from '../webpages/index.ts'
import { type Answer, type Asking, isPage, type NoAnswer, PAGES, textOf } from './asking.ts'
import type { SiteFault } from './site-reading.ts'

export type FirstPage =
  | { readonly kind: 'page'; readonly url: URL; readonly html: string; readonly facts: PageFacts }
  | { readonly kind: 'feed'; readonly url: URL; readonly feed: Feed }

/** The page that everything hangs on, or why there is none. */
export async function readFirstPage(site: URL, asking: Asking, feedItems: number): Promise<FirstPage | SiteFault> {
  const answer = await asking.get(site, { accept: `${PAGES},*/*;q=0.1`, mayMove: true, isPatient: true })
  if (answer.kind !== 'answer') return faultOf(answer, site)
  const html = textOf(answer)
  const facts = await readPage(html, answer.url.href, answer.isCut)
  if (isChallenge({ ...answer, text: html }, facts.head.wholeTitle, facts.visible)) return challenged(site)
  if (answer.status < 200 || answer.status >= 300) {
    const message = `${site.host} answered the first page with status ${answer.status}. Give the address of a page that everybody can open.`
    return { fault: 'preview_empty', reason: 'unreachable', message }
  }
  if (isPage(answer, html)) return { kind: 'page', url: answer.url, html, facts }
  const feed = await readFeed(html, answer.url.href, feedItems)
  if (feed !== null) return { kind: 'feed', url: answer.url, feed }
  const message = `${site.host} answered with ${kindOf(answer)}, which is no page. Give the address of a page.`
  return { fault: 'preview_empty', message }
}

const kindOf = ({ type }: Answer): string =>
  (/^[\w.+/-]{1,60}/.exec(type)?.[0] ?? '') ? `"${/^[\w.+/-]{1,60}/.exec(type)?.[0]}"` : 'something'

const challenged = (site: URL): SiteFault => ({
  fault: 'preview_empty',
  reason: 'site_challenged',
  message: `${site.host} asks visitors to prove that they are no robots, and this service does not try to. Let its crawler (TetherPreview) in, or give a feed of the site.`,
})

function faultOf({ kind, message }: NoAnswer, { host }: URL): SiteFault {
  if (kind === 'robots')
    return {
      fault: 'preview_empty',
      reason: 'robots_refused',
      message: `The robots.txt of ${host} does not allow this page to be read. Allow "TetherPreview" there, then try again.`,
    }
  if (kind === 'slow' || kind === 'spent')
    return {
      fault: 'preview_empty',
      reason: 'too_slow',
      message: `${host} did not send its first page in time. Try again when the site is faster.`,
    }
  return { fault: 'preview_empty', reason: 'unreachable', message: `${host} could not be read. ${message}` }
}
