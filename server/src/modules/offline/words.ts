// Turns the words of a text into comparable terms: stems, and `#idea` if the lexicon knows one.
import type { Language } from '@tether/contract'
import { memoizedTexts } from '../../kernel/memo/index.ts'
import { formsOf, stemOf, wordsIn } from '../../kernel/text/index.ts'
import { ENGLISH, ideasOfGeorgian, PHRASES, STOP_WORDS } from './lexicon.ts'

const GEORGIAN = /\p{Script=Georgian}/u

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

/** "I'd" is a stop word because "I" is. */
export function isContent(word: string): boolean {
  const bare = word.replace(/['’](?:d|ll|ve|re|m|s|t)?$/, '')
  return bare.length > 1 && !STOP_WORDS.has(bare)
}

export function ideasOf(word: string): readonly string[] {
  if (GEORGIAN.test(word)) return ideasOfGeorgian(word)
  return [...new Set([...(ENGLISH.get(word) ?? []), ...(ENGLISH.get(stemOf(word)) ?? [])])]
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
