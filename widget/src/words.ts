import type { Language } from '@tether/contract'
import { LETTERS } from './letters.ts'
import { EN, type Words } from './words-en.ts'
import { KA } from './words-ka.ts'

export type { Words }

/** The bundle holds the Georgian words in Latin letters (`build.ts` says why), and this reads them back. */
const georgian = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => String.fromCharCode(0x10d0 + LETTERS.indexOf(letter)))

const words = georgian(KA).split('|')
const GEORGIAN = Object.fromEntries(Object.keys(EN).map((name, at) => [name, words[at]])) as Words

export const wordsOf = (language: Language): Words => (language === 'ka' ? GEORGIAN : EN)
