// Chromium has no Georgian locale data, and its `Intl` silently falls back to English. So we format the numbers and dates
// of both languages here, by the rules of CLDR.
import type { Language } from '@tether/contract'
import { wordsOf } from './words.ts'

/** Formats a number, or the text of one that a double cannot hold. Georgian groups from five digits, with no-break spaces. */
export function formatNumber(given: number | string, language: Language): string {
  const [text, sign, whole = '', fraction] = /^(-?)(\d+)(\.\d+)?$/.exec(`${given}`) ?? []
  if (text === undefined) return `${given}`
  const georgian = language === 'ka'
  const grouped = georgian && !whole[4] ? whole : whole.replace(/\B(?=(\d{3})+$)/g, georgian ? '\u00a0' : ',')
  return (sign && '−') + grouped + (fraction ? (georgian ? fraction.replace('.', ',') : fraction) : '')
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** `2026-11-22` stays that day. A point in time is shown in the reader's own time zone. */
export function formatDate(text: string, language: Language): string {
  const time = text.includes('T')
  const at = new Date(time ? text : `${text}T00:00`)
  if (!DATE.test(text) || Number.isNaN(+at)) return text
  const month = wordsOf(language).months.split(' ')[at.getMonth()]
  const two = (part: number) => `0${part}`.slice(-2)
  const day = `${at.getDate()} ${month}${language === 'ka' ? ',' : ''} ${at.getFullYear()}`
  return time ? `${day}, ${two(at.getHours())}:${two(at.getMinutes())}` : day
}

/** Formats any cell as text. A number within text stays unchanged, because it may be an article number. */
export function formatValue(value: unknown, language: Language): string {
  if (typeof value === 'number') return formatNumber(value, language)
  if (typeof value === 'object') return value === null ? '' : JSON.stringify(value)
  return value === undefined ? '' : formatDate(`${value}`, language)
}
