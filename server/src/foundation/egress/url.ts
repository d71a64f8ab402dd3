import { isIP } from 'node:net'
import { classifyAddress } from './address.ts'
import { faultOfName } from './names.ts'
import type { EgressPolicy } from './policy.ts'
import { isAllowedPort } from './ports.ts'

/** Where a request goes: the parts of one parse. Nothing else of the text that came in is ever used. */
export type Target = {
  /** Without fragment, user info or trailing dot. */
  readonly href: string
  readonly origin: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly isLiteral: boolean
  readonly port: number
  /** Path and query. */
  readonly path: string
}

export type UrlCheck = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly message: string }

export type UrlWords = {
  /** What the address is called in the message: `Endpoint` gives `Endpoint must use HTTPS.` */
  readonly noun: string
  /** Plain `http:` passes although the policy says no (a public page that is read without credentials). */
  readonly plainHttp?: boolean
}

const longest = 2048

const refuse = (message: string): UrlCheck => ({ ok: false, message })

/** The part of the address rule that needs no look-up: form, scheme, port, name, literal address. */
export function checkUrl(text: string, policy: EgressPolicy, words: UrlWords): UrlCheck {
  const { noun } = words
  if (text.length > longest) return refuse(`${noun} is longer than ${longest} characters.`)
  const url = URL.parse(text)
  if (url === null || url.host === '') return refuse(`${noun} is not an absolute URL.`)
  const mayBePlain = policy.allowInsecure || words.plainHttp === true
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:')) {
    return refuse(mayBePlain ? `${noun} must use HTTP or HTTPS.` : `${noun} must use HTTPS.`)
  }
  if (url.username !== '' || url.password !== '') return refuse(`${noun} must not carry a user name or a password.`)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.hash = ''
  if (url.href.length > longest) return refuse(`${noun} is longer than ${longest} characters.`)
  const target = targetOf(url)
  const message = faultOfTarget(target, policy, noun)
  return message === null ? { ok: true, target } : refuse(message)
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
    return `${noun} uses port ${target.port}, which is not allowed. Use ${target.secure ? 443 : 80}, or a port from 1024 up that is meant for HTTP.`
  }
  if (target.isLiteral) return isAllowedAddress(target.host, policy) ? null : privateAddress(noun)
  switch (faultOfName(target.host, policy)) {
    case 'malformed':
      return `${noun} has a host name that cannot exist in DNS.`
    case 'refused':
      return `${noun} names a host that is never called from here.`
    case 'local':
      return `${noun} must name a public host: "${target.host}" is a local name.`
    case null:
      return null
  }
}

/** The address itself is left out of the words: the answer must not be a way to read somebody's private DNS. */
export const privateAddress = (noun: string): string =>
  `${noun} must be on the public internet: it is a private, loopback or reserved address.`

export function isAllowedAddress(address: string, policy: EgressPolicy): boolean {
  const kind = classifyAddress(address, { nat64: policy.nat64 === true })
  return kind === 'public' || (kind === 'private' && policy.allowPrivateNetwork)
}
