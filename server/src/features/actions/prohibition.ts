import { normalized } from '../../foundation/text/index.ts'
import type { ActionRow } from './queries.ts'

/** What may never be run, whoever confirms it. A moderation classifier of a model can stand behind the same port. */
export type Prohibition = {
  /** The principle that forbids it, or null. It names the principle and not the trigger, so that nobody can tune around it. */
  forbids(action: Pick<ActionRow, 'tool' | 'summary'> & { readonly argumentsText: string }): Promise<string | null>
}

export const PRINCIPLE = 'This request is refused under the child-safety policy. It cannot be confirmed.'

// Deterministic and small on purpose: in the same text, words that speak of minors and words that speak of sexual material,
// in English and Georgian; everything finer is the classifier's work. A naked child is a matter of words that stand beside
// each other, because a shop sells nude tights in children's sizes; and a minor scratch is nobody. `\b` knows ASCII letters
// only, so the ends of a word are said in full.
const DAMAGE =
  'damages?|scratch(?:es)?|defects?|flaws?|stains?|dents?|cracks?|wear|issues?|problems?|delays?|changes?|faults?'
const MINORS = `child(?:ren)?|minors|minor(?![ ](?:${DAMAGE}))|under-?\\s?age|preteens?|toddlers?|infants?|kids?|schoolgirls?|schoolboys?|(?:სა)?ბავშვ\\p{L}*|არასრულწლოვ\\p{L}*`
const SEXUAL =
  'porn(?:o\\p{L}*)?|sexual\\p{L}*(?![ ](?:education|health))|nudity|erotic\\p{L}*|csam|პორნო\\p{L}*|სექსუალ\\p{L}*(?![ ]განათლებ)'
const BARE = 'nudes?|naked|შიშვ\\p{L}*'
const IMAGES = 'photos?|pictures?|pics?|images?|videos?|ფოტო\\p{L}*|სურათ\\p{L}*|ვიდეო\\p{L}*'

const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')
const SPEAKS_OF_MINORS = words(MINORS)
const SPEAKS_OF_SEX = words(SEXUAL)
const ALONE = words(
  `csam|(?:${BARE}) (?:(?:${IMAGES}) )?(?:of )?(?:an? |the )?(?:${MINORS})|(?:${MINORS})(?:['’]s?)? (?:nudes|(?:${BARE}) (?:${IMAGES}))`,
)

export const ruleList: Prohibition = {
  forbids: async ({ summary, argumentsText }) => {
    const text = plain(`${summary}${APART}${argumentsText}`)
    return ALONE.test(text) || (SPEAKS_OF_MINORS.test(text) && SPEAKS_OF_SEX.test(text)) ? PRINCIPLE : null
  },
}

/** As a reader sees it: without accents, without what has no width, and with one blank wherever words part. */
const plain = (text: string): string =>
  normalized(text, 'NFKC')
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .replace(/[\s_-]+/g, ' ')

const APART = ' ; '

/** Every name and text of the arguments, as they are and not as JSON writes them: a word must not hide behind `\n` or `\u0063`. */
export function readable(argumentsText: string): string {
  try {
    return textsOf(JSON.parse(argumentsText)).join(APART)
  } catch {
    return argumentsText
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
}
