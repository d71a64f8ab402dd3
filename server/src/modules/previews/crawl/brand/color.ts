import { member } from '../../../../kernel/json/index.ts'

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number]

const LEAST_CHROMA = 0.15
const DARKEST = 0.08
const LIGHTEST = 0.93

/** What is no colour of a brand: greys, near-white, near-black. */
export function countsAsColor([red, green, blue]: Rgb): boolean {
  const [least, most] = [Math.min(red, green, blue) / 255, Math.max(red, green, blue) / 255]
  const lightness = (least + most) / 2
  return most - least >= LEAST_CHROMA && lightness >= DARKEST && lightness <= LIGHTEST
}

export const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`

// The names that people give as their theme. The other 130 are not in use there.
const NAMED: Readonly<Record<string, string>> = {
  red: 'ff0000',
  green: '008000',
  blue: '0000ff',
  navy: '000080',
  teal: '008080',
  purple: '800080',
  orange: 'ffa500',
  maroon: '800000',
  olive: '808000',
  lime: '00ff00',
  aqua: '00ffff',
  cyan: '00ffff',
  fuchsia: 'ff00ff',
  magenta: 'ff00ff',
  yellow: 'ffff00',
  gold: 'ffd700',
  pink: 'ffc0cb',
  crimson: 'dc143c',
  tomato: 'ff6347',
  coral: 'ff7f50',
  indigo: '4b0082',
  royalblue: '4169e1',
  steelblue: '4682b4',
  dodgerblue: '1e90ff',
  forestgreen: '228b22',
  darkgreen: '006400',
  darkblue: '00008b',
  darkred: '8b0000',
  rebeccapurple: '663399',
  turquoise: '40e0d0',
  salmon: 'fa8072',
  firebrick: 'b22222',
}

/** A colour as CSS writes it, or null. One that is mostly transparent is none. */
export function parseColor(written: string): Rgb | null {
  const text = written.trim().toLowerCase()
  if (text.length > 100) return null
  if (text.startsWith('#')) return parseHex(text.slice(1))
  const call = /^(rgb|hsl)a?\(([^()]{0,80})\)$/.exec(text)
  if (call !== null) return call[1] === 'rgb' ? parseRgb(partsOf(call[2])) : parseHsl(partsOf(call[2]))
  const named = member(NAMED, text)
  return named === undefined ? null : parseHex(named)
}

const partsOf = (inner = ''): string[] => inner.split(/[\s,/]+/).filter(Boolean)

function parseHex(digits: string): Rgb | null {
  if (!/^[0-9a-f]+$/.test(digits) || ![3, 4, 6, 8].includes(digits.length)) return null
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  return alpha < 128 ? null : [red, green, blue]
}

function parseRgb(parts: readonly string[]): Rgb | null {
  if (parts.length < 3 || isTransparent(parts[3])) return null
  const numbers = parts.slice(0, 3).map((part) => (part.endsWith('%') ? 2.55 * Number.parseFloat(part) : Number(part)))
  return rounded(numbers)
}

function parseHsl(parts: readonly string[]): Rgb | null {
  if (parts.length < 3 || isTransparent(parts[3])) return null
  const [hue, saturation, lightness] = [
    hueOf(parts[0] ?? ''),
    Number.parseFloat(parts[1] ?? ''),
    Number.parseFloat(parts[2] ?? ''),
  ]
  const [s, l] = [Math.min(1, saturation / 100), Math.min(1, lightness / 100)]
  const channel = (offset: number): number => {
    const at = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return rounded([channel(0), channel(8), channel(4)])
}

function hueOf(written: string): number {
  const value = Number.parseFloat(written)
  if (written.endsWith('turn')) return value * 360
  if (written.endsWith('grad')) return value * 0.9
  return written.endsWith('rad') ? (value * 180) / Math.PI : value
}

const isTransparent = (alpha: string | undefined): boolean =>
  alpha !== undefined && Number.parseFloat(alpha) / (alpha.endsWith('%') ? 100 : 1) < 0.5

function rounded(numbers: readonly number[]): Rgb | null {
  const [red, green, blue] = numbers.map((value) => Math.round(Math.min(255, Math.max(0, value))))
  return red === undefined || green === undefined || blue === undefined || [red, green, blue].some(Number.isNaN)
    ? null
    : [red, green, blue]
}
