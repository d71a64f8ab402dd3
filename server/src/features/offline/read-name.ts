// Reads names of people, places and streets.

import type { FoundValue, ReadingContext } from './found-value.ts'
import { ownTerms, type Property } from './properties.ts'
import { meet, termsIn } from './words.ts'

// A proper name in Latin letters after a preposition: Dr. Beridze, 12 Chavchavadze Avenue, Ursula Le Guin.
const NAMED =
  /\b(in|at|to|from|near|for|with|by|of)\s+((?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+|\d{1,5}\p{L}?\s+(?=\p{Lu}))?\p{Lu}[\p{L}'’-]*(?:\s+(?:\p{Lu}[\p{L}'’-]*|\d{1,5}\p{L}?(?![\p{L}\p{N}-])|of|de|van|le|la))*)/gu
const PLACED = /(?<!\p{L})([\p{Script=Georgian}]{3,40}?)(?:ში|დან|(?<=[აეოუ])სთან|თან|ზე)(?!\p{L})/gu
const VOWEL_END = /[აეოუი]$/u
const PLACES = /city|town|context|country|region|district|location|destination|origin|ქალაქ|უბან|უბნ|რაიონ|ადგილ/iu
const PEOPLE = /\b(?:person|name|author|owner|with|whom?)\b|სახელ/iu
const TITLED = /^(?:Dr|Mr|Mrs|Ms|Prof)\b/u
const STREETS = /address|street|მისამართ/iu

export const isStreet = ({ name: called, description }: Property): boolean => STREETS.test(`${called} ${description}`)

export function readName(property: Property, { source, taken, tool }: ReadingContext): FoundValue | undefined {
  const own = new Set([...termsIn(tool.name.replaceAll('_', ' ')), ...ownTerms(property)])
  const isFree = (value: string) => !taken.has(value) && !meet(termsIn(value), own)
  const [value] = [...source.matchAll(NAMED)]
    .map(([, before = '', one = '']) => ({ before, one: one.replace(/\s+(?:of|de|van|le|la)$/u, '') }))
    .flatMap(({ before, one }) => (isFree(one) && isOfKind(property, one, before.toLowerCase()) ? [one] : []))
  if (value !== undefined) return { value, span: value }
  if (!PLACES.test(`${property.name} ${property.description}`)) return undefined
  const [context] = [...source.matchAll(PLACED)].filter(([, stem = '']) => isFree(stem))
  return context === undefined ? undefined : { value: nominative(context[0]), span: context[0] }
}

/** An address may have a number, but a person or a town has none. */
function isOfKind(property: Property, value: string, before: string): boolean {
  if (isStreet(property)) return before === 'to' || before === 'at'
  const about = `${property.name} ${property.description}`
  if (/\d/.test(value)) return false
  return PLACES.test(about)
    ? !['with', 'by', 'of'].includes(before)
    : (PEOPLE.test(about) || TITLED.test(value)) && !['in', 'at', 'near'].includes(before)
}

/** Turns ბათუმში into ბათუმი and ბერიძესთან into ბერიძე, as a form of the business has it. */
export function nominative(word: string): string {
  const stem = /^\p{Script=Georgian}+$/u.test(word)
    ? word.replace(/^(\p{L}{2,}?)(?:ში|დან|(?<=[აეოუი])სთან|თან|ზე)$/u, '$1')
    : word
  return stem === word || VOWEL_END.test(stem) ? stem : `${stem}ი`
}
