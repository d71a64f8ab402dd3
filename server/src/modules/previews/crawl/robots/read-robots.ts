// robots.txt by RFC 9309, as Google's own parser reads it where the standard leaves something open.
import { compilePattern, normalPath, type Pattern } from './pattern.ts'

export type Robots = {
  /** Whether the address may be read. */
  allows(url: string): boolean
  /** The addresses of `Sitemap` lines, as written. */
  readonly sitemaps: readonly string[]
}

export const ALL_ALLOWED: Robots = { allows: () => true, sitemaps: [] }
export const NONE_ALLOWED: Robots = { allows: () => false, sitemaps: [] }

type Rule = Pattern & { readonly isAllow: boolean }

const MOST_SITEMAPS = 50
const MOST_PARTS = 50_000
const AGENT_KEYS = new Set(['user-agent', 'useragent', 'user agent'])
const ALLOW_KEYS = new Set(['allow'])
// People misspell it in these ways, and mean it.
const DISALLOW_KEYS = new Set(['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'])
const SITEMAP_KEYS = new Set(['sitemap', 'site-map'])

/** `agent` is the product token by which the file may name us. */
export function readRobots(text: string, agent: string): Robots {
  const wanted = agent.toLowerCase()
  const [ours, everybodys, sitemaps] = [[] as Rule[], [] as Rule[], [] as string[]]
  let [namesUs, namesAll, isNamed, isListing] = [false, false, false, false]
  for (const [key, value] of linesOf(text)) {
    if (AGENT_KEYS.has(key)) {
      // Only a rule ends a list of agents, so that what stands between them (Sitemap, Crawl-delay) does not.
      if (!isListing) [namesUs, namesAll, isListing] = [false, false, true]
      if (/^\*(?:\s|$)/.test(value)) namesAll = true
      else if (tokenOf(value) === wanted) [namesUs, isNamed] = [true, true]
    } else if (ALLOW_KEYS.has(key) || DISALLOW_KEYS.has(key)) {
      isListing = false
      if (value === '' || !(namesUs || namesAll)) continue
      for (const rule of rulesOf(value, ALLOW_KEYS.has(key))) {
        if (namesUs) ours.push(rule)
        if (namesAll) everybodys.push(rule)
      }
    } else if (SITEMAP_KEYS.has(key) && sitemaps.length < MOST_SITEMAPS) sitemaps.push(value)
  }
  // A group that names us stands alone, even one without a rule.
  const rules = (isNamed ? ours : everybodys).sort(strongestFirst)
  // What is more than anybody means is not worked through for each page. It refuses, because it may.
  if (rules.reduce((sum, { parts }) => sum + parts, 0) > MOST_PARTS) return NONE_ALLOWED
  return {
    sitemaps,
    allows(url) {
      const path = normalPath(url)
      return rules.find((rule) => rule.matches(path))?.isAllow ?? true
    },
  }
}

/** Whoever allows a folder's index page means the folder, too. */
function rulesOf(pattern: string, isAllow: boolean): Rule[] {
  const rule = { ...compilePattern(pattern), isAllow }
  const slash = pattern.lastIndexOf('/')
  if (!isAllow || !pattern.startsWith('/index.htm', slash)) return [rule]
  return [rule, { ...compilePattern(`${pattern.slice(0, slash + 1)}$`), isAllow }]
}

/** The longest pattern decides, and on a tie the one that allows. */
const strongestFirst = (one: Rule, other: Rule): number =>
  other.length - one.length || Number(other.isAllow) - Number(one.isAllow)

/** What of a line's value is a name: `tetherpreview/1` names us, too. */
const tokenOf = (value: string): string | undefined => /^[a-z_-]+/i.exec(value.slice(0, 200))?.[0].toLowerCase()

function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  for (const line of bare.split(/\r\n|\n|\r/)) {
    const hash = line.indexOf('#')
    const said = hash === -1 ? line : line.slice(0, hash)
    const colon = said.indexOf(':')
    if (colon !== -1) yield [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]
  }
}
