// Turns the words of a text into comparable terms: stems, and `#idea` if the lexicon knows one.
import type { Language } from '@tether/contract'
import { memoizedTexts } from '../../foundation/memo/index.ts'
import { normalized } from '../../foundation/text/index.ts'
import { verbKey } from './georgian-verbs.ts'
import { ENGLISH, ideasOfGeorgian, PHRASES, STOP_WORDS } from './lexicon.ts'

const GEORGIAN = /\p{Script=Georgian}/u
// Nobody's word is longer than the longest of these, and endings are looked for in each.
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]{0,63}/gu
const MOST_WORDS = 2_000
const MOST_CHARACTERS = 20_000

/** The language that the system message of a turn asks for. Other requests name none. */
export function languageAsked(system: string): Language | undefined {
  const said = /\banswer in (georgian|english)\b/i.exec(system)?.[1]?.toLowerCase()
  return said === undefined ? undefined : said === 'georgian' ? 'ka' : 'en'
}

/**
 * The language of the system message, otherwise of the letters that the visitor wrote last. A bare code has no
 * language.
 */
export function conversationLanguage(system: string, written: readonly string[]): Language {
  const asked = languageAsked(system)
  if (asked !== undefined) return asked
  const telling = written.find((text) => /(?<![\p{L}\p{N}_-])\p{L}{2,}(?![\p{L}\p{N}_-])/u.test(text)) ?? ''
  return GEORGIAN.test(telling) ? 'ka' : 'en'
}

/** "Do not" in either language. */
export const NEGATION =
  /\b(don'?t|do not|never|not|no longer|without|\w+n['’]t)\b|(?<![\p{L}])(არ|ნუ|აღარ|არასოდეს|ვერ)(?![\p{L}])/iu

// In "2026-12-21-ში" the ending belongs to the language, not to the date.
const ENDING_OF_FIGURE = /(?<=\d)-\p{Script=Georgian}{1,5}(?!\p{L})/gu

export const wordsIn = (text: string): string[] =>
  (
    normalized(text.slice(0, MOST_CHARACTERS), 'NFKC').replace(ENDING_OF_FIGURE, ' ').toLowerCase().match(WORD) ?? []
  ).slice(0, MOST_WORDS)

/** "I'd" is a stop word because "I" is. */
export function isContent(word: string): boolean {
  const bare = word.replace(/['’](?:d|ll|ve|re|m|s|t)?$/, '')
  return bare.length > 1 && !STOP_WORDS.has(bare)
}

const ENDINGS =
  'ებისთვის ებიდან ისთვის ებთან ებში ებზე ების ებით ებმა ებია თვის იდან ებს ები დან თან მდე ში ზე ის ით ად მა ს ი ა ო ე'.split(
    ' ',
  )
const GEORGIAN_STEM = 6
/** A preverb of two letters, the dot and a root of one. Such short keys would match by chance. */
const LEAST_KEY = 4

function georgianStem(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 3) ?? ''
  return word.slice(0, word.length - ending.length).slice(0, GEORGIAN_STEM)
}

function englishStem(word: string): string {
  const bare = word.replace(/['’]s?$/, '')
  if (/\d/.test(bare) || bare.length < 4) return bare.replace(/^(.{2,})s$/, '$1')
  const cut = bare
    .replace(/(ies|ied)$/, 'y')
    .replace(/(ations?|ation)$/, 'at')
    .replace(/(sses|xes|ches|shes)$/, (ending) => ending.slice(0, -2))
    .replace(/([^s])s$/, '$1')
    .replace(/(.{3,})(ing|ed)$/, '$1')
    .replace(/(.{3,})[ye]$/, '$1')
  return /([bdgmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut
}

export const stemOf = (word: string): string => (GEORGIAN.test(word) ? georgianStem(word) : englishStem(word))

export function ideasOf(word: string): readonly string[] {
  if (GEORGIAN.test(word)) return ideasOfGeorgian(word)
  return [...new Set([...(ENGLISH.get(word) ?? []), ...(ENGLISH.get(englishStem(word)) ?? [])])]
}

/** What the forms of a word have in common: its stem, and of a Georgian verb its preverb and root. */
export function formsOf(word: string): readonly string[] {
  const key = GEORGIAN.test(word) ? verbKey(word) : undefined
  return key !== undefined && key.length > LEAST_KEY ? [stemOf(word), key] : [stemOf(word)]
}

const KEPT = { max: 4_000 }

export const termsOfWord = memoizedTexts(
  (word): readonly string[] => [...formsOf(word), ...ideasOf(word).map((idea) => `#${idea}`)],
  KEPT,
)

/** The terms of a whole text, without stop words. We keep them, because a catalog's texts recur with every question. */
export const termsIn = memoizedTexts((text): ReadonlySet<string> => {
  const words = wordsIn(text)
  const line = ` ${words.join(' ')}`
  const phrases = PHRASES.filter(({ phrase }) => line.includes(` ${phrase}`)).map(({ name }) => `#${name}`)
  return new Set([...words.filter(isContent).flatMap(termsOfWord), ...phrases])
}, KEPT)

export const meet = (one: Iterable<string>, others: ReadonlySet<string>): boolean => {
  for (const term of one) if (others.has(term)) return true
  return false
}
