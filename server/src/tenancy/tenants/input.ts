import { domainToASCII } from 'node:url'
import { refuse } from '../../kernel/http/index.ts'

/** Checks a workspace's name: 2 to 120 characters after trimming, on one line. */
export function checkedName(name: string): string {
  // The length comes first, because normalising a hundred thousand combining marks takes a minute.
  const trimmed = name.length > 1000 ? '' : name.trim().normalize('NFC')
  const length = [...trimmed].length
  if (length < 2 || length > 120 || /[\p{Cc}\u2028\u2029]/u.test(trimmed) || !trimmed.isWellFormed()) {
    throw refuse('invalid_name', 'A workspace’s name must have 2 to 120 characters, on one line.')
  }
  return trimmed
}

/** Refuses only what could never be an address. The real check is whether a mail arrives. */
export function checkedEmail(email: string): string {
  // We refuse a line break rather than trim it: text that ends in one was cut out of something, and headers consist of
  // lines.
  const trimmed = email.length > 1000 || /\p{Cc}/u.test(email) ? '' : email.trim()
  if (!isEmailAddress(trimmed)) {
    throw refuse('invalid_email', 'This is not an e-mail address. Send one like name@example.com.')
  }
  return trimmed
}

// Accepts the atoms of RFC 5322 and the letters of every language (RFC 6531). It does not accept quoted names and
// comments, because nobody's mailbox needs them, and a header is a poor place for surprises.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const HOST = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i

function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || !text.isWellFormed() || Buffer.byteLength(local) > 64 || Buffer.byteLength(text) > 254) return false
  // Convert a domain in any script to its DNS form. What has none is not a domain.
  const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? domainToASCII(domain) : ''
  const top = host.slice(host.lastIndexOf('.') + 1)
  return LOCAL.test(local) && host.length <= 253 && HOST.test(host) && /^([a-z]{2,63}|xn--[a-z0-9-]+)$/i.test(top)
}
