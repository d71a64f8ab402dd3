// JSON.parse makes a double of every number. A number that a double would change stands in the text as a string that nobody
// else can write, and is put in its place afterwards: a reviver would be called for every value of megabytes.
import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject } from './json-value.ts'
import type { ExactNumber } from './raw-json.ts'

const mark = randomBytes(16).toString('hex')

/** The text with strings in place of these numbers. */
export function marked(text: string, spans: readonly (readonly [start: number, end: number])[]): string {
  const pieces: string[] = []
  let from = 0
  for (const [index, [start, end]] of spans.entries()) {
    pieces.push(text.slice(from, start), `"${mark}${index}"`)
    from = end
  }
  return pieces.join('') + text.slice(from)
}

/** The value, just parsed, with the numbers in their places. */
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
    // `__proto__` is a member of its own here, and so an ordinary place.
    else for (const [name, inner] of Object.entries(next)) next[name] = place(inner)
  }
  return whole
}
