// A double holds 15 digits. Order numbers, card-like ids and amounts have more, and a confirmed write must carry the
// number that the person read. So a number that a double would change is kept as its text (`JSON.rawJSON`), and the
// few things we do with numbers (compare, integer?, multiple?) are done on the decimal text when one of them is long.
import { type Decimal, decimalOf } from './decimal.ts'
import { kindOf } from './json-value.ts'
import type { ExactNumber } from './raw-json.ts'

export type JsonNumber = number | ExactNumber

export const isNumber = (value: unknown): value is JsonNumber => kindOf(value) === 'number'

const textOf = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.rawJSON)
const decimal = (value: JsonNumber): Decimal => decimalOf(textOf(value))

/** The number for one JSON literal: a double when it says the same, else the literal itself. */
export function numberFrom(literal: string, double: number): JsonNumber {
  const text = String(double)
  if (literal === text) return double
  // From 1e21 on a double is written with an exponent, which a reader that wants an integer may refuse.
  const becomesExponent = Math.abs(double) >= 1e21 && !/[eE]/.test(literal)
  const same = Number.isFinite(double) && !becomesExponent && sameDecimal(decimalOf(literal), decimalOf(text))
  return same ? double : JSON.rawJSON(literal)
}

const sameDecimal = (a: Decimal, b: Decimal): boolean =>
  a.digits === b.digits && a.exponent === b.exponent && a.negative === b.negative

/** Below zero, zero or above zero, as a is less than, equal to or greater than b. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareDecimals(decimal(a), decimal(b))
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
  // Neither has a zero at either end, so the order of the texts is the order of the numbers.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
}

/** 2.0 and 1e3 are integers, as JSON Schema has it. */
export function isInteger(value: JsonNumber): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  const { digits, exponent } = decimal(value)
  return digits === '' || exponent >= 0n
}

/** Exact in decimals: 19.99 is a multiple of 0.01, which doubles deny. */
export function isMultipleOf(value: JsonNumber, step: JsonNumber): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return Number(value) % Number(step) === 0
  const a = decimal(value)
  const b = decimal(step)
  if (a.digits === '') return true
  // a ends in a digit other than zero, so it has no tens to spend on a step that is coarser than its last digit.
  if (a.exponent < b.exponent) return false
  const modulus = BigInt(b.digits)
  return (BigInt(a.digits) * powerOfTen(a.exponent - b.exponent, modulus)) % modulus === 0n
}

/** 10^exponent modulo modulus, without ever writing 10^exponent out. */
function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = 10n % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** One text per value: 2, 2.0 and 20e-1 have the same. */
export function canonicalNumber(value: JsonNumber): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
  const { negative, digits, exponent } = decimal(value)
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  // The same text as a safe integer has, where it is one.
  if (exponent >= 0n && exponent < 16n) {
    const plain = Number(sign + digits + '0'.repeat(Number(exponent)))
    if (Number.isSafeInteger(plain)) return String(plain)
  }
  return `${sign}${digits}e${exponent}`
}
