// Carries numbers that a double would change through JSON.parse: as strings that nobody else can write, which are replaced
// afterwards. A reviver could do this, but it would be called for every value, and there may be megabytes of them.
import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject, setMember } from './json-value.ts'
import type { ExactNumber } from './raw-json.ts'

const mark = randomBytes(16).toString('hex')

/** Writes a marked string in place of each of these numbers. */
export function marked(text: string, spans: readonly (readonly [start: number, end: number])[]): string {
  const pieces: string[] = []
  let from = 0
  for (const [index, [start, end]] of spans.entries()) {
    pieces.push(text.slice(from, start), `"${mark}${index}"`)
    from = end
  }
  return pieces.join('') + text.slice(from)
}

/** Puts the numbers back in a value that was just parsed. */
export function restored(value: Json, numbers: readonly ExactNumber[]): Json {
  const open: (Json[] | JsonObject)[] = []
  const place = (inner: Json): Json => {
    if (typeof inner === 'string')
      return inner.startsWith(mark) ? (numbers[Number(inner.slice(mark.length))] ?? inner) : inner
    if (Array.isArray(inner) || isObject(inner)) open.push(inner)
    return inner
  }
  const whole = place(value)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const [at, inner] of next.entries()) next[at] = place(inner)
    else
      for (const [name, inner] of Object.entries(next)) {
        const placed = place(inner)
        if (placed !== inner) setMember(next, name, placed)
      }
  }
  return whole
}
