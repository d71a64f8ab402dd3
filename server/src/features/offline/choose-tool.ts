// Finds the tool that a question means, by its words alone. Words of the name count most, and rare words more than
// common ones.
import type { OfferedTool } from '../../foundation/model/index.ts'
import { type Filled, fillArguments, propertiesOf, type Question } from './fill-arguments.ts'
import { READ_VERBS } from './lexicon.ts'
import { isContent, meet, termsIn, termsOfWord, wordsIn } from './words.ts'

export type Choice = {
  readonly tool: OfferedTool
  readonly filled: Filled
  readonly fit: number
  /** True if the question contains its verb and its nouns. */
  readonly isNamed: boolean
  /** The share of the question that its words cover. */
  readonly share: number
}

/** "Order 2 of these" is a request, but "my order" is a thing. */
const BUYS = /(?:^|\b(?:please|to|me|you)\s+)order\s+(?:me\s+|us\s+)?(?:\d+\s|an?\s|some\s|one\s|two\s|three\s)/i

/** Returns the tools that the question may mean, the best first. */
export function chooseTools(tools: readonly OfferedTool[], question: Question): Choice[] {
  const buys = BUYS.test(question.text) ? ['#create', '#order'] : []
  const asked = new Set([...termsIn(question.text), ...buys])
  const described = tools.map(describeTool)
  const rarity = rarities(described)
  const ofVerb = described.filter(({ tool, verb }) => tool.isWrite && meet(verb, asked)).length
  return described
    .map((one) => weigh(one, { asked, rarity, question, isOnlyVerb: ofVerb === 1 }))
    .filter((choice) => choice !== undefined)
    .sort((one, other) => other.fit - one.fit)
}

type Described = {
  readonly tool: OfferedTool
  readonly verb: readonly string[]
  readonly nouns: readonly (readonly string[])[]
  readonly weights: ReadonlyMap<string, number>
}

function describeTool(tool: OfferedTool): Described {
  const words = tool.name.split('_').filter(Boolean)
  const [first = ''] = words
  // The name of a write begins with what it does.
  const hasVerb = tool.isWrite || READ_VERBS.has(first)
  const weights = new Map<string, number>()
  const weigh = (terms: Iterable<string>, weight: number) => {
    for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  for (const property of propertiesOf(tool.parameters)) {
    weigh(termsIn(`${property.name.replaceAll('_', ' ')} ${property.description}`), 0.4)
    weigh(
      property.choices.flatMap((choice) => [...termsIn(choice.replaceAll('_', ' '))]),
      1.5,
    )
  }
  weigh(termsIn(tool.description), 1)
  weigh(words.flatMap(termsOfWord), 3)
  return {
    tool,
    verb: hasVerb ? termsOfWord(first) : [],
    nouns: words.slice(hasVerb ? 1 : 0).map(termsOfWord),
    weights,
  }
}

function rarities(described: readonly Described[]): (term: string) => number {
  const counts = new Map<string, number>()
  for (const { weights } of described) for (const term of weights.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + described.length / (counts.get(term) ?? 1))
}

const ENOUGH_WORDS = 2
const ENOUGH_NOUNS = 0.5

type Weighing = {
  readonly asked: ReadonlySet<string>
  readonly rarity: (term: string) => number
  readonly question: Question
  /** True if no other write has the verb of the question. */
  readonly isOnlyVerb: boolean
}

function weigh({ tool, verb, nouns, weights }: Described, judging: Weighing): Choice | undefined {
  const { asked, rarity, question, isOnlyVerb } = judging
  const { isWrite } = tool
  const hits = [...asked].filter((term) => weights.has(term))
  const met = nouns.filter((noun) => meet(noun, asked)).length / Math.max(1, nouns.length)
  const isSaid = meet(verb, asked)
  if (isWrite && !(isSaid && (isOnlyVerb || met > 0))) return undefined
  const filled = fillArguments(tool, question)
  const said = contentWords(question.text).filter((word) =>
    termsOfWord(word).some((term) => (weights.get(term) ?? 0) >= 1),
  )
  const share = shareOf(question.text, weights)
  const isAbout = met >= ENOUGH_NOUNS || said.length >= ENOUGH_WORDS || (share === 1 && said.length > 0)
  // A code that only this kind of tool takes is enough.
  if (!isWrite && !isAbout && !(filled.usesThing && filled.missing.length === 0)) return undefined
  const words = hits.reduce((sum, term) => sum + (weights.get(term) ?? 0) * rarity(term), 0)
  // A write whose own verb is in the question comes before a read of the same thing.
  const verbs = isWrite ? 4 : isSaid ? 1 : 0
  const evidence = 2 * filled.given.length - (namesThing(question.text) && !filled.usesThing ? 3 : 0)
  const fit = words + 2 * met + verbs + evidence - filled.missing.length
  if (fit <= 0) return undefined
  return { tool, filled, fit, isNamed: isSaid && met === 1, share }
}

function shareOf(text: string, weights: ReadonlyMap<string, number>): number {
  const words = contentWords(text)
  const covered = words.filter((word) => termsOfWord(word).some((term) => weights.has(term)))
  return covered.length / Math.max(1, words.length)
}

const contentWords = (text: string): string[] => [...new Set(wordsIn(text).filter(isContent))]

/** True if the text contains a word with a digit, such as an order number or a code. */
export const namesThing = (text: string): boolean => wordsIn(text).some((word) => /\d/.test(word))
