import { Parser } from 'htmlparser2'
import type { ScriptTag } from './policy/allows.ts'

/** What of a page concerns us. A snippet inside a comment is none. */
export type PageFacts = {
  readonly scripts: readonly (ScriptTag & { readonly src: string })[]
  /** The publishable keys of the elements, in the order in which they stand; empty text where one has none. */
  readonly elementKeys: readonly string[]
  /** Of `meta` elements in the head. */
  readonly policies: readonly string[]
  readonly base: string | null
  /** A key that must never stand on a page; also in a comment, where everybody can read it, too. */
  readonly hasSecretKey: boolean
}

const SECRET = /\bt(?:th|ag|ac|pv|ib|sb|ci|ck|us)_[0-9a-f]{48}\b|\bwhsec_[A-Za-z0-9+/]{20,}/

export function readPage(html: string): PageFacts {
  const scripts: (ScriptTag & { src: string })[] = []
  const elementKeys: string[] = []
  const policies: string[] = []
  let base: string | null = null
  let isInBody = false
  const parser = new Parser({
    onopentag(name, given) {
      if (name === 'body') isInBody = true
      else if (name === 'base') base ??= given.href ?? null
      else if (name === 'service-assistant') elementKeys.push((given['publishable-key'] ?? '').trim())
      else if (name === 'script' && given.src !== undefined) {
        scripts.push({ src: given.src, nonce: given.nonce ?? null, integrity: given.integrity ?? null })
      } else if (name === 'meta' && !isInBody && given['http-equiv']?.trim().toLowerCase() === POLICY) {
        policies.push(given.content ?? '')
      }
    },
  })
  parser.end(html)
  return { scripts, elementKeys, policies, base, hasSecretKey: SECRET.test(html) }
}

const POLICY = 'content-security-policy'
