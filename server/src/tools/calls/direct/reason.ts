import { isObject, type Json, type JsonObject, parseJsonBytes } from '../../../kernel/json/index.ts'
import { withSignsTold } from '../../../kernel/text/index.ts'

/** Why an API says that it refused, in its own words. Both are null where it says nothing that a person can read. */
type Reason = { readonly code: string | null; readonly words: string | null }

const MOST_WORDS = 500
const MOST_CODE = 100
const DEEPEST = 4

const NOTHING: Reason = { code: null, words: null }

// In the order in which they are looked for, without regard to case and underscores.
const WORDS = [
  'message',
  'detail',
  'errordescription',
  'description',
  'errormessage',
  'faultmessage',
  'issue',
  'reason',
  'msg',
]
const CODES = ['code', 'errorcode', 'name', 'type', 'status']
/** What holds the error itself, or the first of several. */
const INNER = ['error', 'fault', 'errors', 'errormessages', 'details', 'elements', 'validationerrors']

/** Reads the shapes in which APIs write their errors, whatever they are nested in. */
export function reasonOf(body: Buffer): Reason {
  if (body.length === 0) return NOTHING
  try {
    return reasonIn(parseJsonBytes(body), 0)
  } catch {
    return { code: null, words: plainWords(body.toString()) }
  }
}

/** `409 order_shipped: It has left the house.`, as far as it is known. */
export function reasonText(status: number, { code, words }: Reason): string {
  const known = code === null || code === String(status) || code === words ? '' : ` ${code}`
  return words === null ? `${status}${known}` : `${status}${known}: ${words}`
}

/** A page is no reason: it comes from a server in front of the API. */
function plainWords(text: string): string | null {
  const words = readable(text, MOST_WORDS)
  return words === null || words.startsWith('<') || words.includes('\ufffd') ? null : words
}

function reasonIn(value: Json, depth: number): Reason {
  if (typeof value === 'string') return { code: null, words: readable(value, MOST_WORDS) }
  if (Array.isArray(value)) return value[0] === undefined ? NOTHING : reasonIn(value[0], depth + 1)
  return isObject(value) && depth <= DEEPEST ? reasonInObject(value, depth) : NOTHING
}

function reasonInObject(object: JsonObject, depth: number): Reason {
  const members = new Map(Object.entries(object).map(([name, value]) => [plain(name), value]))
  const own = { code: codeIn(members), words: wordsIn(members) }
  const named = members.get('error')
  // `{"error": "invalid_grant", "error_description": …}`: the text is a code where words stand beside it.
  if (typeof named === 'string' && own.words !== null)
    return { code: own.code ?? readable(named, MOST_CODE), words: own.words }
  const inner = innerOf(members, depth)
  return { code: inner.code ?? own.code, words: joined(own.words, inner.words) }
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

function innerOf(members: ReadonlyMap<string, Json>, depth: number): Reason {
  for (const name of INNER) {
    const value = members.get(name)
    if (value === undefined || value === null) continue
    const found = reasonIn(value, depth + 1)
    if (found.code !== null || found.words !== null) return found
    const first = isObject(value) ? firstField(value) : null
    if (first !== null) return { code: null, words: first }
  }
  return NOTHING
}

/** `{"quantity": "is too large"}`, or the same with a list. */
function firstField(fields: JsonObject): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const words = Array.isArray(value) ? value[0] : value
    if (typeof words === 'string') return readable(`${name}: ${words}`, MOST_WORDS)
  }
  return null
}

function wordsIn(members: ReadonlyMap<string, Json>): string | null {
  const words = textIn(members, WORDS, MOST_WORDS)
  const title = textIn(members, ['title'], MOST_WORDS)
  return title === null || words === null ? (words ?? title) : joined(title, words)
}

function textIn(members: ReadonlyMap<string, Json>, names: readonly string[], most: number): string | null {
  for (const name of names) {
    const value = members.get(name)
    const text = typeof value === 'string' ? readable(value, most) : null
    if (text !== null) return text
  }
  return null
}

const SAYS_NOTHING = new Set(['error', 'fail', 'failed', 'failure', 'about:blank'])

/** A code is a word or a number. The type of problem details is an address, and its status is said already. */
function codeIn(members: ReadonlyMap<string, Json>): string | null {
  for (const name of CODES) {
    const value = members.get(name)
    if (typeof value === 'number' && name !== 'status') return String(value)
    if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) && !SAYS_NOTHING.has(value.toLowerCase()))
      return value
  }
  return null
}

function joined(before: string | null, after: string | null): string | null {
  if (before === null || after === null) return before ?? after
  if (before.includes(after)) return before
  return after.includes(before) ? after : readable(`${before.replace(/[.:]$/, '')}: ${after}`, MOST_WORDS)
}

/** One line, without what no database stores. Characters that no screen shows stand in it by their codes. */
function readable(text: string, most: number): string | null {
  const plain = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const line = withSignsTold(plain)
  if (line === '') return null
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}
