import { gatherBlocks } from './blocks.ts'
import { textOf } from './prose.ts'
import { walkAtOnce } from './walk-page.ts'

const LONGEST = 100_000

/** The visible text of a fragment of HTML, such as the description of an item. */
export function textOfHtml(html: string): string {
  const cut = html.slice(0, LONGEST)
  if (!/[<&]/.test(cut)) return cut.replace(/[^\S\n]+/g, ' ').trim()
  const blocks = gatherBlocks()
  walkAtOnce(cut, [blocks])
  return textOf(blocks.blocks())
}
