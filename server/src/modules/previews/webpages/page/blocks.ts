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
const DOUBTFUL = new Set(
  `nav navi navigation navbar menu submenu sidebar footer cookie cookies consent gdpr newsletter subscribe subscription
  breadcrumb breadcrumbs share sharing shares social related recommended recommendations comment comments respond widget promo
  popup modal overlay advert advertisement ads sponsor sponsored toolbar pagination pager tag tags byline login signup skip
  banner teaser teasers trending popular outbrain taboola disqus print rating mostread`.split(/\s+/),
)
const MAIN_IDS = new Set(['content', 'main', 'main-content', 'maincontent'])

type Mark = 'skip' | 'aside' | 'doubtful' | 'article' | 'main' | 'link'
const NO_MARKS: readonly Mark[] = []
const LEVELS = new Map(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name, at) => [name, at + 1]))

/** Gathers the text of a page by block. */
export function gatherBlocks(): BlockList {
  const found: Block[] = []
  const stack: (readonly Mark[])[] = []
  // Pages write the same classes again and again.
  const doubts = new Map<string, boolean>()
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
      const marks = marksOf(tag, isBlock, within, doubts)
      for (const mark of marks) within[mark]++
      stack.push(marks)
      const level = levelOf(tag.name)
      if (level > 0) heading = level
      if (within.skip > 0) return
      if (tag.name === 'br') text += '\n'
      if ((tag.name === 'td' || tag.name === 'th') && text.trim() !== '') text += ' | '
    },
    close(name) {
      const isBlock = !INLINE.has(name)
      if (isBlock && within.skip === 0) flush()
      for (const mark of stack.pop() ?? NO_MARKS) within[mark]--
      if (levelOf(name) > 0) heading = 0
    },
    text(said) {
      if (within.skip > 0) return
      text += said
      if (within.link > 0) linked += said.trim().length
    },
    blocks() {
      flush()
      return found
    },
  }
}

const levelOf = (name: string): number => LEVELS.get(name) ?? 0

type Doubts = Map<string, boolean>

function marksOf(
  { name, attributes }: Tag,
  isBlock: boolean,
  within: Record<Mark, number>,
  doubts: Doubts,
): readonly Mark[] {
  const marks: Mark[] = []
  if (SKIPPED.has(name) || isHidden(name, attributes)) marks.push('skip')
  if (name === 'a') marks.push('link')
  if (name === 'article') marks.push('article')
  const role = attributes.role?.trim().toLowerCase()
  const isPageHeader = name === 'header' && within.main === 0 && within.article === 0
  if (ASIDE_TAGS.has(name) || isPageHeader || (role !== undefined && ASIDE_ROLES.has(role))) marks.push('aside')
  if (name === 'main' || role === 'main' || (attributes.id !== undefined && MAIN_IDS.has(attributes.id)))
    marks.push('main')
  if (isBlock && !NEVER_DOUBTED.has(name) && isDoubtful(attributes, doubts)) marks.push('doubtful')
  return marks.length === 0 ? NO_MARKS : marks
}

const NEVER_DOUBTED = new Set(['body', 'html', 'main', 'article'])

function isDoubtful({ class: classes, id }: Tag['attributes'], doubts: Doubts): boolean {
  if (classes === undefined && id === undefined) return false
  const names = `${(classes ?? '').slice(0, 300)} ${(id ?? '').slice(0, 100)}`
  const known = doubts.get(names)
  if (known !== undefined) return known
  const words = names.toLowerCase().split(/[\s_-]+/)
  const isDoubted = words.some((word) => DOUBTFUL.has(word))
  if (doubts.size < MOST_DOUBTS) doubts.set(names, isDoubted)
  return isDoubted
}

const MOST_DOUBTS = 5_000

function isHidden(name: string, { hidden, style, 'aria-hidden': ariaHidden }: Tag['attributes']): boolean {
  if (hidden === undefined && style === undefined && ariaHidden === undefined) return false
  if (name === 'body' || name === 'html') return false
  if (hidden !== undefined || (style !== undefined && UNSEEN.test(style.slice(0, 1_000)))) return true
  return name !== 'a' && ariaHidden?.trim().toLowerCase() === 'true'
}

const UNSEEN = /display\s{0,3}:\s{0,3}none/i
