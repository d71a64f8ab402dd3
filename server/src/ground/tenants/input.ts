import { domainToASCII } from 'node:url'
import { refuse } from '../../foundation/http/index.ts'

/** A workspace's name: trimmed, 2 to 120 characters, on one line. */
export function checkedName(name: string): string {
  // Looked at before it is normalised: to order a hundred thousand combining marks takes a minute.
  const trimmed = name.length > 1000 ? '' : name.trim().normalize('NFC')
  const length = [...trimmed].length
  if (length < 2 || length > 120 || /[\p{Cc}\u2028\u2029]/u.test(trimmed) || !trimmed.isWellFormed()) {
    throw refuse('invalid_name', 'A workspace’s name has 2 to 120 characters, on one line.')
  }
  return trimmed
}

/** Only what could never be an address is refused here; a mail that arrives is the real check. */
export function checkedEmail(email: string): string {
  // A line break is refused, not trimmed: what ends in one was cut out of something, and a header is made of lines.
  const trimmed = email.length > 1000 || /\p{Cc}/u.test(email) ? '' : email.trim()
  if (!isAddress(trimmed)) {
    throw refuse('invalid_email', 'This is not an e-mail address: send one like name@example.com.')
  }
  return trimmed
}

// The atoms of RFC 5322 and, beside them, the letters of every language (RFC 6531). Quoted names and comments are not
// taken: nobody's mailbox needs them, and a header is a poor place for surprises.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const HOST = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || !text.isWellFormed() || Buffer.byteLength(local) > 64 || Buffer.byteLength(text) > 254) return false
  // A name in letters of any language is what the DNS makes of it; what it cannot read is no domain.
  const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? domainToASCII(domain) : ''
  const top = host.slice(host.lastIndexOf('.') + 1)
  return LOCAL.test(local) && host.length <= 253 && HOST.test(host) && /^([a-z]{2,63}|xn--[a-z0-9-]+)$/i.test(top)
}
