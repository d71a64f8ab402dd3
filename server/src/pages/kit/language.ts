import type { Language } from '@tether/contract'

/** The language that was asked for or, without one, the first of the two that the browser names. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  if (asked !== undefined && asked !== '') return /^ka\b/i.test(asked) ? 'ka' : 'en'
  const first = (accepted ?? '').slice(0, 200).match(/\b(ka|en)\b/i)?.[1]
  return first?.toLowerCase() === 'ka' ? 'ka' : 'en'
}
