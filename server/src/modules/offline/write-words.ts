// The words by which a message can mean a write: its verb, and the things it is about. The name begins with the verb, the
// description does too, and in Georgian the description contains it as a noun (ვიზიტის გაუქმება).
import { memoized } from '../../kernel/memo/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'
import { isImperative, isVerbalNoun, isWished, verbKey, wordsIn } from '../../kernel/text/index.ts'
import { partsIn } from '../../tools/labels/index.ts'
import { propertiesOf } from './properties.ts'
import type { IsVerb } from './wish.ts'
import { isContent, meet, termsIn, termsOfWord } from './words.ts'

export type WriteWords = {
  readonly isVerb: IsVerb
  /** The words of its name without the verb. */
  readonly nouns: readonly (readonly string[])[]
  /** All other terms of its description and its arguments. */
  readonly speaksOf: ReadonlySet<string>
  /** True if the visitor gets the thing in its name, as with `order_taxi`. */
  readonly brings: boolean
}

type FixedWords = Omit<WriteWords, 'isVerb'> & {
  readonly verbTerms: ReadonlySet<string>
  readonly georgianVerbs: ReadonlySet<string>
}

const GEORGIAN = /\p{Script=Georgian}/u
/** "Order 2 of these" is a wish, but "my order" is a thing. */
const BUYS = /(?:^|\b(?:please|to|me|you)\s+)order\s+(?:me\s+|us\s+)?(?:\d+\s|an?\s|some\s|one\s|two\s|three\s)/i
const BUYING = new Set(['order', 'buy'])
const ASKING = new Set(['request', 'ask', 'order', 'schedule', 'book', 'arrange'])
const BRINGING = new Set(
  'add arrange ask book buy call create get make open order place request reserve schedule send'.split(' '),
)

export function wordsOfWrite(tool: OfferedTool, text: string): WriteWords {
  const words = fixedWords(tool)
  const creates = words.verbTerms.has('#create')
  const buys = creates && BUYS.test(text)
  const isVerb = (word: string): boolean => {
    if (isOwnVerb(word, words)) return true
    if (buys) return BUYING.has(word)
    // შემიკვეთეთ asks for an order, and შეკვეთა is one.
    return creates && (isImperative(word) || isWished(word)) && isOrdering(word)
  }
  return { ...words, isVerb }
}

const isOrdering = (word: string): boolean => verbKey(word) !== undefined && termsOfWord(word).includes('#order')

type VerbWords = Pick<FixedWords, 'verbTerms' | 'georgianVerbs'>

function isOwnVerb(word: string, { verbTerms, georgianVerbs }: VerbWords): boolean {
  const key = GEORGIAN.test(word) ? verbKey(word) : undefined
  return (key !== undefined && georgianVerbs.has(key)) || meet(termsOfWord(word), verbTerms)
}

const fixedWords = memoized((tool: OfferedTool): FixedWords => {
  const [first = '', ...rest] = tool.name.split('_').filter(Boolean)
  const openings = partsIn(tool.description, 'en').map((part) => wordsIn(part)[0] ?? '')
  const described = openings.filter(
    (word) => isContent(word) && !/(?:ing|ion|ed)$/.test(word) && !rest.includes(word.replace(/s$/, '')),
  )
  // A visitor who wants `request_cleaning` says "clean".
  const requested = ASKING.has(first) ? rest.filter((word) => word.endsWith('ing')) : []
  const verb = {
    verbTerms: new Set([first, ...described, ...requested].flatMap(termsOfWord)),
    georgianVerbs: new Set(georgianNouns(tool).flatMap((word) => verbKey(word) ?? [])),
  }
  return { ...verb, nouns: rest.map(termsOfWord), speaksOf: otherTerms(tool, verb), brings: BRINGING.has(first) }
})

const georgianNouns = ({ description }: OfferedTool): string[] =>
  partsIn(description, 'ka').flatMap((part) => wordsIn(part).filter(isVerbalNoun))

function otherTerms({ description, parameters }: OfferedTool, verb: VerbWords): Set<string> {
  const words = wordsIn(description).filter((word) => isContent(word) && !isOwnVerb(word, verb))
  const fields = propertiesOf(parameters).flatMap((one) => [one.name, one.description, ...one.choices])
  return new Set([
    ...words.flatMap(termsOfWord),
    ...fields.flatMap((field) => [...termsIn(field.replaceAll('_', ' '))]),
  ])
}
