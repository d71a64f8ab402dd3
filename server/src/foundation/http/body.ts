import { refuse } from './refusal.ts'

const READ_AS_JSON = new Set(['', 'application/json', 'application/x-www-form-urlencoded'])
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export const hasBody = (headers: Record<string, unknown>): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** A body with no content type, or with the one `curl -d` sends by itself, is JSON; any other type is refused. */
export function settleContentType(headers: Record<string, string | string[] | undefined>): void {
  if (!hasBody(headers)) {
    // A type without a body says nothing: many clients send it on every call.
    delete headers['content-type']
    return
  }
  const given = headers['content-type']
  const essence =
    String(given ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  if (!READ_AS_JSON.has(essence)) {
    throw refuse(
      'unsupported_media_type',
      `Send the body as application/json; this one says "${essence.slice(0, 80)}".`,
    )
  }
  headers['content-type'] = 'application/json'
}

/** The text of a body, or a refusal: bytes that are not UTF-8 are nobody's JSON. */
export function bodyText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw refuse('invalid_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.')
  }
}

// An escaped NUL: a backslash that is not itself escaped, and u0000.
const ESCAPED_NUL = /(?:^|[^\\])(?:\\\\)*\\u0000/

/** PostgreSQL keeps no NUL in text, and no honest text has one: refused here, once, for every route. */
export function refuseNul(text: string, where: 'body' | 'address'): void {
  const found = where === 'address' ? text.includes('%00') : text.includes('\\u0000') && ESCAPED_NUL.test(text)
  if (found) throw refuse('invalid_request', `The ${where} contains a NUL character. Take it out.`)
}
