import { isIP } from 'node:net'
import { classifyAddress } from './address.ts'
import { faultOfName } from './names.ts'
import type { EgressPolicy } from './policy.ts'

/** Where a request goes, from a single parse. We never use the original text again. */
export type Target = {
  /** Has no fragment, user info or trailing dot. */
  readonly href: string
  readonly origin: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly isLiteral: boolean
  readonly port: number
  /** The path and query. */
  readonly path: string
}

export type UrlCheck = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly message: string }

export type UrlWords = {
  /** What messages call the address: `Endpoint` gives `Endpoint must use HTTPS.` */
  readonly noun: string
  /** Accepts plain `http:` even if the policy forbids it (to read a public page without credentials). */
  readonly plainHttp?: boolean
  /** The most characters, unless 2048. */
  readonly longest?: number
}

const LONGEST = 2048

const refusedUrl = (message: string): UrlCheck => ({ ok: false, message })

/** Checks what needs no look-up: form, scheme, port, name, literal address. */
export function checkUrl(text: string, policy: EgressPolicy, words: UrlWords): UrlCheck {
  const { noun, longest = LONGEST } = words
  if (text.length > longest) return refusedUrl(`${noun} is longer than ${longest} characters.`)
  const url = URL.parse(text)
  if (url === null || url.host === '') return refusedUrl(`${noun} is not an absolute URL.`)
  const mayBePlain = policy.allowInsecure || words.plainHttp === true
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:')) {
    return refusedUrl(mayBePlain ? `${noun} must use HTTP or HTTPS.` : `${noun} must use HTTPS.`)
  }
  if (url.username !== '' || url.password !== '') return refusedUrl(`${noun} must not carry a user name or a password.`)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.hash = ''
  if (url.href.length > longest) return refusedUrl(`${noun} is longer than ${longest} characters.`)
  const target = targetOf(url)
  const message = faultOfTarget(target, policy, noun)
  return message === null ? { ok: true, target } : refusedUrl(message)
}

function targetOf(url: URL): Target {
  const secure = url.protocol === 'https:'
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return {
    href: url.href,
    origin: url.origin,
    secure,
    host,
    isLiteral: isIP(host) !== 0,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
  }
}

function faultOfTarget(target: Target, policy: EgressPolicy, noun: string): string | null {
  if (!isAllowedPort(target.port, target.secure)) {
    return `${noun} uses port ${target.port}, which is not allowed. Use ${target.secure ? 443 : 80} or an HTTP port from 1024 up.`
  }
  if (target.isLiteral) return isAllowedAddress(target.host, policy, target.host) ? null : privateAddress(noun)
  switch (faultOfName(target.host, policy)) {
    case 'malformed':
      return `${noun} has a host name that cannot exist in DNS.`
    case 'refused':
      if (isOwnDoor(target, policy)) return null
      return `${noun} names a host that this service never calls. Use a public host.`
    case 'local':
      return `${noun} must name a public host, but "${target.host}" is a local name.`
    case null:
      return null
  }
}

const isOwnDoor = ({ origin, path, host }: Target, { ownDoor, allowedPrivate }: EgressPolicy): boolean =>
  ownDoor !== undefined && origin === ownDoor.origin && ownDoor.isOpen(path) && allowedPrivate?.hasName(host) === true

/** The message leaves out the address, so that nobody can use it to read somebody's private DNS. */
export const privateAddress = (noun: string): string =>
  `${noun} must be on the public internet, but it is a private, loopback or reserved address.`

/** `host` is the name that led to the address. A listed name opens whatever private address it has. */
export function isAllowedAddress(address: string, policy: EgressPolicy, host: string): boolean {
  const kind = classifyAddress(address)
  if (kind !== 'private') return kind === 'public'
  const { allowPrivateNetwork, allowedPrivate } = policy
  return allowPrivateNetwork || allowedPrivate?.hasName(host) === true || allowedPrivate?.hasAddress(address) === true
}

// Browsers refuse to speak HTTP to these ports above 1023 (WHATWG Fetch, "bad port").
const notForHttp = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Allows the default port of the scheme, and any from 1024 up that is not a browser's bad port. Businesses do serve
 * HTTPS on 8443, 4443 or 3000, while mail, DNS and shells are below 1024.
 */
function isAllowedPort(port: number, secure: boolean): boolean {
  if (port === (secure ? 443 : 80)) return true
  return port >= 1024 && !notForHttp.has(port)
}
