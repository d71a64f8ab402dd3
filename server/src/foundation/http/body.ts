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

type BodyTerms = { readonly needsNoKey?: boolean; readonly form?: boolean; readonly signed?: boolean }

/**
 * A body without a content type, or with the one that `curl -d` sends by default, is JSON; we refuse any other type. Where no key
 * is asked for, a browser must name JSON: any page may send the others in its visitor's name, and this one it may not.
 */
export function settleContentType(
  headers: Record<string, string | string[] | undefined>,
  { needsNoKey = false, form = false, signed = false }: BodyTerms = {},
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
    if (essence === FORM || (essence === FORM_WITH_FILES && !signed)) return
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

// An escaped NUL is u0000 after a backslash that is not itself escaped.
const ESCAPED_NUL = /(?:^|[^\\])(?:\\\\)*\\u0000/

const hasEscapedNul = (text: string): boolean => text.includes('\\u0000') && ESCAPED_NUL.test(text)

/** PostgreSQL cannot store NUL in text, and no honest text contains it, so we refuse it here for every route. */
export function refuseNul(text: string, where: 'body' | 'form' | 'address'): void {
  const found = text.includes('\0') || (where === 'body' ? hasEscapedNul(text) : text.includes('%00'))
  if (found) throw refuse('invalid_request', `The ${where} contains a NUL character. Remove it.`)
}

/** No page of ours sends a tenth of them. */
const MOST_FIELDS = 5_000

const tooManyFields = () =>
  refuse('invalid_request', `The form has more than ${MOST_FIELDS} fields. Send fewer at once.`)

/** The fields of a form, each a list of what was sent under its name. */
export function readForm(bytes: Buffer): Record<string, string[]> {
  const text = bodyText(bytes)
  refuseNul(text, 'form')
  if (separatorsIn(text) >= MOST_FIELDS) throw tooManyFields()
  return gathered(new URLSearchParams(text))
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

function separatorsIn(text: string | Buffer, separator = '&'): number {
  let count = 0
  for (let at = text.indexOf(separator); at !== -1 && count < MOST_FIELDS; at = text.indexOf(separator, at + 1)) count++
  return count
}

const UNREADABLE_FORM = 'The form could not be read. Load the page again and send it once more.'

/** The same of a form with files: a file is its text, and its name stands under `<field>.name`. */
export async function readFormWithFiles(bytes: Buffer, contentType: string): Promise<Record<string, string[]>> {
  const boundary = /boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1]
  if (boundary === undefined) throw refuse('invalid_request', UNREADABLE_FORM)
  if (separatorsIn(bytes, `--${boundary}`) >= MOST_FIELDS) throw tooManyFields()
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
  if (sent.some(([, value]) => value.includes('\0')))
    throw refuse('invalid_request', 'The form contains a NUL character. Remove it.')
  return gathered(sent)
}

function fileText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw refuse('invalid_request', 'The file is not a text in UTF-8. Save it as UTF-8, and send it again.')
  }
}
