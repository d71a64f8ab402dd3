import type { Json } from './json-value.ts'

/**
 * JSON that is already text, such as an answer's bytes or a stored column. It is written unchanged, so that its numbers
 * stay.
 */
export type RawJson = { readonly [TEXT]: string; readonly unwritten: never }

/** JSON with raw JSON anywhere in it. A member that is undefined is left out. */
export type Writable = Json | RawJson | readonly Writable[] | { readonly [name: string]: Writable | undefined }

const TEXT = Symbol('the text of raw JSON')

// JSON.rawJSON accepts no object or list, so raw text leaves a mark while the rest is written, and then replaces it. No
// other text looks like the mark when written, because JSON.stringify never escapes a letter.
const MARK = JSON.rawJSON('"\\u0041"')

export const rawJson = (text: string): RawJson => ({
  [TEXT]: text,
  // JSON.stringify reads this and not the text.
  get unwritten(): never {
    throw new Error('JSON.stringify does not know raw JSON. Write it with stringifyJson.')
  },
})

const isRaw = (value: unknown): value is RawJson => typeof value === 'object' && value !== null && TEXT in value

/** Writes exact numbers and raw JSON unchanged. */
export function stringifyJson(value: Writable): string {
  const raw: string[] = []
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (!isRaw(member)) return member
    raw.push(member[TEXT])
    return MARK
  })
  if (raw.length === 0) return text
  const [first = '', ...others] = text.split(MARK.rawJSON)
  return others.reduce((whole, piece, index) => `${whole}${raw[index]}${piece}`, first)
}
