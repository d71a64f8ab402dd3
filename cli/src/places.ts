// A JSON text read with the place of each value, so that a fault can be said with its line, and with each number as it is written.
import { type ExactNumber, numberOf } from './exact-json.ts'

export type Place = { readonly line: number; readonly column: number }

/** A text that is not JSON, and where it stops being so. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
  readonly place: Place
  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

export type Located = {
  readonly value: unknown
  /** The place of a value by its path: `/0/parameters`. Of a member, that of its name. */
  placeOf(path: string): Place | undefined
}

type Twice = 'refused' | 'last wins'
type Reading = { readonly text: string; at: number; readonly starts: Map<string, number>; readonly twice: Twice }

/** An answer of the service, with each number as it is written. */
export const parseExact = (text: string): unknown =>
  MAY_LOSE.test(text) ? locate(text, 'last wins').value : JSON.parse(text)
/** What JavaScript may write otherwise than it stands here: long digits, a fraction that ends in 0, a power. */
const MAY_LOSE = /[\d.]{16}|\.\d*0(?!\d)|\d[eE]|\.\d{7}|-0/

/** Of a name that an object has twice the last one would count, and whoever wrote a file means both. */
export function locate(given: string, twice: Twice = 'refused'): Located {
  const text = given.replace(/^\uFEFF/, '')
  const reading: Reading = { text, at: 0, starts: new Map(), twice }
  const value = readValue(reading, '')
  skipSpace(reading)
  if (reading.at < text.length) fail(reading, 'Something follows the end of the JSON value')
  return {
    value,
    placeOf(path) {
      const start = reading.starts.get(path)
      return start === undefined ? undefined : placeAt(text, start)
    },
  }
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

function fail({ text, at }: Reading, message: string): never {
  throw new JsonFault(`${message}.`, placeAt(text, Math.min(at, text.length)))
}

function skipSpace(reading: Reading): void {
  while (/[ \t\r\n]/.test(reading.text[reading.at] ?? '')) reading.at++
}

const step = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
const ATOM = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
// JSON refuses the first of the two blocks of controls in a string, and takes the second.
const STRING = /"(?:[^"\\\p{Cc}]+|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy

function readValue(reading: Reading, path: string): unknown {
  skipSpace(reading)
  if (!reading.starts.has(path)) reading.starts.set(path, reading.at)
  const first = reading.text[reading.at]
  if (first === '{') return Object.fromEntries(readItems(reading, '}', () => readMember(reading, path)))
  if (first === '[') return readItems(reading, ']', (index) => readValue(reading, path + step(index)))
  if (first === '"') return JSON.parse(readString(reading)) as unknown
  return atom(
    take(reading, ATOM, first === undefined ? 'The text ends where a value should be' : 'This is not a JSON value'),
  )
}

const atom = (text: string): number | ExactNumber | boolean | null =>
  /^[-\d]/.test(text) ? numberOf(text) : (JSON.parse(text) as boolean | null)

function readItems<Item>(reading: Reading, close: '}' | ']', readOne: (index: number) => Item): Item[] {
  const items: Item[] = []
  reading.at++
  skipSpace(reading)
  if (reading.text[reading.at] === close) {
    reading.at++
    return items
  }
  for (let index = 0; ; index++) {
    items.push(readOne(index))
    skipSpace(reading)
    const next = reading.text[reading.at]
    if (next !== ',' && next !== close) fail(reading, `A comma or “${close}” is missing here`)
    reading.at++
    if (next === close) return items
    skipSpace(reading)
    if (reading.text[reading.at] === close) fail(reading, `Nothing follows the comma before this “${close}”`)
  }
}

function readMember(reading: Reading, path: string): [name: string, value: unknown] {
  skipSpace(reading)
  const start = reading.at
  if (reading.text[start] !== '"') fail(reading, 'The name of a member must stand here, in double quotes')
  const name = JSON.parse(readString(reading)) as string
  const inner = path + step(name)
  if (reading.twice === 'refused' && reading.starts.has(inner))
    fail({ ...reading, at: start }, `This object has a member ${JSON.stringify(name)} already`)
  reading.starts.set(inner, start)
  skipSpace(reading)
  if (reading.text[reading.at] !== ':') fail(reading, 'A colon is missing after the name of a member')
  reading.at++
  return [name, readValue(reading, inner)]
}

const readString = (reading: Reading): string =>
  take(reading, STRING, 'This string does not end, or holds a character that JSON does not allow in it')

function take(reading: Reading, pattern: RegExp, message: string): string {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.text)?.[0]
  if (found === undefined) fail(reading, message)
  reading.at += found.length
  return found
}
