// Finds the write that a message asks for, speaks of, or refuses. The catalog says what is a write, and the sentence says
// whether the visitor wants it.

import type { OfferedTool } from '../../kernel/model/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import { type Filled, fillArguments, type Question } from './fill-arguments.ts'
import { isRefused, wantsOne, wishesFor } from './wish.ts'
import { isContent, meet, termsOfWord } from './words.ts'
import { type WriteWords, wordsOfWrite } from './write-words.ts'

export type Wished = { readonly tool: OfferedTool; readonly filled: Filled; readonly fit: number }

const isThingOf =
  ({ nouns }: WriteWords) =>
  (word: string) =>
    nouns.some((noun) => meet(noun, new Set(termsOfWord(word))))

const writesOf = (tools: readonly OfferedTool[]) => tools.filter(({ isWrite }) => isWrite)

/** The best first. One whose verb fits and whose thing does not is not meant: "cancel my newspaper" cancels no visit. */
export function wishedIn(tools: readonly OfferedTool[], question: Question): Wished[] {
  const { text } = question
  return writesOf(tools)
    .flatMap((tool) => {
      const known = wordsOfWrite(tool, text)
      if (!wishesFor(text, known.isVerb) && !(known.brings && wantsOne(text, isThingOf(known)))) return []
      const filled = fillArguments(tool, question)
      const about = aboutOf(known, text, filled)
      if (about.things === 0 && about.strange > 0) return []
      return { tool, filled, fit: 4 * about.named + about.things + 2 * filled.given.length - filled.missing.length / 2 }
    })
    .toSorted((one, other) => other.fit - one.fit)
}

type About = {
  /** How much of its name was said, from 0 to 1. */
  readonly named: number
  /** How many words are about what it is about. */
  readonly things: number
  /** And how many are about something else. */
  readonly strange: number
}

function aboutOf({ isVerb, nouns, speaksOf }: WriteWords, text: string, { spans }: Pick<Filled, 'spans'>): About {
  const values = new Set(spans.flatMap(wordsIn))
  const words = wordsIn(text).filter(
    (word) => isContent(word) && !isVerb(word) && !values.has(word) && !/\d/.test(word),
  )
  const asked = new Set(words.flatMap(termsOfWord))
  const met = nouns.filter((noun) => meet(noun, asked)).length
  const own = words.filter((word) => termsOfWord(word).some((term) => speaksOf.has(term)))
  return { named: met / Math.max(1, nouns.length), things: met + own.length, strange: words.length - own.length }
}

/** `isSure`: not its verb alone, but its thing, too. */
export type Spoken = { readonly tool: OfferedTool; readonly isSure: boolean }

/** Spoken of, wished for or not. */
export const spokenOf = (tools: readonly OfferedTool[], text: string): Spoken | undefined =>
  writesOf(tools)
    .flatMap((tool) => {
      const known = wordsOfWrite(tool, text)
      const { named, things } = aboutOf(known, text, { spans: [] })
      return wordsIn(text).some(known.isVerb) ? { tool, isSure: things > 0, fit: 4 * named + things } : []
    })
    .toSorted((one, other) => other.fit - one.fit)[0]

export const refusedIn = (tools: readonly OfferedTool[], text: string): boolean =>
  writesOf(tools).some((tool) => isRefused(text, wordsOfWrite(tool, text).isVerb))
