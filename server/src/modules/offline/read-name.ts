// Reads names of people, places and streets.
import { wordsIn } from '../../kernel/text/index.ts'
import type { FoundValue, ReadingContext } from './found-value.ts'
import { isPerson, isPlace, isStreet, ownTerms, type Property } from './properties.ts'
import { isContent, meet, termsIn, termsOfWord } from './words.ts'

// A proper name in Latin letters after a preposition: Dr. Beridze, 12 Chavchavadze Avenue, Ursula Le Guin.
const NAMED =
  /\b(in|at|to|from|near|for|with|by|of)\s+((?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+|\d{1,5}\p{L}?\s+(?=\p{Lu}))?\p{Lu}[\p{L}'’-]*(?:\s+(?:\p{Lu}[\p{L}'’-]*|\d{1,5}\p{L}?(?![\p{L}\p{N}-])|of|de|van|le|la))*)/gu
const PLACED = /(?<!\p{L})([\p{Script=Georgian}]{3,40}?)(?:ში|დან|(?<=[აეოუ])სთან|თან|ზე)(?!\p{L})/gu
const VOWEL_END = /[აეოუი]$/u
const TITLED = /^(?:Dr|Mr|Mrs|Ms|Prof)\b/u

export function readName(property: Property, context: ReadingContext): FoundValue | undefined {
  const { source, taken, tool } = context
  const own = new Set([...termsIn(tool.name.replaceAll('_', ' ')), ...ownTerms(property)])
  // In New York City only one word is the argument's own.
  const isFree = (value: string) =>
    !taken.has(value) && !isTime(value) && !wordsIn(value).every((word) => meet(termsOfWord(word), own))
  const named = [...source.matchAll(NAMED)]
    .map(([, before = '', one = '']) => ({
      before: before.toLowerCase(),
      one: one.replace(/(?:\s+(?:of|de|van|le|la)|['’]s)$/u, ''),
    }))
    .filter(({ before, one }) => isFree(one) && isOfKind(property, one, before))
  // "At the Regal in San Ramon" names the town last.
  const [value] = named.toSorted((one, other) => Number(one.before === 'at') - Number(other.before === 'at'))
  if (value !== undefined) return { value: value.one, span: value.one }
  return isPlace(property) ? readPlaced(context, own, isFree) : undefined
}

/** ბათუმში names a place and მატარებელში does not. It is one where the tool knows everything else that was said. */
function readPlaced(
  { source, tool }: ReadingContext,
  own: ReadonlySet<string>,
  isFree: (value: string) => boolean,
): FoundValue | undefined {
  const [placed] = [...source.matchAll(PLACED)].filter(([, stem = '']) => isFree(stem))
  if (placed === undefined) return undefined
  const known = new Set([...own, ...termsIn(tool.description)])
  const rest = wordsIn(source.replace(placed[0], ' ')).filter(isContent)
  if (!rest.every((word) => meet(termsOfWord(word), known))) return undefined
  return { value: nominative(placed[0]), span: placed[0] }
}

const TIMES = new Set(
  [
    ...Array.from({ length: 12 }, (_, month) => named({ month: 'long' }, month, 1)),
    ...Array.from({ length: 7 }, (_, day) => named({ weekday: 'long' }, 0, day + 1)),
  ].map((one) => one.toLowerCase()),
)
function named(as: Intl.DateTimeFormatOptions, month: number, day: number): string {
  return new Intl.DateTimeFormat('en', as).format(new Date(2026, month, day))
}
/** March, Mondays: a time, even where a place would stand. */
export const isTime = (value: string): boolean =>
  wordsIn(value).every((word) => TIMES.has(word.replace(/s$/, '')) || /\d/.test(word))

/** An address may have a number, but a person or a town has none. */
function isOfKind(property: Property, value: string, before: string): boolean {
  if (isStreet(property)) return before === 'to' || before === 'at'
  if (/\d/.test(value)) return false
  return isPlace(property)
    ? !['with', 'by', 'of'].includes(before)
    : (isPerson(property) || TITLED.test(value)) && !['in', 'at', 'near'].includes(before)
}

/** Turns ბათუმში into ბათუმი and ბერიძესთან into ბერიძე, as a form of the business has it. */
export function nominative(word: string): string {
  const stem = /^\p{Script=Georgian}+$/u.test(word)
    ? word.replace(/^(\p{L}{2,}?)(?:ში|დან|(?<=[აეოუი])სთან|თან|ზე)$/u, '$1')
    : word
  return stem === word || VOWEL_END.test(stem) ? stem : `${stem}ი`
}
