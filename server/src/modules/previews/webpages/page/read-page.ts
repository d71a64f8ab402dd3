import { parseJsonLd } from '../items/json-ld.ts'
import { itemsOfLinkedData } from '../items/linked-data.ts'
import { itemsOfPlainData } from '../items/plain-data.ts'
import { siteNameIn } from '../items/site-name.ts'
import type { SiteItem } from '../site-item.ts'
import { type Block, gatherBlocks } from './blocks.ts'
import { type PageHead, readHead } from './head.ts'
import { gatherLinks } from './links.ts'
import { gatherLogos, type LogoImage } from './logos.ts'
import { gatherMicrodata } from './microdata.ts'
import { charsOf, proseOf } from './prose.ts'
import { gatherScripts } from './scripts.ts'
import { withoutHalfTag } from './text-of-html.ts'
import { walkPage } from './walk-page.ts'

export type PageFacts = {
  readonly head: PageHead
  readonly prose: readonly Block[]
  /** How much of it a person would see, in characters. */
  readonly visible: number
  readonly links: readonly string[]
  readonly logos: readonly LogoImage[]
  readonly css: string
  readonly items: readonly SiteItem[]
  readonly siteName: string | null
}

/** Everything that a crawl wants of a page, from one pass over it. `isCut`: its end is missing. */
export async function readPage(html: string, address: string, isCut: boolean): Promise<PageFacts> {
  const [blocks, head, links, logos, microdata, scripts] = [
    gatherBlocks(),
    readHead(),
    gatherLinks(),
    gatherLogos(),
    gatherMicrodata(),
    gatherScripts(),
  ]
  await walkPage(isCut ? withoutHalfTag(html) : html, [blocks, head, links, logos, microdata, scripts])
  const found = blocks.blocks()
  const { jsonLd, nextData, css } = scripts.scripts()
  const linked = jsonLd.map(parseJsonLd).filter((value) => value !== undefined)
  const items = [
    ...linked.flatMap((value) => itemsOfLinkedData(value, address, 'json-ld')),
    ...itemsOfLinkedData(microdata.items(), address, 'microdata'),
    // The data of a page that was cut are cut, too.
    ...(nextData === null || isCut ? [] : itemsOfPlainData(parseJsonLd(nextData), address, 'next-data')),
  ]
  const facts = head.head()
  return {
    head: facts,
    prose: proseOf(found),
    visible: charsOf(found),
    links: links.links(),
    logos: logos.logos(),
    css,
    items,
    siteName: facts.siteName ?? siteNameIn(linked),
  }
}
