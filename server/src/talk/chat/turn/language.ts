import type { Language } from '@tether/contract'

const GEORGIAN = /\p{Script=Georgian}/u
// Not a part of a code or of an address.
const WORD = /(?<![\p{L}\p{N}_@./-])\p{L}{2,}(?![\p{L}\p{N}_@/-]|\.\p{L}|:\/\/)/u

/**
 * The language that the caller asked for (`ka`, or anything that begins with `en`), otherwise that of the letters in the latest of
 * `written` that has a word. A bare code has no language: whoever answers "TH-108" goes on in that of the conversation.
 */
export function turnLanguage(asked: string | undefined, written: readonly string[]): Language {
  const said = asked?.trim().toLowerCase() ?? ''
  if (said === 'ka' || said.startsWith('ka-') || said === 'georgian' || said === 'ქართული') return 'ka'
  if (said.startsWith('en')) return 'en'
  return GEORGIAN.test(written.find((text) => WORD.test(text)) ?? '') ? 'ka' : 'en'
}
