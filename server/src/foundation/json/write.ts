import type { Json } from './json-value.ts'

/** JSON that is text already: another's bytes, a stored column. It is written as it stands, so that no number in it changes. */
export type RawJson = { toJSON(): unknown }

/** What can be written: JSON, with raw JSON anywhere in it; a member that is undefined is left out. */
export type Writable = Json | RawJson | readonly Writable[] | { readonly [name: string]: Writable | undefined }

// JSON.rawJSON takes no object and no list, so raw text leaves a mark while the rest is written, and then takes its place.
// No other text is written like the mark: JSON.stringify escapes no letter.
const MARK = JSON.rawJSON('"\\u0041"')
let left: string[] | undefined

export const rawJson = (text: string): RawJson => ({
  toJSON() {
    if (left === undefined) throw new Error('Raw JSON is written with stringifyJson; JSON.stringify does not know it.')
    left.push(text)
    return MARK
  },
})

/** Writes exact numbers, and raw JSON, as they were written. */
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
