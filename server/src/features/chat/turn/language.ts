import type { Language } from '@tether/contract'

const GEORGIAN = /\p{Script=Georgian}/u

/**
 * The language that the caller asked for (`ka`, or anything that begins with `en`), otherwise that of the prompt's
 * letters.
 */
export function turnLanguage(asked: string | undefined, prompt: string): Language {
  const said = asked?.trim().toLowerCase() ?? ''
  if (said === 'ka' || said.startsWith('ka-') || said === 'georgian' || said === 'ქართული') return 'ka'
  if (said.startsWith('en')) return 'en'
  return GEORGIAN.test(prompt) ? 'ka' : 'en'
}
