import { member } from '../../../kernel/json/index.ts'

// Decides whether a source expression of a policy matches an address (CSP level 3, 6.7.2.8; there are no redirects
// here).

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' }
const portOf = (url: URL): string => url.port || (member(DEFAULT_PORTS, url.protocol) ?? '')

const SCHEME = /^([a-z][a-z0-9+.-]*):$/i
const HOST =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i

export function matchesSource(source: string, url: URL, page: URL): boolean {
  if (source === '*') return /^(?:https?|wss?):$/.test(url.protocol) || url.protocol === page.protocol
  if (source.toLowerCase() === "'self'") return isSelf(url, page)
  const scheme = SCHEME.exec(source)?.[1]
  if (scheme !== undefined) return fitsScheme(scheme, url.protocol)
  const [, ownScheme, host, port, path] = HOST.exec(source) ?? []
  if (host === undefined) return false
  return (
    fitsScheme(ownScheme ?? page.protocol.slice(0, -1), url.protocol) &&
    fitsHost(host.toLowerCase(), url.hostname) &&
    fitsPort(port, ownScheme, url) &&
    fitsPath(path, url.pathname)
  )
}

function isSelf(url: URL, page: URL): boolean {
  if (url.origin === page.origin) return true
  const bothUsual =
    portOf(url) === member(DEFAULT_PORTS, url.protocol) && portOf(page) === member(DEFAULT_PORTS, page.protocol)
  const isSafer = fitsScheme(page.protocol.slice(0, -1), url.protocol)
  return url.hostname === page.hostname && isSafer && (bothUsual || portOf(url) === portOf(page))
}

/** A source always matches the safer form of its scheme as well. */
function fitsScheme(named: string, protocol: string): boolean {
  const [scheme, asked] = [named.toLowerCase(), protocol.slice(0, -1)]
  if (scheme === asked) return true
  if (scheme === 'http') return asked === 'https'
  // By the standard, `ws:` also matches http and https, but browsers disagree.
  return scheme === 'ws' && asked === 'wss'
}

function fitsHost(named: string, host: string): boolean {
  if (named === '*') return true
  // By the standard, an IPv4 address matches only if it is this machine, but browsers accept others as well.
  return named.startsWith('*.') ? host.endsWith(named.slice(1)) : named === host
}

function fitsPort(named: string | undefined, scheme: string | undefined, url: URL): boolean {
  if (named === '*') return true
  const port = portOf(url)
  if (named !== undefined)
    return named === port || (named === '80' && port === '443' && scheme?.toLowerCase() === 'http')
  return (
    port === member(DEFAULT_PORTS, url.protocol) ||
    (scheme !== undefined && port === member(DEFAULT_PORTS, `${scheme}:`))
  )
}

function fitsPath(named: string | undefined, path: string): boolean {
  if (named === undefined || named === '/') return true
  const [wanted, asked] = [decodedPath(named), decodedPath(path)]
  return wanted.endsWith('/') ? asked.startsWith(wanted) : asked === wanted
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
