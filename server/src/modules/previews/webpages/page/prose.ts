import type { Block } from './blocks.ts'

/** With less the rules have taken the page itself, so that everything visible counts. */
const LEAST = 200
const MOSTLY_LINKS = 0.5
const LEAST_ARTICLE = 400
const ARTICLE_SHARE = 0.4
const UNDOUBTED_SHARE = 0.3
const LONGEST_LABEL = 60
const LEAST_LEAD = 150
const SELDOM_LINKED = 0.1

/** The blocks of a page that say what the page is about. */
export function proseOf(blocks: readonly Block[]): readonly Block[] {
  const own = blocks.filter((block, at) => isOwn(block) && !isLabelOfLinks(blocks, at))
  const prose = withoutLoneHeadings(mainPart(withoutDoubtful(own)))
  return charsOf(prose) >= LEAST ? prose : blocks
}

const isOwn = (block: Block): boolean => !block.isAside && (block.linked < MOSTLY_LINKS || block.heading > 0)

/** "You may also like:" says nothing without the links that it announces. */
function isLabelOfLinks(blocks: readonly Block[], at: number): boolean {
  const [label, first, second] = blocks.slice(at, at + 3)
  if (label === undefined || label.text.length > LONGEST_LABEL || /[.!?]$/.test(label.text)) return false
  return [first, second].every((block) => block !== undefined && block.heading === 0 && block.linked >= MOSTLY_LINKS)
}

/** A class must never empty a page: what sounds like a menu goes only if enough is left without it. */
function withoutDoubtful(blocks: readonly Block[]): readonly Block[] {
  const certain = blocks.filter(({ isDoubtful }) => !isDoubtful)
  const left = charsOf(certain)
  return left >= LEAST && left >= UNDOUBTED_SHARE * charsOf(blocks) ? certain : blocks
}

/** The article, or else what calls itself the main part, if most of the page is there; and what leads up to it. */
function mainPart(blocks: readonly Block[]): readonly Block[] {
  const all = charsOf(blocks)
  for (const isIn of [(block: Block) => block.isInArticle, (block: Block) => block.isInMain]) {
    const chars = charsOf(blocks.filter(isIn))
    if (chars < LEAST_ARTICLE || chars <= ARTICLE_SHARE * all) continue
    const first = blocks.findIndex(isIn)
    return blocks.filter((block, at) => isIn(block) || (at < first && isLead(block)))
  }
  return blocks
}

const isLead = ({ heading, text, linked, isDoubtful }: Block): boolean =>
  heading === 0 && text.length >= LEAST_LEAD && linked < SELDOM_LINKED && !isDoubtful

/** Drops a heading that no text follows before the next heading of its own or a higher level. */
export function withoutLoneHeadings(blocks: readonly Block[]): readonly Block[] {
  // By level: whether text was seen since the last heading, from the end, that would close this one.
  const hasText = Array<boolean>(7).fill(false)
  const kept = [...blocks].reverse().filter(({ heading }) => {
    if (heading === 0) hasText.fill(true)
    const isKept = hasText[heading] === true
    if (heading > 0) hasText.fill(false, heading)
    return isKept
  })
  return kept.reverse()
}

export const charsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0)

/** Markdown: a heading is a line of its own with its marks, and a blank line stands between blocks. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.map(({ text, heading }) => (heading === 0 ? text : `${'#'.repeat(heading)} ${text}`)).join('\n\n')
