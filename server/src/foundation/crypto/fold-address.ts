import { domainToASCII } from 'node:url'
import { normalized } from '../text/index.ts'

// Google reads its mailboxes without their dots, under two domains. At other hosts a dot makes another mailbox.
const dotless = new Set(['gmail.com', 'googlemail.com'])

/**
 * One form for the e-mail addresses that reach one mailbox: lower case, the tag behind "+" gone, Google's dots and second
 * name folded, the domain as the DNS knows it. For counting and comparing; mail goes to the address as it was given.
 */
export const foldAddress = (address: string): string =>
  // Composed last: a dot that is taken out may bring a letter and its accent together.
  normalized(fold(address.trim().toLowerCase()), 'NFC')

function fold(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  const local = text.slice(0, at)
  const domain = foldDomain(text.slice(at + 1))
  // Inside quotes a plus and a dot are letters like any other.
  if (local.startsWith('"')) return `${local}@${domain}`
  const bare = withoutTag(local)
  if (!dotless.has(domain)) return `${bare}@${domain}`
  return `${bare.replaceAll('.', '') || bare}@gmail.com`
}

function foldDomain(domain: string): string {
  const bare = domain.replace(/\.+$/, '')
  return domainToASCII(bare) || bare
}

/** An address that begins with "+" would lose all of its name: it stays. */
function withoutTag(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}
