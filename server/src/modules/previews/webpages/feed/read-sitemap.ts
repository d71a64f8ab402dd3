import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { decodeText } from '../charset.ts'
import { elementsOf, readXml, textIn, type XmlElement } from './xml-tree.ts'

export type Sitemap = {
  readonly pages: readonly { readonly url: string; readonly lastmod: number }[]
  /** The maps that an index names. */
  readonly maps: readonly string[]
}

const MOST_PAGES = 5_000
const COUNTED = new Set(['url', 'sitemap'])
const NOTHING: Sitemap = { pages: [], maps: [] }
const unpack = promisify(gunzip)

/** Reads a sitemap, or an index of them, packed or not. The end may be missing. */
export async function readSitemap(bytes: Buffer, type: string, address: string, maxBytes: number): Promise<Sitemap> {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await unpacked(bytes, maxBytes) : bytes
  const text = decodeText(plain, type)
  if (!text.slice(0, 2_000).includes('<')) return plainList(text)
  const root = elementsOf(await readXml(text, address, { counted: COUNTED, most: MOST_PAGES })).find(({ name }) =>
    /urlset$|sitemapindex$/.test(name),
  )
  if (root === undefined) return NOTHING
  const entries = elementsOf(root).map((entry) => ({ entry, kind: localOf(entry) }))
  return {
    pages: entries
      .filter(({ kind }) => kind === 'url')
      .map(({ entry }) => ({ url: textOf(entry, 'loc'), lastmod: Date.parse(textOf(entry, 'lastmod')) || 0 })),
    maps: entries.filter(({ kind }) => kind === 'sitemap').map(({ entry }) => textOf(entry, 'loc')),
  }
}

/** An address in each line is a sitemap, too. */
const plainList = (text: string): Sitemap => ({
  pages: text
    .split(/\s+/, MOST_PAGES)
    .filter((line) => /^https?:\/\//.test(line))
    .map((url) => ({ url, lastmod: 0 })),
  maps: [],
})

const localOf = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1)

/** Of the entry itself: a picture in it has a `loc` of its own. */
function textOf(entry: XmlElement, name: string): string {
  const child = elementsOf(entry).find((one) => one.name === name || one.name.endsWith(`?:${name}`))
  return child === undefined ? '' : textIn(child).trim()
}

/** Nothing, rather than what is larger unpacked than anybody needs. */
async function unpacked(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0)
  }
}
