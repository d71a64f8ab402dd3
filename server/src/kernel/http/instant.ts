import { refuse } from './refusal.ts'

// A plus sign that is not escaped in a URL arrives as a blank.
const FORM =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:(?<=:\d\d:\d\d)\.(?<fraction>\d{1,9}))?(?:Z|(?<sign>[+ -])(?<hours>[01]\d|2[0-3]):?(?<minutes>[0-5]\d))?)?$/i
const MINUTE = 60_000
// Between these, PostgreSQL and ISO 8601 both write a year with four digits.
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads a bound in time into an instant as ISO text. A date means midnight UTC; a timestamp is exact. */
export function readInstant(name: 'from' | 'to', text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const milliseconds = instantOf(text)
  if (milliseconds !== undefined) return new Date(Math.min(LATEST, Math.max(EARLIEST, milliseconds))).toISOString()
  const forms = 'a date (2026-11-21) or a timestamp (2026-11-21T09:30:00Z)'
  throw refuse('invalid_request', `\`${name}\` must be ${forms}.`)
}

function instantOf(text: string): number | undefined {
  const parts = FORM.exec(text)?.groups
  if (parts === undefined) return undefined
  const { date = '', time = '00:00', fraction = '', sign, hours, minutes } = parts
  const midnight = Date.parse(`${date}T00:00Z`)
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -MINUTE : MINUTE)
  return Date.parse(`${date}T${time}Z`) + millisecondsOf(fraction) - offset
}

/**
 * Events have milliseconds, so a finer bound is between two of them. Rounding up keeps "at or after" and "before"
 * right.
 */
const millisecondsOf = (fraction: string): number =>
  Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0)
