// Packs as large as they may be.
import { members, times } from '../case.ts'
import { prose } from '../ordinary.ts'

export type WordOf = (domain: number, word: number) => string

export const lexicon = (words: WordOf) => members(40, 'd', (domain) => times(200, (word) => words(domain, word)))

export const MARKED_WORDS: WordOf = (domain, word) => `${'\u0301\u0316'.repeat(20)}a${domain} ${word}`
export const ORDINARY_WORDS: WordOf = (domain, word) => `${prose(40, domain * 31 + word)} ${domain} ${word}`
