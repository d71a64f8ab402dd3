import { collapsed, type Listener, type Tag } from './tag.ts'

/** The text between two block tags, and where it stands. */
export type Block = {
  readonly text: string
  /** The share of its characters that is inside links. */
  readonly linked: number
  /** 1 to 6, or 0 for what is not a heading. */
  readonly heading: number
  /** Navigation, a footer, an aside: by its tag or role. */
  readonly isAside: boolean
  /** By a class or an id that only sounds so. */
  readonly isDoubtful: boolean
  readonly isInArticle: boolean
  readonly isInMain: boolean
}

export type BlockList = Listener & { blocks(): readonly Block[] }

const MOST_BLOCKS = 20_000
const SKIPPED = new Set(
  'script style noscript template svg math iframe object select option button dialog textarea title canvas'.split(' '),
)
const INLINE = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark meter nobr output picture q rp rt ruby s samp small source span strike strong sub sup time tt u var wbr input link meta td th'.split(
    ' ',
  ),
)
const ASIDE_TAGS = new Set(['nav', 'footer', 'aside'])
const ASIDE_ROLES = new Set(
  'navigation banner contentinfo search dialog alertdialog menu menubar complementary'.split(' '),
)
const DOUBTFUL =
  /(?:^|[\s_-])(?:nav|navi|navigation|navbar|menu|submenu|sidebar|footer|cookies?|consent|gdpr|newsletter|subscribe|subscription|breadcrumbs?|share|sharing|shares|social|related|recommended|recommendations|comments?|respond|widget|promo|popup|modal|overlay|advert|advertisement|ads|sponsor|sponsored|toolbar|pagination|pager|tags?|byline|login|signup|skip|banner|teaser|teasers|trending|popular|outbrain|taboola|disqus|print|rating|author-bio|see-also|more-news|mostread|most-read)(?:$|[\s_-])/i
const MAIN_IDS = new Set(['content', 'main', 'main-content', 'maincontent'])

type Mark = 'skip' | 'aside' | 'doubtful' | 'article' | 'main' | 'link'
type Open = { readonly name: string; readonly marks: readonly Mark[] }

/** Gathers the text of a page by block. */
export function gatherBlocks(): BlockList {
  const found: Block[] = []
  const stack: Open[] = []
  const within: Record<Mark, number> = { skip: 0, aside: 0, doubtful: 0, article: 0, main: 0, link: 0 }
  let [text, linked, heading] = ['', 0, 0]

  const flush = (): void => {
    const said = collapsed(text)
    if (said !== '' && found.length < MOST_BLOCKS) {
      found.push({
        text: said,
        linked: Math.min(1, linked / said.length),
        heading,
        isAside: within.aside > 0,
        isDoubtful: within.doubtful > 0,
        isInArticle: within.article > 0,
        isInMain: within.main > 0,
      })
    }
    text = ''
    linked = 0
  }
  return {
    open(tag) {
      const isBlock = !INLINE.has(tag.name)
      if (isBlock && within.skip === 0) flush()
      const marks = marksOf(tag, isBlock, within)
      for (const mark of marks) within[mark]++
      stack.push({ name: tag.name, marks })
      const level = levelOf(tag.name)
      if (level > 0) heading = level
      if (within.skip > 0) return
      if (tag.name === 'br') text += '\n'
      if ((tag.name === 'td' || tag.name === 'th') && text.trim() !== '') text += ' | '
    },
    close(name) {
      const isBlock = !INLINE.has(name)
      if (isBlock && within.skip === 0) flush()
      for (const mark of stack.pop()?.marks ?? []) within[mark]--
      if (levelOf(name) > 0) heading = 0
    },
    text(said) {
      if (within.skip > 0) return
      text += said
      if (within.link > 0) linked += collapsed(said).length
    },
    blocks() {
      flush()
      return found
    },
  }
}

const levelOf = (name: string): number => (/^h[1-6]$/.test(name) ? Number(name[1]) : 0)

function marksOf({ name, attributes }: Tag, isBlock: boolean, within: Record<Mark, number>): Mark[] {
  const marks: Mark[] = []
  if (SKIPPED.has(name) || isHidden(name, attributes)) marks.push('skip')
  const role = attributes.role?.trim().toLowerCase() ?? ''
  const isPageHeader = name === 'header' && within.main === 0 && within.article === 0
  if (ASIDE_TAGS.has(name) || isPageHeader || ASIDE_ROLES.has(role)) marks.push('aside')
  if (name === 'article') marks.push('article')
  if (name === 'main' || role === 'main' || MAIN_IDS.has(attributes.id ?? '')) marks.push('main')
  if (name === 'a') marks.push('link')
  if (
    isBlock &&
    name !== 'body' &&
    name !== 'html' &&
    name !== 'main' &&
    name !== 'article' &&
    soundsDoubtful(attributes)
  )
    marks.push('doubtful')
  return marks
}

const soundsDoubtful = (attributes: Tag['attributes']): boolean =>
  DOUBTFUL.test(`${(attributes.class ?? '').slice(0, 300)} ${(attributes.id ?? '').slice(0, 100)}`)

function isHidden(name: string, attributes: Tag['attributes']): boolean {
  if (name === 'body' || name === 'html') return false
  if (attributes.hidden !== undefined || /display\s{0,3}:\s{0,3}none/i.test((attributes.style ?? '').slice(0, 1_000)))
    return true
  return name !== 'a' && attributes['aria-hidden']?.trim().toLowerCase() === 'true'
}
