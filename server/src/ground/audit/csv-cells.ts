// The cells of our CSV files, written and read. Pure, and without anything of ours around it, like the chain.

// Where a spreadsheet may see a cell begin: at the start, and after a semicolon, a tab or a line end, because where the
// comma is the decimal mark it splits at semicolons and does not honour our quotes. From there it looks past blanks and
// quotes for what begins a formula. An apostrophe counts too, so that the one we put can be told from one that was there.
const FORMULA =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[["\p{Z}\p{C}]--[\t\r\n]]*['=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{2212}])/gv

/** An apostrophe makes a spreadsheet take the rest as text. */
export const neutralised = (text: string): string => text.replace(FORMULA, "'")

const APOSTROPHES = /(?<=^|[;\t\r\n])'/g

const PLAIN = /^[^\s",;](?:[^",;\t\r\n\u2028\u2029]*[^\s",;])?$/u

/** Null is an empty cell; a text without a character is a quoted one. */
export function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = neutralised(value)
  return PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** RFC 4180: what a quote opens, only a quote closes. */
const CELL = /(?:^|,)("(?:[^"]|"")*"|[^",]*)/gy

/** The cells of one record, still as they were written; undefined where it is none. */
export function cellsIn(record: string): string[] | undefined {
  const cells = [...record.matchAll(CELL)]
  const read = cells.reduce((length, [whole]) => length + whole.length, 0)
  return read === record.length ? cells.map(([, cell = '']) => cell) : undefined
}

/** What `cellOf` wrote, as it was. */
export function textIn(cell: string): string | null {
  if (cell === '') return null
  const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  return text.replace(APOSTROPHES, '')
}
