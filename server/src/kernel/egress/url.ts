import { isIP } from 'node:net'
import { classifyAddress } from './address.ts'
import { faultOfName } from './names.ts'
import type { EgressPolicy } from './policy.ts'
import { isAllowedPort } from './ports.ts'

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
  if (!isAllowedPort(target.port, target.secure, policy)) {
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
  const kind = classifyAddress(address, { nat64: policy.nat64 === true })
  if (kind !== 'private') return kind === 'public'
  const { allowPrivateNetwork, allowedPrivate } = policy
  return allowPrivateNetwork || allowedPrivate?.hasName(host) === true || allowedPrivate?.hasAddress(address) === true
}
