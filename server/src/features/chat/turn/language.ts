import type { Language } from '@tether/contract'

const GEORGIAN = /\p{Script=Georgian}/u

/** As asked (`ka`, or anything that begins with `en`), else by the letters of the prompt. */
export function languageOf(asked: string | undefined, prompt: string): Language {
  const said = asked?.trim().toLowerCase() ?? ''
  if (said === 'ka' || said.startsWith('ka-') || said === 'georgian' || said === 'ქართული') return 'ka'
  if (said.startsWith('en')) return 'en'
  return GEORGIAN.test(prompt) ? 'ka' : 'en'
}
