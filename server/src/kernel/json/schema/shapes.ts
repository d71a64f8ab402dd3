// The forms of keywords' values, as in the meta-schemas of 2020-12 and draft 7, with messages for the schema's author.
import { compareNumbers, isInteger, isNumber } from '../exact-number.ts'
import { isObject, type Json } from '../json-value.ts'
import type { Shape } from './model.ts'
import { listed, shown } from './report.ts'

export const anyShape: Shape = () => undefined
export const stringShape: Shape = (given) =>
  typeof given === 'string' ? undefined : `must be a string, not ${shown(given)}`
export const booleanShape: Shape = (given) =>
  typeof given === 'boolean' ? undefined : `must be true or false, not ${shown(given)}`
export const listShape: Shape = (given) => (Array.isArray(given) ? undefined : `must be a list, not ${shown(given)}`)
export const numberShape: Shape = (given) => (isNumber(given) ? undefined : `must be a number, not ${shown(given)}`)

export const countShape: Shape = (given) =>
  isNumber(given) && isInteger(given) && compareNumbers(given, 0) >= 0
    ? undefined
    : `must be a whole number from 0 up, not ${shown(given)}`

export const positiveShape: Shape = (given) =>
  isNumber(given) && compareNumbers(given, 0) > 0 ? undefined : `must be a number above 0, not ${shown(given)}`

export const schemaShape: Shape = (given) =>
  typeof given === 'boolean' || isObject(given)
    ? undefined
    : `must be a schema (an object, or true or false), not ${shown(given)}`

export const schemaListShape: Shape = (given) =>
  Array.isArray(given) && given.length > 0 && given.every((item) => schemaShape(item) === undefined)
    ? undefined
    : 'must be a non-empty list of schemas'

export const schemaOrListShape: Shape = (given) =>
  schemaShape(given) === undefined || schemaListShape(given) === undefined
    ? undefined
    : 'must be a schema or a non-empty list of schemas'

export const schemaMapShape: Shape = (given) =>
  eachMember(given, (inner) => schemaShape(inner) === undefined, 'must be an object whose members are schemas')

export const namesShape: Shape = (given) =>
  Array.isArray(given) && given.every((name) => typeof name === 'string') && new Set(given).size === given.length
    ? undefined
    : `must be a list of different names, not ${shown(given)}`

export const namesMapShape: Shape = (given) =>
  eachMember(
    given,
    (inner) => namesShape(inner) === undefined,
    'must be an object whose members are lists of different names',
  )

export const schemaOrNamesMapShape: Shape = (given) =>
  eachMember(
    given,
    (inner) => schemaShape(inner) === undefined || namesShape(inner) === undefined,
    'must be an object whose members are schemas or lists of different names',
  )

export const anchorShape: Shape = (given) =>
  typeof given === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(given)
    ? undefined
    : 'must be a name of letters, digits, "-", "_" and "."'

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
/** Names that people write when they think of another language. */
const otherNames = new Map([
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['text', 'string'],
  ['date', 'string'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['none', 'null'],
])

export const typesShape: Shape = (given) => {
  const all = Array.isArray(given) ? given : [given]
  const wrong = all.find((name) => typeof name !== 'string' || !typeNames.includes(name))
  if (wrong !== undefined) return `must be one of ${listed(typeNames)}, not ${shown(wrong)}${hint(wrong)}`
  return all.length > 0 && new Set(all).size === all.length
    ? undefined
    : 'must name at least one type, and each only once'
}

function hint(wrong: Json): string {
  const meant =
    typeof wrong === 'string'
      ? (otherNames.get(wrong.toLowerCase()) ?? typeNames.find((name) => name === wrong.toLowerCase()))
      : undefined
  return meant ? ` (did you mean "${meant}"?)` : ''
}

function eachMember(given: Json, fine: (inner: Json) => boolean, otherwise: string): string | undefined {
  return isObject(given) && Object.values(given).every(fine) ? undefined : otherwise
}
