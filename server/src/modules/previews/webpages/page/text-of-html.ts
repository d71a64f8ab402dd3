import { gatherBlocks } from './blocks.ts'
import { textOf } from './prose.ts'
import { walkAtOnce } from './walk-page.ts'

const LONGEST = 100_000

/** The visible text of a fragment of HTML, such as the description of an item. */
export function textOfHtml(html: string): string {
  const cut = html.length > LONGEST ? withoutHalfTag(html.slice(0, LONGEST)) : html
  if (!/[<&]/.test(cut)) return cut.replace(/[^\S\n]+/g, ' ').trim()
  const blocks = gatherBlocks()
  walkAtOnce(cut, [blocks])
  return textOf(blocks.blocks())
}

/** Of what was cut off: without the tag in which that happened. */
export function withoutHalfTag(html: string): string {
  const last = html.lastIndexOf('<')
  return last > html.lastIndexOf('>') ? html.slice(0, last) : html
}
