import { withSignsTold } from '../../kernel/text/index.ts'
import { instantText } from './list.ts'
import type { AuditRow } from './queries.ts'

// Writes and reads the cells of our CSV files. Like the chain, it depends on nothing else of ours.

// A spreadsheet may see a cell begin at the start, and after a semicolon, a tab or a line end, because where the comma
// is the decimal mark it splits at semicolons and ignores our quotes. From there it skips blanks and quotes to find the
// start of a formula. An apostrophe counts as well, so that we can tell ours from one that was there.
const FORMULA =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[["\p{Z}\p{C}]--[\t\r\n]]*['=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{2212}])/gv

// A phone number or an amount: a spreadsheet reads it as a number, and can run nothing.
const NUMBER = /^[+-]\d+$/

/** An apostrophe makes a spreadsheet treat the rest as text. */
export const neutralised = (text: string): string => (NUMBER.test(text) ? text : text.replace(FORMULA, "'"))

const APOSTROPHES = /(?<=^|[;\t\r\n])'/g

const PLAIN = /^[^\s",;](?:[^",;\t\r\n\u2028\u2029]*[^\s",;])?$/u

/** Null becomes an empty cell, and an empty text a quoted one. */
export function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = neutralised(value)
  return PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** By RFC 4180, only a quote closes what a quote opens. */
const CELL = /(?:^|,)("(?:[^"]|"")*"|[^",]*)/gy

/** Splits a record into cells, as they were written. Returns undefined for text that is not a record. */
export function cellsIn(record: string): string[] | undefined {
  const cells = [...record.matchAll(CELL)]
  const read = cells.reduce((length, [whole]) => length + whole.length, 0)
  return read === record.length ? cells.map(([, cell = '']) => cell) : undefined
}

/** Reads back what `cellOf` wrote. */
export function textIn(cell: string): string | null {
  if (cell === '') return null
  const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  return text.replace(APOSTROPHES, '')
}

const COLUMNS = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'

/** Follows RFC 4180. It contains nothing but the events, so that the same events give the same bytes. */
export const auditCsv = (events: readonly AuditRow[]): string =>
  `${[COLUMNS, ...events.map(csvRecord)].join('\r\n')}\r\n`

const csvRecord = (event: AuditRow): string =>
  [
    event.id,
    instantText(event.occurredAt),
    event.actionId,
    event.tool,
    event.event,
    // Somebody without a userId is named by the id that they have here.
    event.userId < 0 ? `person:${-event.userId}` : event.userId,
    event.source,
    event.payloadHash,
    event.subject === null ? null : withSignsTold(event.subject),
    event.reason === null ? null : withSignsTold(event.reason),
  ]
    .map(cellOf)
    .join(',')
