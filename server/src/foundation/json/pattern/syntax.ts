import type { CharSet } from './char-set.ts'

/** What a pattern is made of. Captures are gone: a check asks only whether it matches. */
export type Node =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }
  | { kind: 'assert'; test: Assertion }
  | { kind: 'look'; ahead: boolean; negated: boolean; body: Node }

export type Assertion = 'start' | 'end' | 'boundary' | 'not_boundary'

/** The pattern cannot be used; the message says why, in words that follow "the pattern". */
export class PatternFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PatternFault'
  }
}

/** A place in a pattern, read code point by code point. */
export type Cursor = { readonly points: ArrayLike<string>; at: number }

/** Without surrogates the text is its own list of code points. */
export const cursorOf = (source: string): Cursor => ({
  points: /[\ud800-\udfff]/.test(source) ? [...source] : source,
  at: 0,
})
export const peek = (cursor: Cursor, ahead = 0): string | undefined => cursor.points[cursor.at + ahead]

export function next(cursor: Cursor): string {
  const point = cursor.points[cursor.at]
  if (point === undefined) throw new PatternFault('ends in the middle of something')
  cursor.at++
  return point
}

/** Takes `text` when it stands here. */
export function take(cursor: Cursor, text: string): boolean {
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
