import { isUtf8 } from 'node:buffer'
import { refuse } from './refusal.ts'

/** What the form of a page sends. */
export const FORM = 'application/x-www-form-urlencoded'
/** What it sends where it has a field for a file. */
export const FORM_WITH_FILES = 'multipart/form-data'
const READ_AS_JSON = new Set(['', 'application/json', FORM])
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export const hasBody = (headers: Record<string, unknown>): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

type BodyTerms = { readonly needsNoKey?: boolean; readonly form?: boolean; readonly files?: boolean }

/**
 * A body without a content type, or with the one that `curl -d` sends by default, is JSON; we refuse any other type. Where no key
 * is asked for, a browser must name JSON: any page may send the others in its visitor's name, and this one it may not.
 */
export function settleContentType(
  headers: Record<string, string | string[] | undefined>,
  { needsNoKey = false, form = false, files = false }: BodyTerms = {},
): void {
  if (!hasBody(headers)) {
    // Many clients send a type on every call, so one without a body means nothing.
    delete headers['content-type']
    return
  }
  const given = headers['content-type']
  const essence =
    String(given ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  if (form) {
    if (essence === FORM || (essence === FORM_WITH_FILES && files)) return
    throw refuse('unsupported_media_type', `Send the form as ${FORM}. This one's type is "${essence.slice(0, 80)}".`)
  }
  const isFromPage = needsNoKey && headers.origin !== undefined && essence !== 'application/json'
  if (isFromPage || !READ_AS_JSON.has(essence)) {
    throw refuse(
      'unsupported_media_type',
      `Send the body as application/json. This one's type is "${essence.slice(0, 80)}".`,
    )
  }
  headers['content-type'] = 'application/json'
}

/** Throws a refusal if the bytes are not UTF-8, because then they are not JSON. */
export function bodyText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw refuse('invalid_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.')
  }
}

// PostgreSQL stores neither NUL nor half of a surrogate pair. Every route refuses both here: in an address, in a form, and
// in JSON with `requireStorable`.

const noNul = (where: 'form' | 'address') =>
  refuse('invalid_request', `The ${where} contains a NUL character. Remove it.`)
const noSurrogate = (where: 'form' | 'address') =>
  refuse('invalid_request', `The ${where} contains half of a surrogate pair. Encode it as UTF-8.`)

/** UTF-8 encodes U+D800 to U+DFFF as ED and then A0 to BF. */
const ENCODED_SURROGATE = /%ed%[ab]/i

export function requireStorableAddress(url: string): void {
  if (url.includes('%00')) throw noNul('address')
  if (ENCODED_SURROGATE.test(url)) throw noSurrogate('address')
}

/** No page of ours sends a tenth of them. */
const MOST_FIELDS = 5_000
const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = Buffer.from('&=+% ')

const notUtf8 = () => refuse('invalid_request', 'The form is not valid UTF-8. Send it encoded as UTF-8.')
const tooManyFields = () =>
  refuse('invalid_request', `The form has more than ${MOST_FIELDS} fields. Send fewer at once.`)

/** The fields of a form, each a list of what was sent under its name. */
export function readForm(bytes: Buffer): Record<string, string[]> {
  if (!isUtf8(bytes)) throw notUtf8()
  if (bytes.includes(0) || bytes.includes('%00')) throw noNul('form')
  if (separatorsIn(bytes) >= MOST_FIELDS) throw tooManyFields()
  return gathered(pairsIn(bytes))
}

function gathered(sent: Iterable<readonly [string, string]>): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const [name, value] of sent) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(fields)
}

/** Read byte by byte: anybody may send a form, and the platform's own reader takes seconds for one that is nothing but spaces. */
function* pairsIn(bytes: Buffer): Generator<[string, string]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(AMPERSAND ?? 0, from)
    const pair = bytes.subarray(from, end < 0 ? bytes.length : end)
    from += pair.length + 1
    if (pair.length === 0) continue
    const equals = pair.indexOf(EQUALS ?? 0)
    yield equals < 0 ? [decoded(pair), ''] : [decoded(pair.subarray(0, equals)), decoded(pair.subarray(equals + 1))]
  }
}

function decoded(bytes: Buffer): string {
  const read = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let afterEd = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const code = byte === PERCENT ? 16 * digit(bytes[at + 1]) + digit(bytes[at + 2]) : Number.NaN
    // A percent sign that begins nothing stands for itself.
    if (!Number.isNaN(code)) at += 2
    if (afterEd && code >= 0xa0 && code <= 0xbf) throw noSurrogate('form')
    afterEd = code === 0xed
    read[length++] = Number.isNaN(code) ? (byte === PLUS ? (SPACE ?? 0) : byte) : code
  }
  return read.toString('utf8', 0, length)
}

/** What this byte stands for as a hexadecimal digit. */
function digit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const low = byte | 0x20
  return low >= 0x61 && low <= 0x66 ? low - 0x61 + 10 : Number.NaN
}

function separatorsIn(bytes: Buffer, separator = '&'): number {
  let count = 0
  for (let at = bytes.indexOf(separator); at !== -1 && count < MOST_FIELDS; at = bytes.indexOf(separator, at + 1))
    count++
  return count
}

const UNREADABLE_FORM = 'The form could not be read. Load the page again and send it once more.'

/** The same of a form with files: a file is its text, and its name stands under `<field>.name`. */
export async function readFormWithFiles(bytes: Buffer, contentType: string): Promise<Record<string, string[]>> {
  const boundary = /boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1]
  if (boundary === undefined) throw refuse('invalid_request', UNREADABLE_FORM)
  if (separatorsIn(bytes, `--${boundary}`) >= MOST_FIELDS) throw tooManyFields()
  if (hasLongHead(bytes, `--${boundary}`)) throw refuse('invalid_request', UNREADABLE_FORM)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw refuse('invalid_request', UNREADABLE_FORM)
    })
  const sent: [string, string][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') sent.push([name, value])
    else sent.push([name, fileText(Buffer.from(await value.arrayBuffer()))], [`${name}.name`, value.name])
  }
  const texts = sent.flat()
  if (texts.some((text) => text.includes('\0'))) throw noNul('form')
  // The platform's parser decodes invalid bytes to this character instead of failing.
  if (texts.some((text) => text.includes('\ufffd')) && !isUtf8(bytes)) throw notUtf8()
  return gathered(sent)
}

/** Of a part, in bytes: a name of a field, one of a file, and a type. */
const LONGEST_HEAD = 4_096

/** A parser takes longest of what stands above a part, so that none may be long. */
function hasLongHead(bytes: Buffer, delimiter: string): boolean {
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + 1)) {
    const from = at + delimiter.length
    const isLast = bytes.subarray(from, from + 2).toString('latin1') === '--'
    if (!isLast && !bytes.subarray(from, from + LONGEST_HEAD).includes('\r\n\r\n')) return true
  }
  return false
}

function fileText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw refuse('invalid_request', 'The file is not a text in UTF-8. Save it as UTF-8, and send it again.')
  }
}
