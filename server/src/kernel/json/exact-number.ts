// A double holds 15 digits. Order numbers, card-like ids and amounts have more, and a confirmed write must carry the
// number that the person read. So we keep a number that a double would change as text (`JSON.rawJSON`), and when a
// number is long, we work on its decimal text (compare, integer?, multiple?).
import { type Decimal, decimalOf } from './decimal.ts'
import { kindOf } from './json-value.ts'
import type { ExactNumber } from './raw-json.ts'

export type JsonNumber = number | ExactNumber

export const isNumber = (value: unknown): value is JsonNumber => kindOf(value) === 'number'

const numberText = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.rawJSON)
const asDecimal = (value: JsonNumber): Decimal => decimalOf(numberText(value))

/** The number for a JSON literal: a double if it has the same value, otherwise the literal itself. */
export function numberFrom(literal: string, double: number): JsonNumber {
  const text = String(double)
  if (literal === text) return double
  // JavaScript writes a double from 1e21 up with an exponent, which a reader that wants an integer may refuse.
  const becomesExponent = Math.abs(double) >= 1e21 && !/[eE]/.test(literal)
  const same = Number.isFinite(double) && !becomesExponent && sameDecimal(decimalOf(literal), decimalOf(text))
  return same ? double : JSON.rawJSON(literal)
}

const sameDecimal = (a: Decimal, b: Decimal): boolean =>
  a.digits === b.digits && a.exponent === b.exponent && a.negative === b.negative

/** Negative if a is less than b, zero if they are equal, positive if a is greater. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareDecimals(asDecimal(a), asDecimal(b))
}

function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return signOf(a) - signOf(b)
  if (a.negative !== b.negative) return a.negative ? -1 : 1
  return a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b)
}

const signOf = (value: Decimal): number => (value.digits === '' ? 0 : value.negative ? -1 : 1)

function compareMagnitudes(a: Decimal, b: Decimal): number {
  const high = a.exponent + BigInt(a.digits.length) - (b.exponent + BigInt(b.digits.length))
  if (high !== 0n) return high < 0n ? -1 : 1
  // Neither has a zero at either end, so their texts have the same order as the numbers.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
}

/** 2.0 and 1e3 are integers, as JSON Schema says. */
export function isInteger(value: JsonNumber): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  const { digits, exponent } = asDecimal(value)
  return digits === '' || exponent >= 0n
}

/** Works on decimals, so that 19.99 is a multiple of 0.01; with doubles it would not be. */
export function isMultipleOf(value: JsonNumber, step: JsonNumber): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return Number(value) % Number(step) === 0
  const a = asDecimal(value)
  const b = asDecimal(step)
  if (a.digits === '') return true
  // The last digit of a is not zero, so a cannot be a multiple of a step coarser than that digit.
  if (a.exponent < b.exponent) return false
  const modulus = BigInt(b.digits)
  return (BigInt(a.digits) * powerOfTen(a.exponent - b.exponent, modulus)) % modulus === 0n
}

/** Computes 10^exponent modulo modulus without writing 10^exponent out. */
function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = 10n % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** Gives each value one text: 2, 2.0 and 20e-1 share theirs. */
export function canonicalNumber(value: JsonNumber): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
  const text = numberText(value)
  const dot = text.indexOf('.')
  if (typeof value === 'number' && dot !== -1 && !text.includes('e')) return withoutDot(text, dot)
  const { negative, digits, exponent } = decimalOf(text)
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  // A safe integer gets the text that String() gives it.
  if (exponent >= 0n && exponent < 16n) {
    const plain = Number(sign + digits + '0'.repeat(Number(exponent)))
    if (Number.isSafeInteger(plain)) return String(plain)
  }
  return `${sign}${digits}e${exponent}`
}

/** Most fractions are doubles, which are written without a zero that is not needed: the dot only has to go. */
function withoutDot(text: string, dot: number): string {
  const start = text.startsWith('-') ? 1 : 0
  let from = dot + 1
  const isBelowOne = text.startsWith('0', start)
  while (isBelowOne && text.startsWith('0', from)) from++
  return `${text.slice(0, isBelowOne ? start : dot)}${text.slice(from)}e-${text.length - dot - 1}`
}
