// JSON whose numbers stay as they are written: JavaScript keeps 53 bits of one, and a catalog or an answer may hold more.
import { randomUUID } from 'node:crypto'

/** A number that would be another one, or would be written in another way, if it went through JavaScript's own. */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** For whoever counts with it all the same. */
  valueOf(): number {
    return Number(this.text)
  }
}

export const numberOf = (text: string): number | ExactNumber => {
  const value = Number(text)
  return String(value) === text ? value : new ExactNumber(text)
}

/** Unguessable, so that no text of somebody else's is taken for a number. */
const MARK = randomUUID()
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'g')

export function exactText(value: unknown, indent?: number): string {
  let isMarked = false
  const text = JSON.stringify(
    value,
    (_, one: unknown) => {
      if (!(one instanceof ExactNumber)) return one
      isMarked = true
      return MARK + one.text
    },
    indent,
  )
  return isMarked ? text.replace(MARKED, '$1') : text
}

/** The same for 1, 1.0 and 10e-1. */
export function valueOfNumber(number: number | ExactNumber): string {
  const text = typeof number === 'number' ? String(number) : number.text
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${exponent}`
}
