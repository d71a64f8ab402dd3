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
  const around: Tag[] = []
  return {
    open(tag) {
      if (tag.name === 'img' && logos.length < MOST) {
        const src = sourceOf(tag.attributes)
        const isNamed = () => around.slice(-ANCESTORS).some(({ attributes }) => LOGO.test(namesOf(attributes)))
        if (src !== '' && (soundsLikeLogo(tag.attributes, src) || isNamed()))
          logos.push({ src, isAtHome: around.some((one) => one.name === 'header' || isLinkHome(one)) })
      }
      around.push(tag)
    },
    close() {
      around.pop()
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
