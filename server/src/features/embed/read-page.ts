import { Parser } from 'htmlparser2'
import type { ScriptTag } from './policy/allows.ts'

/** The facts of a page that we need. A snippet inside a comment does not count. */
export type PageFacts = {
  readonly scripts: readonly (ScriptTag & { readonly src: string })[]
  /** The publishable keys of the elements, in order, with an empty text for an element without one. */
  readonly elementKeys: readonly string[]
  /** The policies in `meta` elements of the head. */
  readonly policies: readonly string[]
  readonly base: string | null
  /**
   * True if the page contains a key that must never be on a page, even in a comment, where everybody can read it as
   * well.
   */
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
