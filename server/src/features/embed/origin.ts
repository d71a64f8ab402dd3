import { classifyAddress, isIpAddress } from '../../foundation/egress/index.ts'
import { refuse } from '../../foundation/http/index.ts'

const SHAPE = /^https?:\/\/[^/?#@\\*\s]+\/?$/i

/** An origin as a browser sends it: lower case, punycode, without the port that goes without saying. */
export function readOrigin(written: string): string {
  const text = written.trim()
  const url = SHAPE.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.pathname !== '/') throw invalid(text)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw invalid(text)
  return url.origin
}

const invalid = (text: string) =>
  refuse(
    'invalid_origin',
    `"${text.slice(0, 200)}" is no origin. Write scheme, host and, where it has one, port: https://shop.example. Plain http is for this machine only (http://localhost:3000).`,
  )

const LONGEST_LIST = 2048

/** The list as it is kept: each origin once, in the order in which it came. */
export function readOriginList(written: readonly string[]): string[] {
  // More entries than characters are too many, whatever they are.
  const origins = written.length > LONGEST_LIST ? null : [...new Set(written.map(readOrigin))]
  if (origins !== null && origins.join(',').length <= LONGEST_LIST) return origins
  throw refuse(
    'too_many_origins',
    `The list takes more than ${LONGEST_LIST} characters. Register the origins that carry the widget only.`,
  )
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function isLoopback(hostname: string): boolean {
  const host = bare(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

const LOCAL_ENDINGS = ['localhost', 'test', 'example', 'invalid', 'local', 'internal', 'lan', 'home.arpa']

/** Whether only people of the workspace itself can see a page there: it need not wait for the confirmed address. */
export function isLocal(origin: string): boolean {
  const host = bare(new URL(origin).hostname)
  if (isIpAddress(host)) return isLoopback(host) || classifyAddress(host) === 'private' || isLinkLocal(host)
  return !host.includes('.') || LOCAL_ENDINGS.some((ending) => host.endsWith(`.${ending}`))
}

const isLinkLocal = (host: string): boolean => /^169\.254\./.test(host) || /^fe[89ab][0-9a-f]:/i.test(host)
