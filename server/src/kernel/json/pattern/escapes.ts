import { type CharSet, complementOf, digitCharacters, setOf, spaces, wordCharacters } from './char-set.ts'
import { type Cursor, PatternFault, peek, takeIf, takePoint, takeWhile } from './syntax.ts'

const classes: Record<string, CharSet> = {
  d: digitCharacters,
  D: complementOf(digitCharacters),
  w: wordCharacters,
  W: complementOf(wordCharacters),
  s: spaces,
  S: complementOf(spaces),
}
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const hex = /[0-9a-fA-F]/

/** Reads what follows a backslash, inside or outside a class: one character (a number) or a set. */
export function readEscape(cursor: Cursor): number | CharSet {
  const letter = takePoint(cursor)
  const known = Object.hasOwn(classes, letter) ? classes[letter] : undefined
  if (known) return known
  const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined
  if (control !== undefined) return control
  if (letter === 'p' || letter === 'P') return readProperty(cursor, letter === 'P')
  if (letter === 'x') return readHex(cursor, 2)
  if (letter === 'u') return readUnicode(cursor)
  if (letter === 'c') return readControl(cursor)
  if (letter === '0' && !/\d/.test(peek(cursor) ?? '')) return 0
  if (/[1-9k]/.test(letter))
    throw new PatternFault(
      'uses a back reference, which cannot be checked in bounded time. Write the pattern without it',
    )
  if (/[a-zA-Z0-9]/.test(letter))
    throw new PatternFault(`uses \\${letter}, which JSON Schema patterns (ECMA-262) do not have`)
  // Strictly, only syntax characters may be escaped, but real patterns escape any punctuation and mean it literally.
  return letter.codePointAt(0) ?? 0
}

function readHex(cursor: Cursor, length: number): number {
  const text = takeWhile(cursor, hex, length)
  if (text.length !== length) throw new PatternFault('has a \\x or \\u escape with too few hexadecimal digits')
  return Number.parseInt(text, 16)
}

function readUnicode(cursor: Cursor): number {
  if (takeIf(cursor, '{')) {
    const value = Number.parseInt(takeWhile(cursor, hex, 8), 16)
    if (!takeIf(cursor, '}') || !(value <= 0x10ffff))
      throw new PatternFault('has a \\u{…} escape that does not name a character')
    return value
  }
  const first = readHex(cursor, 4)
  if (first < 0xd800 || first > 0xdbff || peek(cursor) !== '\\' || peek(cursor, 1) !== 'u') return first
  const back = cursor.at
  cursor.at += 2
  const second = peek(cursor) === '{' ? -1 : readHex(cursor, 4)
  if (second >= 0xdc00 && second <= 0xdfff) return (first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000
  cursor.at = back
  return first
}

function readControl(cursor: Cursor): number {
  const letter = takePoint(cursor)
  if (!/^[a-zA-Z]$/.test(letter)) throw new PatternFault('has a \\c escape without a letter')
  return (letter.codePointAt(0) ?? 0) % 32
}

function readProperty(cursor: Cursor, negated: boolean): CharSet {
  const opened = takeIf(cursor, '{')
  const name = opened ? takeWhile(cursor, /[A-Za-z0-9_=]/, 64) : ''
  if (!opened || !takeIf(cursor, '}'))
    throw new PatternFault('has a \\p escape without a property. Write it as \\p{Letter}')
  return { ...setOf(), properties: [propertyTest(name, negated)] }
}

/** It tests one character at a time, so that the platform's engine has nothing to backtrack over. */
function propertyTest(name: string, negated: boolean): RegExp {
  try {
    return new RegExp(`^\\${negated ? 'P' : 'p'}{${name}}$`, 'u')
  } catch {
    throw new PatternFault(`names the Unicode property "${name}", which does not exist`)
  }
}
