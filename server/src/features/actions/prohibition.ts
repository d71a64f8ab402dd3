import { stringifyJson } from '../../foundation/json/index.ts'
import { normalized } from '../../foundation/text/index.ts'
import type { ActionRow } from './queries.ts'

/** What may never be run, whoever confirms it. A moderation classifier of a model can stand behind the same port. */
export type Prohibition = {
  /** The principle that forbids it, or null. It names the principle and not the trigger, so that nobody can tune around it. */
  forbids(action: Pick<ActionRow, 'tool' | 'summary'> & { readonly argumentsText: string }): Promise<string | null>
}

export const PRINCIPLE = 'This request is refused under the child-safety policy. It cannot be confirmed.'

// Deterministic and small on purpose: words that speak of minors beside words that speak of sexual material, in the same
// text, in English and Georgian. Everything finer is the classifier's work. `\b` knows ASCII letters only, so the ends of
// a word are said in full.
const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')
const MINORS = words(
  'child(?:ren)?|minors?|under-?\\s?age|preteens?|toddlers?|infants?|kids?|schoolgirls?|schoolboys?|ბავშვ\\p{L}*|არასრულწლოვ\\p{L}*',
)
const SEXUAL = words(
  'porn\\p{L}*|sexual\\p{L}*|nudes?|nudity|naked|erotic\\p{L}*|csam|პორნო\\p{L}*|სექსუალ\\p{L}*|შიშვ\\p{L}*',
)
const ALONE = words('csam')

export const ruleList: Prohibition = {
  forbids: async ({ summary, argumentsText }) => {
    const text = normalized(`${summary}\n${argumentsText}`, 'NFKC')
    return ALONE.test(text) || (MINORS.test(text) && SEXUAL.test(text)) ? PRINCIPLE : null
  },
}

/** Escapes are spelt out: a word must not hide behind `\\u0063`. */
export const readable = (argumentsText: string): string => {
  try {
    return stringifyJson(JSON.parse(argumentsText))
  } catch {
    return argumentsText
  }
}
