// RSS in all its versions, RDF, Atom 0.3 and 1.0, product feeds, and JSON Feed.

import { priceOf } from '../items/price.ts'
import { textOfHtml } from '../page/text-of-html.ts'
import type { Feed, FeedEntry } from './feed.ts'
import { readJsonFeed } from './json-feed.ts'
import { childrenNamed, elementsOf, readXml, textIn, type XmlElement } from './xml-tree.ts'

const ROOTS = new Set(['rss', 'RDF', 'rdf:RDF', 'feed', 'channel'])
const ENTRIES = new Set(['item', 'entry'])

/** Null for a document that is not a feed. */
export async function readFeed(
  text: string,
  address: string,
  most: number,
  signal?: AbortSignal,
): Promise<Feed | null> {
  if (/^\s*\{/.test(text.slice(0, 100))) return readJsonFeed(text, address, most)
  const limits = { counted: ENTRIES, most, ...(signal === undefined ? {} : { signal }) }
  const document = await readXml(text, address, limits)
  const root = elementsOf(document).find(({ name }) => ROOTS.has(name))
  if (root === undefined) return null
  const channel = childrenNamed(root, 'channel')[0] ?? root
  // In RDF the items stand beside the channel.
  const entries = [...new Set([channel, root])].flatMap((one) =>
    elementsOf(one).filter(({ name }) => ENTRIES.has(name)),
  )
  return {
    title: first(channel, TITLES),
    url: linkOf(channel),
    description: first(channel, ['description', 'subtitle', 'tagline', 'dc:description']),
    entries: entries.map(readEntry),
  }
}

const TITLES = ['title', 'dc:title', 'g:title', 'media:title']

function readEntry(entry: XmlElement): FeedEntry {
  const content = first(entry, ['content:encoded', 'content', 'xhtml:body', 'xhtml:div', 'body', 'fullitem'])
  return {
    title: first(entry, TITLES).replace(/\s+/g, ' '),
    url: linkOf(entry),
    summary: first(entry, ['description', 'summary', 'dc:description', 'g:description', 'media:description']),
    content,
    image: imageOf(entry),
    ...offerOf(entry),
  }
}

function first(element: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    for (const child of childrenNamed(element, name)) {
      const text = plainText(child)
      if (text !== '') return text
    }
  }
  return ''
}

/** The text that a reader sees, whichever of the ways of Atom and RSS it was packed in. */
function plainText(element: XmlElement): string {
  const { type = '', mode = '' } = element.attributes
  const kind = type.trim().toLowerCase()
  const written = textIn(element)
  if (elementsOf(element).length > 0) return textOfHtml(serialized(element))
  if (mode === 'base64' || (kind.includes('/') && !/^text\/|xml$|html/.test(kind)))
    return textOfHtml(Buffer.from(written, 'base64').toString())
  return isLiteral(element, kind, mode) ? written.trim() : textOfHtml(written)
}

/** Only Atom tells text from HTML; what RSS escapes is HTML. */
const isLiteral = ({ name }: XmlElement, kind: string, mode: string): boolean =>
  kind === 'text' || kind === 'text/plain' || (mode === 'xml' && name !== 'description')

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** Markup that was written as elements, without a recursion: strangers decide how deep it is. */
function serialized(element: XmlElement): string {
  const parts: string[] = []
  const waiting: (XmlElement | string)[] = [...element.children].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') parts.push(next.startsWith('\0') ? next.slice(1) : escaped(next))
    else {
      const local = next.name.slice(next.name.indexOf(':') + 1)
      parts.push(`<${local}>`)
      waiting.push(`\0</${local}>`)
      for (let at = next.children.length - 1; at >= 0; at--) waiting.push(next.children[at] ?? '')
    }
  }
  return parts.join('')
}

function linkOf(element: XmlElement): string | null {
  const links = childrenNamed(element, 'link')
  const alternate = links.find(
    ({ attributes: { href, rel } }) => href !== undefined && /^\s*(?:alternate\s*)?$/i.test(rel ?? ''),
  )
  if (alternate !== undefined) return resolved(alternate.attributes.href, alternate.base)
  const written = links.find((link) => textIn(link).trim() !== '')
  if (written !== undefined) return resolved(textIn(written), written.base)
  const guid = childrenNamed(element, 'guid')[0]
  if (
    guid !== undefined &&
    guid.attributes.isPermaLink?.trim().toLowerCase() !== 'false' &&
    /^https?:/i.test(textIn(guid).trim())
  )
    return resolved(textIn(guid), guid.base)
  const product = childrenNamed(element, 'g:link')[0]
  return product === undefined ? null : resolved(textIn(product), product.base)
}

const resolved = (written: string | undefined, base: string): string | null =>
  URL.parse((written ?? '').trim(), base)?.href ?? null

function imageOf(entry: XmlElement): string | null {
  const named = childrenNamed(entry, 'g:image_link')[0]
  if (named !== undefined) return resolved(textIn(named), named.base)
  const enclosed = [
    ...childrenNamed(entry, 'media:content'),
    ...childrenNamed(entry, 'media:thumbnail'),
    ...childrenNamed(entry, 'enclosure'),
  ]
  const image = enclosed.find(
    ({ name, attributes: { type = '', medium = '' } }) =>
      name === 'media:thumbnail' || type.startsWith('image/') || medium === 'image',
  )
  return image === undefined ? null : resolved(image.attributes.url, image.base)
}

/** `g:sale_price` is what one pays. Where it has no currency of its own, it is that of the other price. */
function offerOf(entry: XmlElement): Pick<FeedEntry, 'price' | 'currency' | 'availability'> {
  const [sale, full] = ['g:sale_price', 'g:price'].map((name) => priceOf(first(entry, [name]), null))
  const stated = sale ?? full
  const availability = first(entry, ['g:availability'])
  return {
    price: stated?.price ?? null,
    currency: stated === null || stated === undefined ? null : (stated.currency ?? full?.currency ?? null),
    availability: availability === '' ? null : availability,
  }
}
