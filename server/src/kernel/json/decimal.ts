/** ± digits × 10^exponent. `digits` has no zero at either end; for zero itself it is ''. */
export type Decimal = { negative: boolean; digits: string; exponent: bigint }

const zero: Decimal = { negative: false, digits: '', exponent: 0n }
const literal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Reads a JSON number, or the text that String() makes of a finite double. */
export function decimalOf(text: string): Decimal {
  const parts = literal.exec(text)
  if (!parts) throw new Error('decimalOf needs the text of a number')
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts
  const all = whole + fraction
  let start = 0
  while (all[start] === '0') start++
  let end = all.length
  while (end > start && all[end - 1] === '0') end--
  if (start === end) return zero
  return {
    negative: sign === '-',
    digits: all.slice(start, end),
    exponent: exponentOf(power, all.length - end - fraction.length),
  }
}

/** Most are short, and added as what they are. */
const exponentOf = (power: string, shift: number): bigint =>
  power.length < 15 ? BigInt(Number(power) + shift) : BigInt(power.replace('+', '')) + BigInt(shift)
