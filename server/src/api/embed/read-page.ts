import { Parser } from 'htmlparser2'
import type { ScriptTag } from './policy/allows.ts'

/** The facts of a page that we need. A snippet inside a comment does not count. */
export type PageFacts = {
  /** Those that may be the widget's. */
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

// The parser moves its whole stack with every opening, so that a page of half a megabyte of `<b>` held everybody for seconds.
// The deepest of 317 real pages is at 35.
const DEEPEST = 256
/** Of an address and of a policy: what is longer is nobody's, and looking at it is not free. */
const LONGEST_ADDRESS = 2_048
const LONGEST_POLICY = 16_384
const MOST_POLICIES = 20
const MOST_SCRIPTS = 100
const MOST_ELEMENTS = 100

class TooDeep extends Error {}

/** What is nested deeper than any page is where the reading ends; what stood before it counts. */
export function readPage(html: string): PageFacts {
  const scripts: (ScriptTag & { src: string })[] = []
  const elementKeys: string[] = []
  const policies: string[] = []
  let base: string | null = null
  let isInBody = false
  let depth = 0
  const parser = new Parser({
    onopentagname() {
      if (++depth > DEEPEST) throw new TooDeep()
    },
    onclosetag() {
      depth--
    },
    onopentag(name, given) {
      if (name === 'body') isInBody = true
      else if (name === 'base') base ??= (given.href ?? '').length > LONGEST_ADDRESS ? null : (given.href ?? null)
      else if (name === 'service-assistant') {
        if (elementKeys.length < MOST_ELEMENTS) elementKeys.push((given['publishable-key'] ?? '').trim())
      } else if (name === 'script' && mayBeOurs(given.src) && scripts.length < MOST_SCRIPTS) {
        const integrity = given.integrity?.slice(0, LONGEST_ADDRESS) ?? null
        scripts.push({ src: given.src, nonce: given.nonce ?? null, integrity })
      } else if (name === 'meta' && !isInBody && given['http-equiv']?.trim().toLowerCase() === POLICY) {
        if (policies.length < MOST_POLICIES) policies.push((given.content ?? '').slice(0, LONGEST_POLICY))
      }
    },
  })
  try {
    parser.end(html)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
  }
  return { scripts, elementKeys, policies, base, hasSecretKey: SECRET.test(html) }
}

const mayBeOurs = (src: string | undefined): src is string =>
  src !== undefined && src.length <= LONGEST_ADDRESS && src.includes('service-assistant')

const POLICY = 'content-security-policy'
