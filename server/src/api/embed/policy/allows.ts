import { matchesSource } from './source.ts'

// Parses Content-Security-Policy, level 3, as far as it decides whether our script may load and call us.

/**
 * One policy: its directives by name, each with its source expressions as written. All policies of a page must allow a
 * request.
 */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>

/**
 * A header may contain several policies, and a page may send several headers. If a directive occurs twice, the first
 * counts.
 */
export function parsePolicies(header: string): ContentPolicy[] {
  return header.split(',').flatMap((text) => {
    const directives = new Map<string, readonly string[]>()
    for (const part of text.split(';')) {
      const [name = '', ...sources] = part.trim().split(/[\t\n\f\r ]+/)
      const known = name.toLowerCase()
      if (known !== '' && !directives.has(known)) directives.set(known, sources)
    }
    return directives.size === 0 ? [] : [directives]
  })
}

/** A script element as it is on the page. */
export type ScriptTag = { readonly nonce: string | null; readonly integrity: string | null }

/** The first of these directives in the policy decides. Without any of them, everything is allowed. */
function sourcesOf(policy: ContentPolicy, names: readonly string[]): readonly string[] | null {
  for (const name of names) {
    const sources = policy.get(name)
    if (sources !== undefined) return sources
  }
  return null
}

/** True if the policy lets the page load and run this script, written into the page like this. */
export function allowsScript(policy: ContentPolicy, url: URL, page: URL, { nonce, integrity }: ScriptTag): boolean {
  const sandbox = policy.get('sandbox')
  if (sandbox !== undefined && !sandbox.some((flag) => flag.toLowerCase() === 'allow-scripts')) return false
  const sources = sourcesOf(policy, ['script-src-elem', 'script-src', 'default-src'])
  if (sources === null) return true
  if (nonce !== null && nonce !== '' && sources.includes(`'nonce-${nonce}'`)) return true
  if (isListedByHash(sources, integrity)) return true
  // With 'strict-dynamic', a script in the page needs a nonce or a hash, and addresses no longer count.
  const isDynamic = sources.some((source) => source.toLowerCase() === "'strict-dynamic'")
  return !isDynamic && sources.some((source) => matchesSource(source, url, page))
}

/** True if the policy lets the page call this address. */
export function allowsConnect(policy: ContentPolicy, url: URL, page: URL): boolean {
  const sources = sourcesOf(policy, ['connect-src', 'default-src'])
  return sources === null || sources.some((source) => matchesSource(source, url, page))
}

const HASH = /^'(sha(?:256|384|512)-[\w+/=-]+)'$/

/** A hash allows an external script only if every hash of its `integrity` is listed. */
function isListedByHash(sources: readonly string[], integrity: string | null): boolean {
  const asked = (integrity ?? '').split(/\s+/).filter((hash) => /^sha(?:256|384|512)-/.test(hash))
  if (asked.length === 0) return false
  const listed = new Set(sources.flatMap((source) => HASH.exec(source)?.[1] ?? []).map(sameBase64))
  return asked.every((hash) => listed.has(sameBase64(hash.split('?', 1)[0] ?? '')))
}

const sameBase64 = (hash: string): string => hash.replaceAll('-', '+').replaceAll('_', '/')
