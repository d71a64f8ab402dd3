import { member } from '../json/index.ts'

export { styleSheet } from './look.ts'

/** Text that is already HTML. Only `html` makes it, so everything else in a page is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => member(ENTITIES, sign) ?? sign)

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (piece === null || piece === undefined || piece === false) return ''
  return Array.isArray(piece) ? piece.map(write).join('') : escapeHtml(String(piece))
}

/** A template tag for HTML: it escapes every value, joins lists, and writes nothing for null, undefined and false. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(parts.map((part, index) => part + write(pieces[index])).join(''))
