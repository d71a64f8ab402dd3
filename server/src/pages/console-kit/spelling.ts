// Days and amounts as a reader of each language writes them. The server knows the Georgian ones; many browsers do not.
import type { Language } from '@tether/contract'

const DAYS = {
  en: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
  ka: new Intl.DateTimeFormat('ka-GE', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
}
export const dayText = (day: Date, language: Language): string => DAYS[language].format(day)

const NUMBERS = { en: new Intl.NumberFormat('en-GB'), ka: new Intl.NumberFormat('ka-GE') }
export const count = (number: number, language: Language): string => NUMBERS[language].format(number)

const MONEY = {
  en: new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
  ka: new Intl.NumberFormat('ka-GE', { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
}
/** In US dollars, which models are paid in. */
export const money = (usd: number, language: Language): string =>
  language === 'ka' ? `${MONEY.ka.format(usd)} $` : `$${MONEY.en.format(usd)}`
