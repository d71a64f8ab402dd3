// Finds the read that a question means, by its words alone. Words of the name count most, and rare words more than common
// ones.

import type { OfferedTool } from '../../kernel/model/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import { type Filled, fillArguments, type Question } from './fill-arguments.ts'
import { READ_VERBS } from './lexicon.ts'
import { kindOf, propertiesOf } from './properties.ts'
import { isContent, meet, termsIn, termsOfWord } from './words.ts'

export type Choice = {
  readonly tool: OfferedTool
  readonly filled: Filled
  readonly fit: number
  /** The share of the question that its words and its values cover. */
  readonly share: number
  /** `isNamed`: the question contains half of its name. `isCalled`: it contains all of it, including the verb. */
  readonly isNamed: boolean
  readonly isCalled: boolean
}

/** Returns the reads that the question may mean, the best first. */
export function chooseReads(tools: readonly OfferedTool[], question: Question): Choice[] {
  const described = tools.map(describeTool)
  const reads = described.filter(({ tool }) => !tool.isWrite)
  const asked = termsIn(question.text)
  const spoken = new Set(wordsIn(question.text).flatMap(termsOfWord))
  const rarity = rarities(described)
  const content = contentWords(question.text)
  const hasThing = namesThing(question.text)
  const found = reads.flatMap((one) => weighTool(one, { asked, spoken, content, hasThing, rarity, question }) ?? [])
  // If the question names a code, only a tool that takes the code answers it.
  const takesThing = found.some(({ filled }) => filled.usesThing)
  return found
    .filter(({ filled }) => filled.usesThing || !(takesThing && hasThing))
    .toSorted((one, other) => other.fit - one.fit)
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
  const hasVerb = READ_VERBS.has(first)
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

type Judging = {
  readonly asked: ReadonlySet<string>
  /** The terms of all its words, those that say little included. */
  readonly spoken: ReadonlySet<string>
  readonly content: readonly string[]
  readonly hasThing: boolean
  readonly rarity: (term: string) => number
  readonly question: Question
}

function weighTool(
  { tool, verb, nouns, weights }: Described,
  { asked, spoken, content, hasThing, rarity, question }: Judging,
): Choice | undefined {
  const hits = [...asked].filter((term) => weights.has(term))
  const met = nouns.filter((noun) => meet(noun, asked)).length / Math.max(1, nouns.length)
  const filled = fillArguments(tool, question)
  const said = content.filter((word) => termsOfWord(word).some((term) => (weights.get(term) ?? 0) >= 1))
  const values = new Set([...filled.spans, ...filled.doubtful].flatMap(wordsIn))
  const sure = new Set(filled.spans.filter((one) => !filled.left.includes(one)).flatMap(wordsIn))
  const isWhole = said.length > 0 && content.every((word) => sure.has(word) || said.includes(word))
  const covered = content.filter((word) => values.has(word) || termsOfWord(word).some((term) => weights.has(term)))
  const share = covered.length / Math.max(1, content.length)
  const isAbout = met >= ENOUGH_NOUNS || said.length >= ENOUGH_WORDS || isWhole || hasIdea(hits, weights)
  // A code that fits the tool's own pattern is enough.
  if (!isAbout && !(filled.usesThing && filled.missing.length === 0 && hasOwnForm(tool))) return undefined
  const words = hits.reduce((sum, term) => sum + (weights.get(term) ?? 0) * rarity(term), 0)
  const evidence = 2 * filled.given.length - (hasThing && !filled.usesThing ? 3 : 0)
  const fit = words + 2 * met + 2 * share + (meet(verb, asked) ? 1 : 0) + evidence - filled.missing.length
  const isNamed = met >= ENOUGH_NOUNS
  // "Find" and "show" say nothing about a tool, but with the rest of its name they call it.
  const isSaid = meet(verb, spoken)
  return fit <= 0 ? undefined : { tool, filled, fit, share, isNamed, isCalled: met === 1 && isSaid }
}

const hasOwnForm = ({ parameters }: OfferedTool): boolean =>
  propertiesOf(parameters).some((property) => property.required && kindOf(property) === 'pattern')

/** "How much" consists of stop words, but it says what the visitor asks. */
const hasIdea = (hits: readonly string[], weights: ReadonlyMap<string, number>): boolean =>
  hits.some((term) => term.startsWith('#') && (weights.get(term) ?? 0) >= 1)

const contentWords = (text: string): string[] => [...new Set(wordsIn(text).filter(isContent))]

/** True if the text contains a word with a digit, such as an order number or a code. */
export const namesThing = (text: string): boolean => wordsIn(text).some((word) => /\d/.test(word))
