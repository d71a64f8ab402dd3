// Content Security Policy, level 3, as far as it decides two questions: may this script load, may it connect.

type Directives = ReadonlyMap<string, readonly string[]>
export type Policy = { readonly directives: Directives; readonly fromMeta: boolean }

/** What the page's own script tag carries. */
export type ScriptTag = { readonly nonce?: string | undefined; readonly integrity?: string | undefined }

/** The policies of one header value or one meta tag. A comma parts policies; of two directives alike the first counts. */
export const readPolicies = (text: string, fromMeta: boolean): Policy[] =>
  text.split(',').flatMap((serialized) => {
    const directives = new Map<string, readonly string[]>()
    for (const directive of serialized.split(';')) {
      const [name, ...values] = directive.trim().split(/[\t\n\f\r ]+/)
      const known = name?.toLowerCase() ?? ''
      if (known !== '' && !directives.has(known)) directives.set(known, values)
    }
    return directives.size === 0 ? [] : [{ directives, fromMeta }]
  })

/** Every policy must agree. */
export const scriptAllowed = (policies: readonly Policy[], script: string, page: string, tag: ScriptTag): boolean =>
  policies.every((policy) => runsScripts(policy) && listAllowsScript(sources(policy, SCRIPT), script, page, tag))

export const connectAllowed = (policies: readonly Policy[], endpoint: string, page: string): boolean =>
  policies.every((policy) => {
    const list = sources(policy, CONNECT)
    return list === undefined || anyMatches(list, new URL(endpoint), new URL(page))
  })

const SCRIPT = ['script-src-elem', 'script-src', 'default-src']
const CONNECT = ['connect-src', 'default-src']

/** The list that governs; undefined when nothing restricts it. */
const sources = ({ directives }: Policy, fallbacks: readonly string[]): readonly string[] | undefined =>
  fallbacks.map((name) => directives.get(name)).find((list) => list !== undefined)

/** A sandbox without scripts runs none; in a meta tag a sandbox counts for nothing. */
const runsScripts = ({ directives, fromMeta }: Policy): boolean => {
  const sandbox = fromMeta ? undefined : directives.get('sandbox')
  return sandbox === undefined || sandbox.some((flag) => flag.toLowerCase() === 'allow-scripts')
}

function listAllowsScript(list: readonly string[] | undefined, script: string, page: string, tag: ScriptTag): boolean {
  if (list === undefined) return true
  if (tag.nonce !== undefined && tag.nonce !== '' && list.includes(`'nonce-${tag.nonce}'`)) return true
  if (integrityListed(list, tag.integrity)) return true
  // A script that the page's own HTML names is loaded by nobody trusted: hosts count for nothing here.
  if (list.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  return anyMatches(list, new URL(script), new URL(page))
}

/** Every hash that the tag names must be one that the policy lists. */
function integrityListed(list: readonly string[], integrity: string | undefined): boolean {
  const named =
    integrity
      ?.trim()
      .split(/\s+/)
      .filter((hash) => /^sha(256|384|512)-/i.test(hash)) ?? []
  const plain = (hash: string) => hash.split('?', 1)[0]?.replaceAll('-', '+').replaceAll('_', '/').toLowerCase()
  const listed = new Set(list.map((source) => plain(source.replace(/^'|'$/g, ''))))
  return named.length > 0 && named.every((hash) => listed.has(plain(hash)))
}

const anyMatches = (list: readonly string[], url: URL, page: URL): boolean =>
  list.some((source) => matches(source, url, page))

const NETWORK = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:'])

function matches(source: string, url: URL, page: URL): boolean {
  if (source === '*') return NETWORK.has(url.protocol) || url.protocol === page.protocol
  if (source.toLowerCase() === "'self'") return isSelf(url, page)
  if (source.startsWith("'")) return false
  const [, scheme] = /^([a-z][a-z0-9+.-]*):$/i.exec(source) ?? []
  if (scheme !== undefined) return schemeMatches(`${scheme.toLowerCase()}:`, url.protocol)
  return hostMatches(source, url, page)
}

/** The same origin, or the same host better protected. */
const isSelf = (url: URL, page: URL): boolean =>
  url.origin === page.origin ||
  (url.hostname === page.hostname &&
    schemeMatches(page.protocol, url.protocol) &&
    (url.port === page.port || (url.port === '' && page.port === '')))

/** What a source allows plain, it allows protected. (The standard lets `ws:` stand for http too; browsers do not.) */
const schemeMatches = (allowed: string, actual: string): boolean =>
  allowed === actual || (allowed === 'http:' && actual === 'https:')

const HOST_SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+|\[[^\]]+\])(?::(\d+|\*))?(\/.*)?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' }

function hostMatches(source: string, url: URL, page: URL): boolean {
  const [, scheme, host, port, path] = HOST_SOURCE.exec(source) ?? []
  if (host === undefined) return false
  const allowed = scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`
  return (
    schemeMatches(allowed, url.protocol) &&
    hostPartMatches(host.toLowerCase(), url.hostname) &&
    portMatches(port, url, allowed) &&
    (path === undefined || pathMatches(path, url.pathname))
  )
}

const hostPartMatches = (pattern: string, host: string): boolean => {
  if (pattern === '*') return true
  return pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
    : host === pattern
}

function portMatches(port: string | undefined, url: URL, allowed: string): boolean {
  const standard = DEFAULT_PORTS[url.protocol] ?? ''
  const actual = url.port === '' ? standard : url.port
  if (port === '*') return true
  return port === undefined
    ? actual === standard
    : port === actual || (port === '80' && actual === '443' && allowed === 'http:')
}

/** A path that ends in a slash is a folder; any other is one file. */
function pathMatches(pattern: string, path: string): boolean {
  if (pattern === '/') return true
  const [wanted, actual] = [decoded(pattern), decoded(path)]
  return wanted.endsWith('/') ? actual.startsWith(wanted) : actual === wanted
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
