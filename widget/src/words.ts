import type { Language } from '@tether/contract'
import { LETTERS } from './letters.ts'
import { EN, type Words } from './words-en.ts'
import { KA } from './words-ka.ts'

export type { Words }

/** In the bundle the Georgian words are written in Latin letters (`build.ts` says why); here they are read back. */
const georgian = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => String.fromCharCode(0x10d0 + LETTERS.indexOf(letter)))

const told = georgian(KA).split('|')
const GEORGIAN = Object.fromEntries(Object.keys(EN).map((name, at) => [name, told[at]])) as Words

export const wordsOf = (language: Language): Words => (language === 'ka' ? GEORGIAN : EN)
