// A site's colour and logo, in the order in which they are believed.
import { decodeText, type Icon, isObject, isOfSite, type PageFacts, withSource } from '../../webpages/index.ts'
import type { Answer, Asking, AskOptions } from '../asking.ts'
import { brandProperty, commonestColor, statedColor } from './css-colors.ts'

const MOST_STYLESHEETS = 2
const LARGE_ICON = 96

export type Home = {
  readonly url: URL
  readonly base: string
  readonly facts: PageFacts
  readonly allowInsecure: boolean
}

export async function readColor(home: Home, asking: Asking): Promise<string | null> {
  const stated = home.facts.head.themeColors.map(statedColor).find((color) => color !== null)
  if (stated !== undefined) return stated
  const inManifest = await manifestColor(home, asking)
  if (inManifest !== null) return inManifest
  const css = [home.facts.css]
  for (const href of home.facts.head.stylesheets.slice(0, MOST_STYLESHEETS)) {
    const answer = await ask(href, home, asking, { accept: 'text/css,*/*;q=0.1' })
    if (answer !== null && !/html/i.test(answer.type))
      css.push(decodeText(answer.body, answer.type || 'text/css; charset=utf-8'))
  }
  const all = css.join('\n')
  return brandProperty(all) ?? commonestColor(all)
}

async function manifestColor(home: Home, asking: Asking): Promise<string | null> {
  const { manifest } = home.facts.head
  const answer =
    manifest === null
      ? null
      : await ask(manifest, home, asking, { accept: 'application/manifest+json,application/json' })
  const read = answer === null ? null : withSource(decodeText(answer.body, answer.type))
  return isObject(read) ? statedColor(read.theme_color) : null
}

/** Only from the site itself, and what its robots.txt allows. */
async function ask(href: string, home: Home, asking: Asking, options: AskOptions): Promise<Answer | null> {
  const url = URL.parse(href, home.base)
  if (url === null || url.protocol !== home.url.protocol || url.username !== '' || !isOfSite(url, home.url)) return null
  const answer = await asking.get(url, options)
  return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300 ? answer : null
}

export async function readLogo(home: Home, asking: Asking): Promise<string | null> {
  const { logos, head } = home.facts
  const own = [...logos.filter(({ isAtHome }) => isAtHome), ...logos.filter(({ isAtHome }) => !isAtHome)]
  for (const written of [...own.map(({ src }) => src), ...iconsOf(head.icons), head.ogLogo]) {
    const url = written === null ? null : logoAddress(written, home)
    if (url !== null) return url
  }
  const favicon = logoAddress('/favicon.ico', home)
  if (favicon === null) return null
  const answer = await asking.get(new URL(favicon), { accept: 'image/*' })
  return answer.kind === 'answer' && answer.status === 200 && !/html/i.test(answer.type) && answer.body.length > 0
    ? favicon
    : null
}

/** A touch icon, or one in SVG, or a large one. */
function iconsOf(icons: readonly Icon[]): string[] {
  const touch = icons
    .filter(({ rel }) => rel.includes('apple-touch-icon'))
    .sort((one, other) => sizeOf(other) - sizeOf(one))
  const drawn = icons.filter(
    ({ rel, type, href }) => !rel.includes('mask') && (type.includes('svg') || /\.svg(?:[?#]|$)/i.test(href)),
  )
  const large = icons
    .filter((icon) => !icon.rel.includes('mask') && sizeOf(icon) >= LARGE_ICON)
    .sort((one, other) => sizeOf(other) - sizeOf(one))
  return [...touch, ...drawn, ...large].map(({ href }) => href)
}

const sizeOf = ({ sizes }: Icon): number => Number.parseInt(/^(\d{1,4})x/i.exec(sizes.trim())?.[1] ?? '0', 10)

function logoAddress(written: string, { base, allowInsecure }: Home): string | null {
  const url = URL.parse(written, base)
  if (url === null || url.username !== '' || url.password !== '' || url.href.length > 2_048) return null
  return url.protocol === 'https:' || (allowInsecure && url.protocol === 'http:') ? url.href : null
}
