import type { Policy } from './parse-policy.ts'
import { matchesSource } from './source.ts'

/** A script element as it stands on the page. */
export type ScriptTag = { readonly nonce: string | null; readonly integrity: string | null }

/** The first of these directives that the policy has decides; with none of them everything is allowed. */
function sourcesOf(policy: Policy, names: readonly string[]): readonly string[] | null {
  for (const name of names) {
    const sources = policy.get(name)
    if (sources !== undefined) return sources
  }
  return null
}

/** May a script of this address, written into the page like this, be loaded and run? */
export function allowsScript(policy: Policy, url: URL, page: URL, { nonce, integrity }: ScriptTag): boolean {
  const sandbox = policy.get('sandbox')
  if (sandbox !== undefined && !sandbox.some((flag) => flag.toLowerCase() === 'allow-scripts')) return false
  const sources = sourcesOf(policy, ['script-src-elem', 'script-src', 'default-src'])
  if (sources === null) return true
  if (nonce !== null && nonce !== '' && sources.includes(`'nonce-${nonce}'`)) return true
  if (isListedByHash(sources, integrity)) return true
  // With it, who stands in the page needs a nonce or a hash: addresses count no more.
  const isDynamic = sources.some((source) => source.toLowerCase() === "'strict-dynamic'")
  return !isDynamic && sources.some((source) => matchesSource(source, url, page))
}

/** May the page call this address? */
export function allowsConnect(policy: Policy, url: URL, page: URL): boolean {
  const sources = sourcesOf(policy, ['connect-src', 'default-src'])
  return sources === null || sources.some((source) => matchesSource(source, url, page))
}

const HASH = /^'(sha(?:256|384|512)-[\w+/=-]+)'$/

/** A script from outside is allowed by hash when every hash of its `integrity` is listed. */
function isListedByHash(sources: readonly string[], integrity: string | null): boolean {
  const asked = (integrity ?? '').split(/\s+/).filter((hash) => /^sha(?:256|384|512)-/.test(hash))
  if (asked.length === 0) return false
  const listed = new Set(sources.flatMap((source) => HASH.exec(source)?.[1] ?? []).map(sameBase64))
  return asked.every((hash) => listed.has(sameBase64(hash.split('?', 1)[0] ?? '')))
}

const sameBase64 = (hash: string): string => hash.replaceAll('-', '+').replaceAll('_', '/')
