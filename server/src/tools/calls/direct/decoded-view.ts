import { member } from '../../../kernel/json/index.ts'
/** A text as a reader decodes it, and where in the text each of its characters stands. */
export type View = {
  readonly text: string
  /** Where the character at this place begins in the text; one more entry than characters, for its end. */
  readonly at: Uint32Array
}

export function plainView(text: string): View {
  const at = new Uint32Array(text.length + 1)
  for (let index = 0; index <= text.length; index++) at[index] = index
  return { text, at }
}

// What JSON, an address, a form or a page can write in place of a character.
const ESCAPE =
  /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["'\\/bfnrt])|((?:%[0-9a-f]{2})+)|&#(\d{1,6});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);/gi

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The view with one layer of escapes undone; null where it has none. */
export function decodedView({ text, at }: View): View | null {
  let decoded = ''
  // What is decoded is never longer than what it was written as.
  const places = new Uint32Array(text.length + 1)
  let length = 0
  let from = 0
  const keep = (until: number): void => {
    decoded += text.slice(from, until)
    for (let index = from; index < until; index++) places[length++] = at[index] ?? 0
  }
  for (const match of text.matchAll(ESCAPE)) {
    keep(match.index)
    const written = characters(match)
    decoded += written
    // What several bytes stand for belongs to all of them.
    for (let index = 0; index < written.length; index++)
      places[length++] = at[match.index + offsetOf(match, written, index)] ?? 0
    from = match.index + match[0].length
  }
  if (from === 0) return null
  keep(text.length)
  places[length++] = at[text.length] ?? 0
  return { text: decoded, at: places.subarray(0, length) }
}

function characters([whole, unicode, byte, short, percents, decimal, hex, named]: RegExpMatchArray): string {
  const code = unicode ?? byte ?? hex
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  if (short !== undefined) return member(SHORT, short) ?? short
  if (percents !== undefined) return Buffer.from(percents.replaceAll('%', ''), 'hex').toString('latin1')
  if (decimal !== undefined) return fromCode(Number(decimal))
  return member(NAMED, (named ?? '').toLowerCase()) ?? whole
}

const fromCode = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

/** A run of `%XX` is one match and many characters, each three long. */
const offsetOf = ([, , , , percents]: RegExpMatchArray, written: string, index: number): number =>
  percents === undefined || written.length * 3 !== percents.length ? 0 : index * 3
