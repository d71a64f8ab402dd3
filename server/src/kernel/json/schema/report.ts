import { onOneLine, withSignsTold } from '../../text/index.ts'
import { isNumber } from '../exact-number.ts'
import { isObject, type Json } from '../json-value.ts'
import type { Frame, ValuePath } from './model.ts'

const mostProblems = 20
const longestShown = 60

/** Records a problem if there is a report, and returns false, so that a keyword can `return problem(…)`. */
export function problem(frame: Frame, message: () => string, place: ValuePath = frame.place): false {
  const { report } = frame.run
  if (report && report.length < mostProblems) report.push({ path: pathOf(place), message: message() })
  return false
}

function pathOf(place: ValuePath): string {
  const keys: (string | number)[] = []
  for (let here = place; here; here = here.outer) keys.push(here.key)
  return keys
    .map((key) => cut(onOneLine(String(key)), longestShown))
    .reverse()
    .join('.')
}

/** Formats a value for a message: short values whole, others by their kind. */
export function shown(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (isNumber(value)) return cut(JSON.stringify(value), longestShown)
  if (isObject(value)) return 'an object'
  return typeof value === 'string' ? JSON.stringify(cut(withSignsTold(value), longestShown)) : String(value)
}

/** Like `shown`, but with the contents of small lists and objects. */
export function shownWhole(value: Json): string {
  return typeof value === 'object' && value !== null
    ? cut(withSignsTold(JSON.stringify(value)), longestShown)
    : shown(value)
}

/** Shortens a text to so many UTF-16 units, with an ellipsis in place of its last character, which is never halved. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.codePointAt(most - 2) ?? 0
  return `${text.slice(0, most - (last > 0xffff ? 2 : 1))}…`
}

/** The first few of many values, and how many more there are. */
export function listedValues(values: readonly Json[], most: number): string {
  const rest = values.length - most
  const first = values.slice(0, most).map(shownWhole).join(', ')
  return rest > 0 ? `${first} and ${rest} more` : first
}

export function listed(items: readonly string[], most = 10): string {
  const rest = items.length - most
  const first = items.slice(0, most).map(onOneLine).join(', ')
  return rest > 0 ? `${first} and ${rest} more` : first
}
