import iconv from 'iconv-lite'
import { member } from '../../../kernel/json/index.ts'

/** Declarations of real pages stand within the first 16 KB, and a third of them behind the kilobyte that browsers look at. */
const LOOKED_AT = 16_384
const MOST_REPLACED = 0.01

// Node's own tables of these two are wrong for half of what can be written in them, without saying so.
const BY_ICONV: Readonly<Record<string, string>> = { 'euc-kr': 'euc-kr', big5: 'big5-hkscs' }

/** The text of an HTML, XML or JSON document: by its mark, its header, its own declaration, or else by its bytes. */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const marked = byMark(bytes)
  if (marked !== undefined) return decodeAs(bytes, marked)
  const named = known(headerCharset(contentType)) ?? declared(bytes)
  // Where nothing is declared, text that reads as UTF-8 is UTF-8: hardly anything else does by accident.
  if (named === undefined) return strictUtf8(bytes) ?? decodeAs(bytes, 'windows-1252')
  if (named !== 'utf-8') return decodeAs(bytes, named)
  const text = decodeAs(bytes, named)
  return isMostlyBroken(text) ? decodeAs(bytes, 'windows-1252') : text
}

function byMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

const headerCharset = (contentType: string | undefined): string | undefined =>
  /;\s{0,4}charset\s{0,4}=\s{0,4}["']?([^\s"';,]{1,40})/i.exec(contentType?.slice(0, 1_000) ?? '')?.[1]

const IN_XML = /^\s{0,64}<\?xml[^>]{0,200}?encoding\s{0,4}=\s{0,4}["']([\w:.-]{1,40})["']/i
const IN_META = /<meta[\s/][^>]{0,500}?charset\s{0,4}=\s{0,4}["']?\s{0,4}([\w:.-]{1,40})/gi

function declared(bytes: Buffer): string | undefined {
  const head = withoutComments(bytes.subarray(0, LOOKED_AT).toString('latin1'))
  const inXml = known(IN_XML.exec(head)?.[1])
  if (inXml !== undefined) return asciiCompatible(inXml)
  for (const [, label] of head.matchAll(IN_META)) {
    const name = known(label)
    if (name !== undefined) return asciiCompatible(name)
  }
  return undefined
}

/** Whatever could be read as ASCII to find its declaration is no UTF-16. */
const asciiCompatible = (name: string): string => (name.startsWith('utf-16') ? 'utf-8' : name)

/** By `indexOf`: an expression over a text that opens a comment a thousand times looks for its end as often. */
function withoutComments(text: string): string {
  let [kept, at] = ['', 0]
  for (;;) {
    const from = text.indexOf('<!--', at)
    if (from === -1) return kept + text.slice(at)
    kept += text.slice(at, from)
    const to = text.indexOf('-->', from + 4)
    if (to === -1) return kept
    at = to + 3
  }
}

/** The WHATWG's name of a label, or undefined for what nobody can decode. */
function known(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

function decodeAs(bytes: Buffer, name: string): string {
  const table = member(BY_ICONV, name)
  return table === undefined ? new TextDecoder(name).decode(bytes) : iconv.decode(bytes, table)
}

function strictUtf8(bytes: Buffer): string | undefined {
  try {
    // A cut document may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

function isMostlyBroken(text: string): boolean {
  let broken = 0
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) broken++
  return broken > text.length * MOST_REPLACED
}
