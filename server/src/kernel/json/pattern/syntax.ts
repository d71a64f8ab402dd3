import type { CharSet } from './char-set.ts'

/** The parts of a pattern. There are no captures, because a check only asks whether it matches. */
export type Node =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }
  | { kind: 'assert'; test: Assertion }
  | { kind: 'look'; ahead: boolean; negated: boolean; body: Node }

export type Assertion = 'start' | 'end' | 'boundary' | 'not_boundary'

/** Thrown if the pattern cannot be used. The message follows the words "the pattern". */
export class PatternFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PatternFault'
  }
}

/** A position in a pattern, which is read code point by code point. */
export type Cursor = { readonly points: ArrayLike<string>; at: number }

/** A text without surrogates is its own list of code points. */
export const cursorOf = (source: string): Cursor => ({
  points: /[\ud800-\udfff]/.test(source) ? [...source] : source,
  at: 0,
})
export const peek = (cursor: Cursor, ahead = 0): string | undefined => cursor.points[cursor.at + ahead]

export function takePoint(cursor: Cursor): string {
  const point = cursor.points[cursor.at]
  if (point === undefined) throw new PatternFault('ends in the middle of something')
  cursor.at++
  return point
}

/** Consumes `text` if it comes next. */
export function takeIf(cursor: Cursor, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (peek(cursor, index) !== text[index]) return false
  cursor.at += text.length
  return true
}

export function takeWhile(cursor: Cursor, wanted: RegExp, most: number): string {
  let taken = ''
  for (
    let point = peek(cursor);
    point !== undefined && taken.length < most && wanted.test(point);
    point = peek(cursor)
  ) {
    taken += point
    cursor.at++
  }
  return taken
}
