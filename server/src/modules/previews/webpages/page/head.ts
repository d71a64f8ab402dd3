import { collapsed, type Listener, type Tag, wordsOf } from './tag.ts'

export type Icon = { readonly href: string; readonly rel: string; readonly type: string; readonly sizes: string }

/** What a page says of itself in its head, with addresses as written. */
export type PageHead = {
  readonly title: string
  /** Of its `title` alone, with the site's name and whatever else stands there. */
  readonly wholeTitle: string
  readonly headline: string
  readonly language: string | null
  readonly base: string | null
  readonly canonical: string | null
  readonly manifest: string | null
  readonly feeds: readonly string[]
  readonly stylesheets: readonly string[]
  readonly icons: readonly Icon[]
  /** First those that hold for a light page. */
  readonly themeColors: readonly string[]
  readonly siteName: string | null
  readonly ogLogo: string | null
  readonly description: string | null
}

const FEED_TYPE = /^application\/(?:rss|atom|rdf)\+xml\s*(?:;|$)|^application\/feed\+json\s*(?:;|$)/i
const LONGEST_ADDRESS = 2_048
const MOST = 50

type Metas = Map<string, string>

export function readHead(): Listener & { head(): PageHead } {
  const metas: Metas = new Map()
  const [feeds, stylesheets, icons, light, dark]: [string[], string[], Icon[], string[], string[]] = [
    [],
    [],
    [],
    [],
    [],
  ]
  const once: { language?: string | undefined; base?: string | undefined; canonical?: string; manifest?: string } = {}
  let [title, headline, within] = ['', '', '' as '' | 'title' | 'h1']
  let isTitleRead = false

  const readLink = ({ rel = '', href, type = '', sizes = '' }: Tag['attributes']): void => {
    if (href === undefined || href.length > LONGEST_ADDRESS) return
    const rels = wordsOf(rel)
    if (rels.includes('canonical')) once.canonical ??= href.trim()
    if (rels.includes('manifest')) once.manifest ??= href.trim()
    if (
      rels.includes('alternate') &&
      !rels.includes('stylesheet') &&
      FEED_TYPE.test(type.trim()) &&
      feeds.length < MOST
    )
      feeds.push(href.trim())
    if (rels.includes('stylesheet') && !rels.includes('alternate') && stylesheets.length < MOST)
      stylesheets.push(href.trim())
    if (rels.some((one) => one.includes('icon')) && icons.length < MOST)
      icons.push({ href: href.trim(), rel: rels.join(' '), type, sizes })
  }
  const readMeta = ({ name, property, content = '', media }: Tag['attributes']): void => {
    const key = (name ?? property ?? '').trim().toLowerCase()
    if (key === 'theme-color')
      (media === undefined || media.includes('light') ? light : dark).push(content.slice(0, 100))
    if (key !== '' && !metas.has(key) && metas.size < 500) metas.set(key, content.slice(0, 2_000).trim())
  }
  return {
    open({ name, attributes }) {
      if (name === 'link') readLink(attributes)
      else if (name === 'meta') readMeta(attributes)
      else if (name === 'base') once.base ??= attributes.href?.slice(0, LONGEST_ADDRESS)
      else if (name === 'html') once.language ??= attributes.lang?.slice(0, 40)
      // A picture in SVG has titles, too.
      else if (name === 'title' && !isTitleRead) within = 'title'
      else if (name === 'h1' && headline.trim() === '') within = 'h1'
    },
    close(name) {
      if (name === 'title') isTitleRead = true
      if (name === within) within = ''
    },
    text(text) {
      if (within === 'title' && title.length < 1_000) title += text
      else if (within === 'h1' && headline.length < 1_000) headline += text
    },
    head: () => ({
      ...saidOf(metas, collapsed(title), collapsed(headline)),
      language: once.language ?? null,
      base: once.base ?? null,
      canonical: once.canonical ?? null,
      manifest: once.manifest ?? null,
      feeds,
      stylesheets,
      icons,
      themeColors: [...light, ...dark],
    }),
  }
}

const saidOf = (metas: Metas, title: string, headline: string) => ({
  title: titleOf(metas, title, headline),
  wholeTitle: title,
  headline,
  siteName: metas.get('og:site_name') || metas.get('application-name') || null,
  ogLogo: metas.get('og:logo') || null,
  description: metas.get('description') || metas.get('og:description') || null,
})

const LONGEST_TITLE = 300
const BETWEEN = /\s+[|\-–—»·•]\s+/

/** Its own title for sharing, or else the part of `title` that is not the name of the site: the headline, or the longest. */
function titleOf(metas: Metas, title: string, headline: string): string {
  const shared = collapsed(metas.get('og:title') ?? '')
  return (shared || ownPart(title, headline) || headline).slice(0, LONGEST_TITLE)
}

function ownPart(title: string, headline: string): string {
  const parts = title.split(BETWEEN)
  const wanted = headline.toLowerCase()
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  return parts.find((part) => part.toLowerCase() === wanted) ?? longest
}

/** Without the name of the site at either end, once it is known. */
export function titleWithout(name: string | null, title: string, whole: string): string {
  if (name === null) return title
  const parts = (title === name ? whole : title)
    .split(BETWEEN)
    .filter((part) => part.toLowerCase() !== name.toLowerCase())
  return parts.length === 0 ? title : parts.join(' - ').slice(0, LONGEST_TITLE)
}
