import { isInWindow, windowsOf } from '../../kernel/text/index.ts'

/** What may never run, whoever confirms it. A model's moderation classifier can stand behind the same port. */
export type Prohibition = {
  /** The principle that forbids the action, or null. It does not name the trigger, so that nobody can tune a request around it. */
  forbids(
    action: { readonly tool: string; readonly summary: string } & { readonly argumentsText: string },
  ): Promise<string | null>
}

export const PRINCIPLE = 'This request is refused under the child-safety policy.'

// Deterministic and small on purpose: words for minors and words for sexual material in the same text, in English and
// Georgian. Anything finer is the classifier's work. Many harmless things are naked (a colour, a cable, an eye), so nakedness
// counts only beside a minor or in a picture, and the minor of "a minor scratch" is not a person. `\b` knows only ASCII
// letters, so the edges of a word are spelt out.
const DAMAGE =
  'damages?|scratch(?:es)?|defects?|flaws?|stains?|dents?|cracks?|wear|issues?|problems?|delays?|changes?|faults?'
const AGE = '(?:[1-9]|1[0-7]) ?(?:years?|yrs?) ?olds?'
const MINORS = `child(?:ren)?|minors|minor(?![ ](?:${DAMAGE}))|under-?\\s?age|preteens?|toddlers?|infants?|kids?|schoolgirls?|schoolboys?|${AGE}|(?:სა)?ბავშვ\\p{L}*|არასრულწლოვ\\p{L}*`
const BARE = 'nudes?|naked|შიშვ\\p{L}*'
const IMAGES = 'photo(?:graph)?s?|pictures?|pics?|images?|videos?|selfies?|ფოტო\\p{L}*|სურათ\\p{L}*|ვიდეო\\p{L}*'
const BARE_IMAGE = `(?:${BARE}) (?:${IMAGES})|(?:${IMAGES})(?: of)?(?: the| an?)? (?:${BARE})|nudes of`
const SEXUAL = `porn(?:o\\p{L}*)?|sexual\\p{L}*(?![ ](?:education|health))|nudity|erotic\\p{L}*|${BARE_IMAGE}|პორნო\\p{L}*|სექსუალ\\p{L}*(?![ ]განათლებ)`

const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'giu')
const SPEAKS_OF_MINORS = words(MINORS)
const SPEAKS_OF_SEX = words(SEXUAL)
const ALONE = words(`csam|(?:${BARE}) (?:an? |the |my )?(?:${MINORS})|(?:${MINORS})(?:['’]s?)? nudes`)

export const ruleList: Prohibition = {
  async forbids({ summary, argumentsText }) {
    let ofMinors = false
    let ofSex = false
    for await (const window of windowsOf(`${summary}${APART}${argumentsText}`)) {
      ofMinors ||= isInWindow(window, SPEAKS_OF_MINORS)
      ofSex ||= isInWindow(window, SPEAKS_OF_SEX)
      if ((ofMinors && ofSex) || isInWindow(window, ALONE)) return PRINCIPLE
    }
    return null
  },
}

const APART = ' ; '

/** Every name and text of the arguments, unescaped: a word must not hide behind JSON's `\n` or `\u0063`. */
export function readable(argumentsText: string): string {
  const texts: string[] = []
  try {
    addTexts(texts, JSON.parse(argumentsText))
  } catch {
    return argumentsText
  }
  return texts.join(APART)
}

function addTexts(texts: string[], value: unknown): void {
  if (typeof value === 'string') texts.push(value)
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) texts.push(name)
    addTexts(texts, inner)
  }
}
