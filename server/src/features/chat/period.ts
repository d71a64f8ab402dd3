import { refuse } from '../../foundation/http/index.ts'

const DAY = 86_400_000
const PRESET_DAYS = 30
const MOST_DAYS = 366
const FORM = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

export type Period = { readonly from: Date; readonly to: Date }

/**
 * At or after `from` and before `to`. The default is the last 30 days, and the longest is a year. A date means midnight
 * UTC.
 */
export function periodOf(asked: { from?: string | undefined; to?: string | undefined }, now: number): Period {
  const to = instant('to', asked.to) ?? now
  const from = instant('from', asked.from) ?? to - PRESET_DAYS * DAY
  if (to < from) throw refuse('invalid_period', '`to` is earlier than `from`. Swap them, or leave one out.')
  if (to - from > MOST_DAYS * DAY)
    throw refuse('invalid_period', `The period is longer than ${MOST_DAYS} days. Ask for a shorter one.`)
  return { from: new Date(from), to: new Date(to) }
}

function instant(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim()
  const isDate = value.length === 10
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.slice(10))
  const at = FORM.test(value)
    ? Date.parse(isDate ? `${value}T00:00Z` : `${value.replace(' ', 'T')}${hasZone ? '' : 'Z'}`)
    : Number.NaN
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(at) || Number.isNaN(Date.parse(value.slice(0, 10))) || !isDay(value.slice(0, 10))) {
    throw refuse('invalid_request', `\`${name}\` must be a date (2026-11-21) or a timestamp (2026-11-21T09:30:00Z).`)
  }
  return at
}

const isDay = (date: string): boolean => new Date(`${date}T00:00Z`).toISOString().startsWith(date)
