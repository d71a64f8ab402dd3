import type { Answered, CalledWith } from '../transport.ts'
import { reasonOf, reasonText } from './reason.ts'

/** In the words of the specification, so that whoever looks for them finds them. */
const CALLED_WITH: Readonly<Record<CalledWith, string>> = {
  person: "It was called with the signed-in person's token.",
  stored: 'It was called with the stored credential.',
  none: 'It was called without a credential: none was sent.',
}

/** An answer that is not a success, with the API's own reason; and after 401 and 403, with whose credential it was called. */
export function apiSaid({ status, body }: Answered, calledWith: CalledWith): string {
  const called = status === 401 || status === 403 ? ` ${CALLED_WITH[calledWith]}` : ''
  const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : ''
  return `The API answered ${sentence(`${reasonText(status, reasonOf(body))}${redirect}`)}${called}`
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/**
 * A successful answer as JSON, the same bytes where it is JSON already. An API may well answer in plain text, and what is no
 * text at all is left out. Null for the latter.
 */
export function jsonOf(body: Buffer): Buffer | null {
  if (body.length === 0) return body
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
  try {
    JSON.parse(text)
    return body
  } catch {
    return Buffer.from(JSON.stringify(text))
  }
}
