import type { Listener, Tag } from './tag.ts'

export type LogoImage = {
  readonly src: string
  /** In the header of the page, or in the link to its home: where a site has its own, and not those of its partners. */
  readonly isAtHome: boolean
}

const LOGO = /(?:^|[^a-z])logo(?:$|[^a-rt-z]|s?$)|logo(?:type|mark)|sitelogo|brandlogo/i
const ANCESTORS = 4
const MOST = 20

/** The images that a page calls a logo. */
export function gatherLogos(): Listener & { logos(): readonly LogoImage[] } {
  const logos: LogoImage[] = []
  const stack: { isNamed: boolean; isHome: boolean }[] = []
  let home = 0
  const isNamedAround = (): boolean => stack.slice(-ANCESTORS).some(({ isNamed }) => isNamed)
  return {
    open(tag) {
      const { name, attributes } = tag
      if (name === 'img' && logos.length < MOST) {
        const src = sourceOf(attributes)
        if (src !== '' && (soundsLikeLogo(attributes, src) || isNamedAround())) logos.push({ src, isAtHome: home > 0 })
      }
      const isHome = name === 'header' || isLinkHome(tag)
      if (isHome) home++
      stack.push({ isNamed: LOGO.test(namesOf(attributes)), isHome })
    },
    close() {
      if (stack.pop()?.isHome === true) home--
    },
    logos: () => logos,
  }
}

const namesOf = ({ class: classes = '', id = '' }: Tag['attributes']): string =>
  `${classes.slice(0, 200)} ${id.slice(0, 100)}`

const soundsLikeLogo = (attributes: Tag['attributes'], src: string): boolean =>
  LOGO.test(`${namesOf(attributes)} ${(attributes.alt ?? '').slice(0, 100)}`) || LOGO.test(fileOf(src))

const fileOf = (src: string): string =>
  src.startsWith('data:') ? '' : (src.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')

/** What is loaded late has its address elsewhere. */
function sourceOf({ src = '', 'data-src': late = '', 'data-lazy-src': lazy = '' }: Tag['attributes']): string {
  const found = late || lazy || src
  return found.startsWith('data:') || found.length > 2_048 ? '' : found.trim()
}

const isLinkHome = ({ name, attributes: { href = '', rel = '' } }: Tag): boolean =>
  name === 'a' &&
  (/^(?:https?:\/\/[^/?#]{1,253})?\/?$/i.test(href.trim()) || rel.includes('home')) &&
  href.trim() !== ''
