import { instantText } from './list.ts'
import type { AuditRow } from './queries.ts'

const COLUMNS = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'

/** RFC 4180. Holds nothing but the events: the same events are the same bytes. */
export const auditCsv = (events: readonly AuditRow[]): string => `${[COLUMNS, ...events.map(record)].join('\r\n')}\r\n`

const record = (event: AuditRow): string =>
  [
    event.id,
    instantText(event.occurredAt),
    event.actionId,
    event.tool,
    event.event,
    event.userId,
    event.source,
    event.payloadHash,
    event.subject,
    event.reason,
  ]
    .map((value) => (typeof value === 'string' ? textCell(value) : String(value ?? '')))
    .join(',')

// Where a spreadsheet may see a cell begin: at the start, and after a semicolon, a tab or a line end, because where the
// comma is the decimal mark it splits at semicolons and does not honour our quotes. From there it looks past blanks and
// quotes for what begins a formula. An apostrophe counts too, so that the one we put can be told from one that was there.
const FORMULA =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[["\p{Z}\p{C}]--[\t\r\n]]*['=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{2212}])/gv

/** An apostrophe makes a spreadsheet take the rest as text. */
export const neutralised = (text: string): string => text.replace(FORMULA, "'")

const PLAIN = /^[^\s",;](?:[^",;\t\r\n\u2028\u2029]*[^\s",;])?$/u

/** Null is an empty cell; a text without a character is a quoted one. */
function textCell(text: string): string {
  const safe = neutralised(text)
  return PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`
}
