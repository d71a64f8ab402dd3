import { domainToASCII } from 'node:url'
import { normalized } from '../text/index.ts'

// Google ignores dots in mailbox names, under both its domains. At other hosts a dot makes a different mailbox.
const dotless = new Set(['gmail.com', 'googlemail.com'])

/**
 * Gives all e-mail addresses that reach one mailbox the same form: lower case, no tag after "+", Google's dots and
 * second domain folded, the domain as the DNS knows it. Use it to count and compare; mail goes to the address as it was
 * given.
 */
export const foldAddress = (address: string): string => folded(address, (domain) => dotless.has(domain))

/** Also folds the dots of every other host. Use it to count people, never to decide whose mailbox an address is. */
export const foldForCounting = (address: string): string => folded(address, () => true)

type IsDotless = (domain: string) => boolean

const folded = (address: string, isDotless: IsDotless): string =>
  // Normalize last, because removing a dot can bring a letter and its accent together.
  normalized(fold(address.trim().toLowerCase(), isDotless), 'NFC')

function fold(text: string, isDotless: IsDotless): string {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  const local = text.slice(0, at)
  const domain = foldDomain(text.slice(at + 1))
  // Inside quotes, "+" and "." are ordinary characters.
  if (local.startsWith('"')) return `${local}@${domain}`
  const bare = withoutTag(local)
  const name = isDotless(domain) ? bare.replaceAll('.', '') || bare : bare
  return `${name}@${dotless.has(domain) ? 'gmail.com' : domain}`
}

function foldDomain(domain: string): string {
  const bare = domain.replace(/\.+$/, '')
  return domainToASCII(bare) || bare
}

/** A name that begins with "+" stays as it is, because nothing would be left of it. */
function withoutTag(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}
