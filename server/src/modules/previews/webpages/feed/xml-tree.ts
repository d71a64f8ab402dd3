import { member } from '../../../../kernel/json/index.ts'
import { Enough, walkPage } from '../page/walk-page.ts'

/** An element with its name as we know it (`title`, `g:price`), whatever prefix the document chose. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The address that relative ones within it are relative to. */
  readonly base: string
  readonly children: (XmlElement | string)[]
}

export type TreeLimits = {
  /** The names of the elements that are counted, and how many of them are enough. */
  readonly counted: ReadonlySet<string>
  readonly most: number
  readonly signal?: AbortSignal
}

const DEEPEST = 100
const MOST_NODES = 200_000

// Both spellings of an address, with and without its last sign, are in use.
const PREFIXES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/atom': '',
  'http://purl.org/atom/ns': '',
  'http://example.com/newformat': '',
  'http://example.com/necho': '',
  'http://purl.org/echo': '',
  'uri/of/echo/namespace': '',
  'http://purl.org/pie': '',
  'http://purl.org/atom-blog/ns': '',
  'http://purl.org/rss/1.0': '',
  'http://backend.userland.com/rss': '',
  'http://backend.userland.com/rss2': '',
  'http://blogs.law.harvard.edu/tech/rss': '',
  'http://cyber.law.harvard.edu/rss': '',
  'http://my.netscape.com/rdf/simple/0.9': '',
  'http://channel.netscape.com/rdf/simple/0.9': '',
  'http://my.netscape.com/publish/formats/rss-0.91.dtd': '',
  'http://purl.org/net/rss1.1': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
  'http://purl.org/dc/elements/1.1': 'dc',
  'http://purl.org/dc/elements/1.0': 'dc',
  'http://purl.org/dc/terms': 'dc',
  'http://purl.org/rss/1.0/modules/content': 'content',
  'http://base.google.com/ns/1.0': 'g',
  'http://search.yahoo.com/mrss': 'media',
  'http://www.w3.org/1999/xhtml': 'xhtml',
}
const USUAL = new Set(['rdf', 'dc', 'content', 'g', 'media', 'xhtml'])

/** Reads XML as forgivingly as HTML is read. Entities of a DOCTYPE stay text, so nothing grows that a document defines. */
export async function readXml(text: string, address: string, limits: TreeLimits): Promise<XmlElement> {
  const root: XmlElement = { name: '', attributes: {}, base: address, children: [] }
  const stack: XmlElement[] = [root]
  const prefixes = new Map<string, string>()
  let [nodes, counted] = [0, 0]
  const top = (): XmlElement => stack.at(-1) ?? root
  await walkPage(
    text,
    [
      {
        open({ name, attributes }) {
          if (++nodes > MOST_NODES) throw new Enough()
          for (const attribute in attributes) {
            if (attribute === 'xmlns' || attribute.startsWith('xmlns:'))
              prefixes.set(attribute.slice(6), knownPrefix(member(attributes, attribute) ?? '', attribute.slice(6)))
          }
          const element = {
            name: nameOf(name, prefixes),
            attributes,
            base: baseOf(attributes, top().base),
            children: [],
          }
          if (limits.counted.has(element.name) && ++counted > limits.most) throw new Enough()
          top().children.push(element)
          stack.push(element)
        },
        close() {
          if (stack.length > 1) stack.pop()
        },
        text(said) {
          if (++nodes > MOST_NODES) throw new Enough()
          top().children.push(said)
        },
      },
    ],
    { isXml: true, deepest: DEEPEST, ...(limits.signal === undefined ? {} : { signal: limits.signal }) },
  )
  return root
}

const knownPrefix = (uri: string, written: string): string =>
  member(PREFIXES, uri.trim().slice(0, 200).toLowerCase().replace(/[/#]$/, '')) ??
  (USUAL.has(written) ? written : `?${written}`)

function nameOf(written: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = written.indexOf(':')
  const [prefix, local] = colon === -1 ? ['', written] : [written.slice(0, colon), written.slice(colon + 1)]
  const known = prefixes.get(prefix) ?? (USUAL.has(prefix) || prefix === '' ? prefix : `?${prefix}`)
  return known === '' || known === '?' ? local : `${known}:${local}`
}

function baseOf(attributes: XmlElement['attributes'], outer: string): string {
  const written = attributes['xml:base']
  return written === undefined ? outer : (URL.parse(written, outer)?.href ?? outer)
}

export const elementsOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => typeof child !== 'string')

export const childrenNamed = (element: XmlElement, name: string): XmlElement[] =>
  elementsOf(element).filter((child) => child.name === name)

/** All text within it, in the order of the document. */
export function textIn(element: XmlElement): string {
  const parts: string[] = []
  const waiting: (XmlElement | string)[] = [element]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') parts.push(next)
    else for (let at = next.children.length - 1; at >= 0; at--) waiting.push(next.children[at] ?? '')
  }
  return parts.join('')
}
