export type Price = { readonly price: string; readonly currency: string | null }

const NUMBER = /^\d[\d.,'\s\u00a0\u202f]{0,20}$/
const SIGNS = [
  '$',
  '€',
  '£',
  '¥',
  '₾',
  '₹',
  '₩',
  '₺',
  '₽',
  '₴',
  '₪',
  '₫',
  '฿',
  'zł',
  'kr',
  'Kč',
  'Ft',
  'lei',
  'R$',
  'CHF',
]

/**
 * A price as somebody stated it, or null if that is not one. Only what stands beside the number is told from it: no digit is
 * moved, and no currency is guessed.
 */
export function priceOf(stated: unknown, currency: unknown): Price | null {
  if (typeof stated !== 'string' && typeof stated !== 'number') return null
  const text = String(stated).replace(/\s+/g, ' ').trim()
  if (text.length > 40) return null
  const beside = besideNumber(text)
  if (beside === null || !/[1-9]/.test(beside.number)) return null
  return { price: beside.number, currency: currencyOf(currency) ?? beside.currency }
}

function besideNumber(text: string): { number: string; currency: string | null } | null {
  if (NUMBER.test(text)) return { number: text, currency: null }
  const [, before = '', number = '', after = ''] =
    /^([^\d]{0,6}?)\s?(\d(?:[\d.,'\s]{0,20}\d)?)\s?([^\d]{0,6})$/.exec(text) ?? []
  const sign = before.trim() === '' ? after.trim() : after.trim() === '' ? before.trim() : null
  return number === '' || sign === null || currencyOf(sign) === null ? null : { number, currency: currencyOf(sign) }
}

function currencyOf(written: unknown): string | null {
  if (typeof written !== 'string') return null
  const text = written.trim()
  if (/^[a-z]{3}$/i.test(text)) return text.toUpperCase()
  return SIGNS.includes(text) ? text : null
}
