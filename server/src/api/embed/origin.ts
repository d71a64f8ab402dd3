import { classifyAddress, isIpAddress } from '../../kernel/egress/index.ts'
import { refuse } from '../../kernel/http/index.ts'

const SHAPE = /^https?:\/\/[^/?#@\\*\s]+\/?$/i

/** Normalises an origin to what a browser sends: lower case, punycode, no default port. */
export function readOrigin(written: string): string {
  const text = written.trim()
  const url = SHAPE.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.pathname !== '/') throw invalidOrigin(text)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw invalidOrigin(text)
  return url.origin
}

const invalidOrigin = (text: string) =>
  refuse(
    'invalid_origin',
    `"${text.slice(0, 200)}" is not an origin. Write the scheme, the host and the port, if it has one: https://shop.example. Plain http is only for this machine (http://localhost:3000).`,
  )

const LONGEST_LIST = 2048

/** Returns the list to store, with each origin once, in the order given. */
export function readOriginList(written: readonly string[]): string[] {
  // A list with more entries than allowed characters is too long in any case.
  const origins = written.length > LONGEST_LIST ? null : [...new Set(written.map(readOrigin))]
  if (origins !== null && origins.join('').length <= LONGEST_LIST) return origins
  throw refuse(
    'too_many_origins',
    `The list is longer than ${LONGEST_LIST} characters. Register only the origins that have the widget.`,
  )
}

const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

const LOCAL_ENDINGS = ['localhost', 'test', 'example', 'invalid', 'local', 'internal', 'lan', 'home.arpa']

/**
 * True if only the workspace's own people can see a page there. Such an origin need not wait for a confirmed address.
 */
export function isLocal(origin: string): boolean {
  const host = bareHost(new URL(origin).hostname)
  if (isIpAddress(host)) return isLoopback(host) || classifyAddress(host) === 'private' || isLinkLocal(host)
  return !host.includes('.') || LOCAL_ENDINGS.some((ending) => host.endsWith(`.${ending}`))
}

const isLinkLocal = (host: string): boolean => /^169\.254\./.test(host) || /^fe[89ab][0-9a-f]:/i.test(host)
