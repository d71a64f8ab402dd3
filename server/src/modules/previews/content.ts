// What a crawl brought, as it is kept: one text of everything, and where in it each page, entry and item stands.
import { setImmediate } from 'node:timers/promises'
import { inTurns, turnOf } from '../../kernel/json/index.ts'
import {
  cutText,
  foundBy,
  MOST_CHUNKS,
  openSegment,
  packSegment,
  type Segment,
  type TextFormat,
} from '../../kernel/search/index.ts'
import type { ReadPage, SiteItem, SiteReading } from './crawl/index.ts'
import type { PreviewValues } from './queries.ts'

export type HeldPart = { readonly kind: 'page' | 'feed'; readonly title: string; readonly url: string }

/** From, to, and where it begins if it repeats the end of the one before; the number of its part, and the headings above it. */
type Bounds = readonly [from: number, to: number, begins: number, part: number, heading: string | null]

type Content = { readonly text: string; readonly parts: readonly HeldPart[]; readonly chunks: readonly Bounds[] }

export type HeldPreview = Content & {
  readonly segment: Segment
  /** About how many bytes of memory it takes. */
  readonly weight: number
}

type Cut = { readonly chunkChars: number; readonly chunkOverlapChars: number }

export type Packed = Pick<PreviewValues, 'content' | 'segment' | 'chunks'>

/** In units of text. One part alone yields by itself, and many small ones do here. */
const A_TURN = 60_000

/** Everything that a question needs is made here, once, so that answering only reads. */
export async function packReading({ pages, items }: Pick<SiteReading, 'pages' | 'items'>, cut: Cut): Promise<Packed> {
  const size = { chars: cut.chunkChars, overlap: Math.min(cut.chunkOverlapChars, Math.floor(cut.chunkChars / 2)) }
  const isEnough = turnOf(A_TURN)
  const parts: HeldPart[] = []
  const chunks: Bounds[] = []
  const found: string[] = []
  let whole = ''
  const add = async (part: HeldPart, format: TextFormat, text: string, hints = '') => {
    const own = await inTurns(cutText(text, format, size))
    if (own.length === 0 || chunks.length + own.length > MOST_CHUNKS) return
    for (const chunk of own) {
      const { from, to, begins, heading } = chunk
      chunks.push([whole.length + from, whole.length + to, whole.length + begins, parts.length, heading])
      found.push(`${foundBy(part.title, text, chunk)}${hints}`)
    }
    parts.push(part)
    whole += text
    if (isEnough(text.length)) await setImmediate()
  }
  // Items come first: what a page says of one in prose is often older than what it states.
  for (const item of items) {
    await add({ kind: 'page', title: item.name, url: item.url }, 'text', textOfItem(item), hintsOf(item))
  }
  for (const page of pages) await add(partOf(page), 'markdown', page.text)
  const content: Content = { text: whole, parts, chunks }
  return { content: JSON.stringify(content), segment: await inTurns(packSegment(found)), chunks: chunks.length }
}

const partOf = ({ isFeed, title, url }: ReadPage): HeldPart => ({
  kind: isFeed ? 'feed' : 'page',
  title: title || url,
  url,
})

/** Price, currency and availability stand as the page states them. What it does not state is not there. */
export function textOfItem({ name, price, currency, availability, description, url }: SiteItem): string {
  const worth = price === null ? null : currency === null || price.includes(currency) ? price : `${price} ${currency}`
  const lines = [worth === null ? name : `${name}: ${worth}`, availability, url, description]
  return lines.filter((line) => line !== null && line !== '').join('\n')
}

/** The words with which people ask for what an item states in figures. They find it, and are not shown. */
function hintsOf({ price, availability }: SiteItem): string {
  const asked = [
    ...(price === null ? [] : ['price cost ფასი ღირს']),
    ...(availability === null ? [] : ['stock available availability მარაგი გაყიდვაში']),
  ]
  return asked.map((line) => `\n${line}`).join('')
}

/** Reads a row. An index that an older release packed is made again. */
export async function openContent(content: string, packed: Uint8Array): Promise<HeldPreview> {
  // The cast is true because only `packReading` writes the column.
  const { text, parts, chunks } = JSON.parse(content) as Content
  const segment =
    openSegment(new Uint8Array(packed)) ?? openSegment(await inTurns(packSegment(foundAgain({ text, parts, chunks }))))
  if (segment === undefined) throw new Error('A segment that this release packed does not open.')
  return { text, parts, chunks, segment, weight: packed.byteLength + 2 * text.length + 64 * chunks.length + 512 }
}

const foundAgain = ({ text, parts, chunks }: Content): string[] =>
  chunks.map(([from, to, begins, part, heading]) =>
    foundBy(parts[part]?.title ?? '', text, { from, to, begins, heading }),
  )
