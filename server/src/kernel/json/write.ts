import type { Json } from './json-value.ts'

/**
 * JSON that is already text, such as an answer's bytes or a stored column. It is written unchanged, so that its numbers
 * stay.
 */
export type RawJson = { toJSON(): unknown }

/** JSON with raw JSON anywhere in it. A member that is undefined is left out. */
export type Writable = Json | RawJson | readonly Writable[] | { readonly [name: string]: Writable | undefined }

// JSON.rawJSON accepts no object or list, so raw text leaves a mark while the rest is written, and then replaces it. No
// other text looks like the mark when written, because JSON.stringify never escapes a letter.
const MARK = JSON.rawJSON('"\\u0041"')
let left: string[] | undefined

export const rawJson = (text: string): RawJson => ({
  toJSON() {
    if (left === undefined) throw new Error('JSON.stringify does not know raw JSON. Write it with stringifyJson.')
    left.push(text)
    return MARK
  },
})

/** Writes exact numbers and raw JSON unchanged. */
export function stringifyJson(value: Writable): string {
  const raw: string[] = []
  left = raw
  try {
    const text = JSON.stringify(value)
    if (raw.length === 0) return text
    const [first = '', ...others] = text.split(MARK.rawJSON)
    return others.reduce((whole, piece, index) => `${whole}${raw[index]}${piece}`, first)
  } finally {
    left = undefined
  }
}
