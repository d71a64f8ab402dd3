// The words of a text, and what the forms of one word have in common.
import { verbKey } from './georgian-verbs.ts'
import { normalized } from './normalized.ts'

const GEORGIAN = /\p{Script=Georgian}/u
// Nobody's word is longer than the longest of these, and endings are looked for in each.
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]{0,63}/gu
const MOST_WORDS = 2_000
const MOST_CHARACTERS = 20_000

// In "2026-12-21-ში" the ending belongs to the language, not to the date.
const ENDING_OF_FIGURE = /(?<=\d)-\p{Script=Georgian}{1,5}(?!\p{L})/gu

export const wordsIn = (text: string): string[] =>
  (
    normalized(text.slice(0, MOST_CHARACTERS), 'NFKC').replace(ENDING_OF_FIGURE, ' ').toLowerCase().match(WORD) ?? []
  ).slice(0, MOST_WORDS)

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

/** What the forms of a word have in common: its stem, and of a Georgian verb its preverb and root. */
export function formsOf(word: string): readonly string[] {
  const key = GEORGIAN.test(word) ? verbKey(word) : undefined
  return key !== undefined && key.length > LEAST_KEY ? [stemOf(word), key] : [stemOf(word)]
}
